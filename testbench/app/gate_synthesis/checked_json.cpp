// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/checked_json.h"

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "testbench/app/gate_synthesis/bounded_json.h"

namespace flitscope {
namespace {

using nlohmann::ordered_json;

constexpr const char* kChecksum = "checksum";

std::string checksum(const ordered_json& figures, const std::string& beside) {
    Digest sum;
    sum.add(figures.dump());
    if (!beside.empty()) sum.add(beside);
    return sum.text();
}

}  // namespace

std::string checked_json(const ordered_json& figures, const std::string& beside) {
    // As the file has them, to the last digit.
    ordered_json json = ordered_json::parse(figures.dump());
    json[kChecksum] = checksum(json, beside);
    return json.dump(2) + '\n';
}

ordered_json read_checked_json(const std::string& file, const std::string& beside) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) throw std::invalid_argument(file);
    ordered_json json = parse_json(read_file(file, kMostKeptBytes));
    const ordered_json sum = json.at(kChecksum);
    json.erase(kChecksum);
    if (sum != checksum(json, beside)) throw std::invalid_argument(kChecksum);
    return json;
}

}  // namespace flitscope
