// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/study_part_reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope::study {
namespace {

constexpr const char* kConfigBases = "fabric, node, traffic, ...";

namespace fs = std::filesystem;

/// If a value of `key` names files, they are relative to `folder`.
void place_files(const std::string& key, ConfigTree& value, const fs::path& folder) {
    const auto ends_in = [&key](std::string_view end) {
        return key.size() > end.size() && key.compare(key.size() - end.size(), key.npos, end) == 0;
    };
    const ConfigTable& table = configuration_table();
    const ConfigKey* const entry = table.find_key(key);
    // Sources of the user's own router, or a file of routes.
    const bool is_source = ends_in(".sources") || key == "fabric.routing.file";
    if (value.is_scalar()) {
        const bool is_file = (entry != nullptr && entry->names_file()) || is_source;
        if (is_file && !value.text.empty() && !table.is_none(key, value)) {
            value.text = (folder / value.text).lexically_normal().string();
        }
        return;
    }
    for (ConfigTree& child : value.children) {
        place_files(value.is_map() ? key + '.' + child.key : key, child, folder);
    }
}

}  // namespace

void StudyPartReader::report(const Location& where, const std::string& what,
                             const std::string& hint) {
    findings_.push_back({where, printable(what), printable(hint)});
}

void StudyPartReader::refuse_key(const ConfigTree& entry, const std::vector<std::string>& known) {
    report(entry.key_where, fmt::format("unknown key '{}'", excerpt(entry.key)),
           suggest_choice(entry.key, known));
}

bool StudyPartReader::is_map(const ConfigTree& tree, const std::string& hint) {
    if (tree.is_map() && !tree.children.empty()) return true;
    report(tree.where,
           fmt::format("'{}' is a map, found {}", tree.key,
                       tree.is_map() ? "an empty one" : tree.found()),
           hint);
    return false;
}

std::string StudyPartReader::override_of(const std::string& key, ConfigTree value) const {
    std::error_code gone;
    const fs::path folder = fs::absolute(fs::path(study_.source).parent_path() / ".", gone);
    if (!gone) place_files(key, value, folder);
    return key + '=' + yaml_flow(value);
}

bool StudyPartReader::is_known(const std::string& path, const Location& where) {
    const ConfigTable& table = configuration_table();
    if (table.find_key(path) != nullptr || table.is_section(path)) return true;
    const OtherNames* const other = table.find_other_names(leaf_name(path));
    const std::string now = table.current_name(path);
    report(where, fmt::format("unknown key '{}'", excerpt(path)),
           did_you_mean(now != path ? now : nearest(path, table.all_paths()),
                        other != nullptr ? other->hint()
                                         : fmt::format("a configuration has {}; see flitscope keys",
                                                       kConfigBases)));
    return false;
}

}  // namespace flitscope::study
