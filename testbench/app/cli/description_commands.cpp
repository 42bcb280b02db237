// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>

#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/self_description.h"
#include "testbench/app/report/report.h"

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
    CLI::App* const command = app.add_subcommand("completion", "Print a shell completion script");
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

}  // namespace flitscope::cli
