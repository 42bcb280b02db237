// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/compare/delivery.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/fresh_kernel.h"

namespace flitscope::cli {
namespace {

struct CosimCommandOptions : Options {
    bool delivery = false;
};

int delivery_command(const CosimCommandOptions& options, const Machine& machine,
                     const std::function<bool(const Progress&)>& on_progress,
                     ProgressLine& progress) {
    const DeliveryResult result = compare_delivery(machine, on_progress);
    progress.clear();
    tell(options, delivery_json, print_delivery, machine, result);
    std::cout.flush();
    if (!result.differences.empty()) {
        std::cerr << "error: the RTL routers deliver something else than the SystemC routers\n";
        return kExitFailed;
    }
    return judge(result.decisive(), true);
}

int cosim_command(const CosimCommandOptions& options) {
    const Machine machine =
        build_machine(cosim_config(with_known_load(load_clocked_config(options), options.engine)));
    require_traffic(machine);
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    CosimOptions cosim;
    cosim.on_progress = show_until_interrupted(progress);
    if (options.delivery) return delivery_command(options, machine, cosim.on_progress, progress);
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
    const auto given = std::make_shared<CosimCommandOptions>();
    CosimCommandOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "cosim", "Compare RTL routers with SystemC ones in lock step, every channel and cycle");
    add_config(*command, options);
    add_no_verilate(*command, options);
    CLI::Option* const delivery = command->add_flag(
        "--delivery", options.delivery,
        "For routers of another timing: compare the packets that arrive, their words and order,\n"
        "the flits of every link and credits; show makespan and latency of both");
    command
        ->add_option("--trace", options.trace,
                     "If they differ, write waveforms of the cycles around the first difference:\n"
                     "FILE.systemc.vcd and FILE.rtl.vcd")
        ->type_name(trace_type())
        ->excludes(delivery);
    add_json(*command, options, "the summary");
    add_progress(*command, options);
    command->footer("Without an RTL router in the configuration, all routers are compared.");
    return make_command(command, given, cosim_command);
}

}  // namespace flitscope::cli
