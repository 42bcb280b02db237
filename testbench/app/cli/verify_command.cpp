// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/compare/verify.h"
#include "testbench/app/report/report.h"

namespace flitscope::cli {
namespace {

int verify_command(const Options& options) {
    const Machine machine = load_machine(options);
    require_traffic(machine);
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    VerifyOptions verification;
    verification.on_progress = show_until_interrupted(progress);
    const VerifyResult result = verify(machine, verification);
    progress.clear();
    tell(options, verify_json, print_verify, machine, result);
    std::cout.flush();
    if (result.interrupted) {
        std::cerr << "error: interrupted\n";
        return kExitInterrupted;
    }
    if (result.difference) {
        std::cerr << "error: the engines differ\n";
        return kExitFailed;
    }
    return judge(result.reference(), true);
}

}  // namespace

Command add_verify(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    Options& options = *given;
    CLI::App* const command = app.add_subcommand(
        "verify", "Run all engines on a configuration and compare every packet and channel");
    add_config(*command, options);
    add_no_verilate(*command, options);
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer(
        "The cycle engine is the reference. RTL routers are compared with SystemC ones here at\n"
        "the channels, by flitscope cosim in every cycle. Engines that\ncannot be exact are "
        "omitted, with the reason; if only the reference remains, the\nconfiguration is rejected. "
        "Seconds include recording of what is compared.");
    return make_command(command, given, verify_command);
}

}  // namespace flitscope::cli
