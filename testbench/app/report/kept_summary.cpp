// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/kept_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "models/base/printable.h"
#include "testbench/app/report/run_files.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Figures in which two runs of one configuration may differ.
constexpr std::array<const char*, 8> kMayDiffer{
    "version",     "engine",       "engine_reason",        "inputs",
    "synthesized", "wall_seconds", "flit_hops_per_second", "files"};

/// A summary without what may differ.
Json comparable(Json summary) {
    for (const char* const key : kMayDiffer) summary.erase(key);
    return summary;
}

std::string shown(const Json& value) { return printable(excerpt(value.dump())); }

}  // namespace

std::optional<KeptSummary> parse_summary(const std::string& text) {
    KeptSummary summary;
    try {
        summary.json = Json::parse(text);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    if (!summary.json.is_object()) return std::nullopt;
    for (const auto& [key, member] :
         {std::pair{"engine", &KeptSummary::engine}, std::pair{"status", &KeptSummary::status},
          std::pair{"version", &KeptSummary::version}}) {
        if (!summary.json.contains(key) || !summary.json.at(key).is_string()) return std::nullopt;
        summary.json.at(key).get_to(summary.*member);
        if ((summary.*member).empty()) return std::nullopt;
    }
    const auto files = summary.json.find("files");
    if (files != summary.json.end() && files->is_array()) {
        summary.files.emplace();
        for (const Json& name : *files) {
            if (name.is_string()) summary.files->push_back(name.get<std::string>());
        }
    }
    return summary;
}

bool KeptSummary::lists(const std::string& file) const {
    return files && std::find(files->begin(), files->end(), file) != files->end();
}

bool KeptSummary::may_have_messages() const { return !files || lists(RunFile::kMessages); }

std::string KeptSummary::digest_of_input(std::size_t place, const std::string& path) const {
    const auto inputs = json.find("inputs");
    if (inputs == json.end() || !inputs->is_array() || place >= inputs->size()) return {};
    const Json& input = (*inputs)[place];
    const auto text = [&input](const char* key) {
        const auto value = input.find(key);
        return value != input.end() && value->is_string() ? value->get<std::string>() : "";
    };
    return text("file") == fs::path(path).filename() ? text("digest") : "";
}

std::optional<std::string> summary_difference(const Json& kept, const Json& now) {
    const Json before = comparable(kept);
    const Json again = comparable(now);
    for (const auto& [key, value] : before.items()) {
        const bool is_there = again.contains(key);
        if (is_there && again.at(key) == value) continue;
        return fmt::format("{} is {} here, and {}", printable(excerpt(key)), shown(value),
                           is_there ? shown(again.at(key)) : "nothing");
    }
    for (const auto& [key, value] : again.items()) {
        if (before.contains(key)) continue;
        return fmt::format("{} is nothing here, and {}", key, shown(value));
    }
    return std::nullopt;
}

}  // namespace flitscope
