// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/command_line.h"

#include <iostream>
#include <string>

#include "testbench/cli/commands.h"
#include "testbench/cli/self_description.h"
#include "testbench/report/report.h"

namespace flitscope::cli {
namespace {

struct CompletionOptions : Options {
    std::string shell;
};

}  // namespace

Command add_manual(CLI::App& app) {
    CLI::App* const command = app.add_subcommand("manual", "Print the manual page, for man -l");
    return {command, std::make_shared<Options>(), [&app] {
                std::cout << manual_page(app, version());
                return kExitOk;
            }};
}

Command add_completion(CLI::App& app) {
    const auto given = std::make_shared<CompletionOptions>();
    CompletionOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("completion", "Print what makes a shell complete command lines");
    command->add_option("shell", options.shell, "Which shell")
        ->required()
        ->check(CLI::IsMember(completed_shells()))
        ->type_name("SHELL");
    command->footer("For this session: source <(flitscope completion bash).");
    return {command, given, [&app, given] {
                std::cout << completion_script(app, given->shell);
                return kExitOk;
            }};
}

std::vector<Command> add_commands(CLI::App& app) {
    return {add_run(app),        add_explain(app), add_report(app),    add_cosim(app),
            add_verify(app),     add_check(app),   add_topology(app),  add_compare(app),
            add_schedule(app),   add_export(app),  add_import(app),    add_synth(app),
            add_synthesize(app), add_curve(app),   add_saturate(app),  add_explore(app),
            add_reproduce(app),  add_worker(app),  add_list(app),      add_keys(app),
            add_machines(app),   add_manual(app),  add_completion(app)};
}

}  // namespace flitscope::cli
