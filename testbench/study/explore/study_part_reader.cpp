// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/study_part_reader.h"

#include <fmt/format.h>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "testbench/configuration/configuration.h"

namespace flitscope::study {
namespace {

constexpr const char* kConfigBases = "fabric, node, traffic, ...";

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

bool StudyPartReader::is_known(const std::string& path, const Location& where) {
    const ConfigTable& table = configuration_table();
    if (table.find_key(path) != nullptr || table.is_section(path)) return true;
    const OtherNames* const other = table.find_other_names(leaf_name(path));
    report(where, fmt::format("unknown key '{}'", excerpt(path)),
           did_you_mean(nearest(path, table.all_paths()),
                        other != nullptr ? other->hint()
                                         : fmt::format("a configuration has {}; see flitscope keys",
                                                       kConfigBases)));
    return false;
}

}  // namespace flitscope::study
