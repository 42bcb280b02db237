// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/error_report.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string_view>

#include "models/config/config_table.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/report/report.h"

namespace flitscope::cli {
namespace {

constexpr std::size_t kMostShown = 50;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The key that a finding is about: the first one that its text quotes, an unknown one as it was
/// written. Empty if there is none.
std::string key_of(const std::string& what) {
    const ConfigTable& table = configuration_table();
    for (std::size_t open = what.find('\''); open != what.npos;) {
        const std::size_t close = what.find('\'', open + 1);
        if (close == what.npos) break;
        const std::string name = what.substr(open + 1, close - open - 1);
        const bool is_called_key = ends_with(std::string_view(what).substr(0, open), "key ");
        if (is_called_key || table.find_key(name) != nullptr ||
            table.find_section(name) != nullptr) {
            return name;
        }
        open = what.find('\'', close + 1);
    }
    return {};
}

template <class Value>
Json json_unless(const Value& none, const Value& value) {
    return value == none ? Json(nullptr) : Json(value);
}

Json error_json(const Diagnostic& finding) {
    const std::string nothing;
    Json error;
    error["source"] = json_unless(nothing, finding.where.source);
    error["line"] = json_unless<std::size_t>(0, finding.where.line);
    error["column"] = json_unless<std::size_t>(0, finding.where.column);
    error["key"] = json_unless(nothing, key_of(finding.what));
    error["message"] = finding.what;
    error["remedy"] = json_unless(nothing, finding.hint);
    return error;
}

}  // namespace

bool asks_for_json_errors(int argc, const char* const* argv) {
    return std::any_of(argv, argv + argc,
                       [](std::string_view word) { return word == "--json-errors"; });
}

void ErrorReport::tell(const std::vector<Diagnostic>& findings, const std::string& help) const {
    const std::size_t shown = std::min(findings.size(), kMostShown);
    if (is_json_) {
        Json json;
        json["errors"] = Json::array();
        for (std::size_t i = 0; i < shown; ++i) json["errors"].push_back(error_json(findings[i]));
        std::cout << json_text(json) << '\n' << std::flush;
        return;
    }
    for (std::size_t i = 0; i < shown; ++i) std::cerr << findings[i].str() << '\n';
    if (findings.size() > shown) {
        std::cerr << "error: " << findings.size() - shown << " more of these\n";
    }
    std::cerr << help;
}

}  // namespace flitscope::cli
