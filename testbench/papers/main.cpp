// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program flitscope-reproduce, which `flitscope reproduce` starts: the papers are not part of
// the program that most people run.
#include <vector>

#include "testbench/app/cli/program.h"
#include "testbench/app/cli/reproduce_options.h"
#include "testbench/papers/reproduce_command.h"

namespace {

std::vector<flitscope::cli::Command> add_commands(CLI::App& app) {
    return {flitscope::cli::add_reproduce(app, flitscope::cli::reproduce_command)};
}

}  // namespace

int main(int argc, char** argv) { return flitscope::cli::run_program(argc, argv, add_commands); }
