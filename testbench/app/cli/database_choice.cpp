// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/database_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope::cli {

study::StudyRow chosen_study(study::Database& database, const std::string& path,
                             const std::string& name) {
    const std::vector<study::StudyRow> all = database.studies();
    if (all.empty()) {
        throw ConfigError({path, 0, 0}, "contains no study",
                          "flitscope explore STUDY.yaml --db " + path);
    }
    if (name.empty()) return all.back();
    std::vector<std::string> names;
    for (const study::StudyRow& study : all) {
        if (study.name == name) return study;
        names.push_back(study.name);
    }
    throw ConfigError({"--study " + name, 0, 0}, "there is no study of that name",
                      fmt::format("there are: {}", fmt::join(names, ", ")));
}

}  // namespace flitscope::cli
