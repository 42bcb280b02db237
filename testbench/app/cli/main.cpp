// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The flitscope program.
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/program.h"

int main(int argc, char** argv) {
    return flitscope::cli::run_program(argc, argv, flitscope::cli::add_commands);
}
