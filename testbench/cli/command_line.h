// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What each command takes on the command line: its words, its options, its help.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

#include "testbench/cli/commands.h"

namespace flitscope::cli {

struct Command {
    const CLI::App* app = nullptr;
    /// Does it; returns the exit code, or throws ConfigError (exit code 2).
    std::function<int(const Options&)> carry_out;
};

/// Adds all commands to the program, in the order of its help. What is said to them goes into
/// `options`; both must outlive what is returned.
std::vector<Command> add_commands(CLI::App& app, Options& options);

}  // namespace flitscope::cli
