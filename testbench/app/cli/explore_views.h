// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What `flitscope explore` shows of a database of designs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/app/cli/shared_options.h"
#include "testbench/app/study/explore/database.h"

namespace flitscope::cli {

struct ExploreOptions : Options {
    std::vector<std::string> words;  // a study, or what to show of a database
    std::string db;                  // database of explored designs
    std::string study;               // in it; empty: the latest
    std::string measurement;         // of a design; empty: the first
    std::string budget;              // METRIC=VALUE,VALUE,...
    std::string rows;                // axis
    std::string columns;             // axis
    std::string objective;           // of a table; empty: the first
    bool slurm = false;              // points are measured by jobs of a cluster
    bool estimate = false;           // routers are estimated if that suffices
    bool dry_run = false;
    const CLI::App* command = nullptr;

    /// The options of the command line.
    std::vector<std::string> given() const {
        std::vector<std::string> names;
        for (const CLI::Option* const option : command->get_options()) {
            if (option->count() != 0 && !option->get_positional()) {
                names.push_back(option->get_name());
            }
        }
        return names;
    }
};

/// A view of a database.
struct View {
    std::string word;
    std::size_t designs;  ///< named after the word, by their digests
    std::string needs;    ///< options besides the database
    std::string meaning;
    std::string takes;  ///< options, all but that of the database
    int (*show)(study::Database& database, const ExploreOptions& options);

    std::string with_designs() const {
        std::string text = word;
        for (std::size_t i = 0; i < designs; ++i) text += " DIGEST";
        return text;
    }
};

/// All of them, in the order of the help.
const std::vector<View>& views();

}  // namespace flitscope::cli
