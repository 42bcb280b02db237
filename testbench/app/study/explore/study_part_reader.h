// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the readers of the parts of a study (study_file.cpp): where they put their data, and
// how they report errors.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"
#include "models/config/config_tree.h"
#include "models/config/value_named.h"
#include "testbench/app/study/explore/study_file.h"

namespace flitscope::study {

/// Gathers findings all the way.
class StudyPartReader {
protected:
    /// Both must outlive the reader.
    StudyPartReader(Study& study, std::vector<Diagnostic>& findings)
        : study_(study), findings_(findings) {}

    /// Names of the user in it may hold anything, ends of lines too: a finding is one line.
    void report(const Location& where, const std::string& what, const std::string& hint = {});
    void refuse_key(const ConfigTree& entry, const std::vector<std::string>& known);
    /// The one of `values` that a word names; reports if none is meant.
    template <class Values>
    std::optional<typename Values::value_type> choice(const ConfigTree& tree, const char* noun,
                                                      const Values& values) {
        const auto chosen = value_named(values, tree.text);
        if (!chosen) {
            std::vector<std::string> names;
            for (const auto value : values) names.emplace_back(name_of(value));
            report(tree.where, fmt::format("expected a {}, found {}", noun, tree.found()),
                   suggest_choice(tree.text, names));
        }
        return chosen;
    }
    /// Whether it is a map with something in it.
    bool is_map(const ConfigTree& tree, const std::string& hint);
    /// KEY=VALUE of what a study sets. Relative names of files in the value begin at the folder of
    /// the study.
    std::string override_of(const std::string& key, ConfigTree value) const;
    /// Whether a configuration has a key or section of that name; reports if not.
    bool is_known(const std::string& path, const Location& where);

    Study& study_;
    std::vector<Diagnostic>& findings_;
};

}  // namespace flitscope::study
