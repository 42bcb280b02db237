// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of `flitscope reproduce`, which is a separate program
// (testbench/papers/main.cpp).
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>

#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/shared_options.h"

namespace flitscope::cli {

/// The names of the papers, in the order in which `all` goes through them.
inline constexpr std::array kPaperNames = {"thakur", "boppana", "bokhari",
                                           "cheung", "ziavras", "collectives"};

struct ReproduceOptions : Options {
    std::string paper = "all";
    std::string out;        ///< folder; empty: none
    std::string only;       ///< words in the titles of the tables and plots wanted; empty: all
    bool physical = false;  ///< also with routers synthesized
};

/// Adds the command, which `carry_out` does.
Command add_reproduce(CLI::App& app, int (*carry_out)(const ReproduceOptions&));

}  // namespace flitscope::cli
