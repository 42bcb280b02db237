// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>

#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/fresh_kernel.h"

namespace flitscope::cli {
namespace {

int cosim_command(const Options& options) {
    const Machine machine = build_machine(cosim_config(load_clocked_config(options)));
    require_traffic(machine);
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    CosimOptions cosim;
    cosim.on_progress = show_until_interrupted(progress);
    CosimResult result;
    {
        const FreshKernel kernel;
        result = cosimulate(machine, cosim);
    }
    progress.clear();
    tell(options, cosim_json, print_cosim, machine, result);
    std::cout.flush();
    if (result.difference) {
        std::cerr << "error: the RTL router differs from the SystemC router\n";
        if (!options.trace.empty()) {
            for (const std::string& file :
                 trace_difference(machine, *result.difference, options.trace)) {
                std::cerr << "  waveform: " << file << '\n';
            }
        }
        return kExitFailed;
    }
    return judge(result.systemc, true);
}

}  // namespace

Command add_cosim(CLI::App& app) {
    const auto given = std::make_shared<Options>();
    Options& options = *given;
    CLI::App* const command = app.add_subcommand(
        "cosim", "Compare RTL routers with SystemC ones in lock step, every channel and cycle");
    add_config(*command, options);
    add_no_verilate(*command, options);
    command
        ->add_option("--trace", options.trace,
                     "If they differ, write waveforms of the cycles around the first difference:\n"
                     "FILE.systemc.vcd and FILE.rtl.vcd")
        ->type_name(trace_type());
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer("Without an RTL router in the configuration, all routers are compared.");
    return make_command(command, given, cosim_command);
}

}  // namespace flitscope::cli
