// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A program of commands: parses the command line and turns outcomes into exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

#include "testbench/app/cli/command_table.h"

namespace flitscope::cli {

/// Adds the commands of a program, in the order of its help.
using CommandTable = std::function<std::vector<Command>(CLI::App&)>;

/// Carries out the command that the arguments of main() ask for. Returns the exit code; throws
/// nothing.
int run_program(int argc, char** argv, const CommandTable& add_commands);

}  // namespace flitscope::cli
