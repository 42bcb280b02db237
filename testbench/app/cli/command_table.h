// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of the flitscope program. The names, options and help of each are next to its code:
// in a file of its name, or with similar commands in load_commands.cpp (curve, saturate),
// machine_commands.cpp (check, topology, schedule), list_commands.cpp (list, keys, machines) and
// description_commands.cpp (manual, completion).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "testbench/app/cli/shared_options.h"

namespace flitscope::cli {

struct Command {
    const CLI::App* app = nullptr;
    std::shared_ptr<Options> options;
    /// Does what the options say; returns the exit code, or throws ConfigError (exit code 2).
    std::function<int()> carry_out;
};

/// The command `app`, which puts what is said to it into `options`.
template <class CommandOptions>
Command make_command(const CLI::App* app, std::shared_ptr<CommandOptions> options,
                     int (*carry_out)(const CommandOptions&)) {
    return {app, options, [options, carry_out] { return carry_out(*options); }};
}

// Each adds a command to the program, which must outlive what is returned.
Command add_run(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_report(CLI::App& app);
Command add_cosim(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_check(CLI::App& app);
Command add_topology(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_schedule(CLI::App& app);
Command add_export(CLI::App& app);
Command add_import(CLI::App& app);
Command add_synth(CLI::App& app);
Command add_find_schedule(CLI::App& app);
Command add_curve(CLI::App& app);
Command add_saturate(CLI::App& app);
Command add_explore(CLI::App& app);
Command add_worker(CLI::App& app);
Command add_list(CLI::App& app);
Command add_keys(CLI::App& app);
Command add_machines(CLI::App& app);
Command add_doctor(CLI::App& app);
Command add_manual(CLI::App& app);
Command add_completion(CLI::App& app);

/// Adds all commands, in the order of the program's help.
std::vector<Command> add_commands(CLI::App& app);

}  // namespace flitscope::cli
