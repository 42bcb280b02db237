// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// flitscope synthesize: a schedule for a collective on the network of a configuration, with the
// bound that says how good it is.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/report/report.h"
#include "testbench/synthesis/synthesis_run.h"

namespace flitscope::cli {

int synthesize_command(const Options& options) {
    const Config config = load_clocked_config(options);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    SynthesisOptions asked;
    asked.on_found = watch_for_interrupts;  // until then there is nothing to put in order
    // The command line takes no other names.
    asked.request.collective = synthesis::collective_named(options.collective).value();
    asked.request.method = synthesis::method_named(options.method).value();
    asked.request.chunks = options.chunks;
    asked.request.bytes = options.message_bytes.value_or(config.traffic.message_bytes);
    asked.request.root = options.root;
    asked.request.seed = config.seed;
    asked.places = {{"--collective", 0, 0}, {"--root", 0, 0}, {"--method", 0, 0}};
    asked.seconds = options.seconds;
    asked.file = options.export_to;
    asked.engine = options.engine;
    asked.simulation.keep_modules = true;  // this process runs once
    asked.simulation.on_progress = show_until_interrupted(progress);
    const SynthesisRun found = run_synthesis(config, asked);
    progress.clear();
    if (!found.findings.empty()) {
        std::cerr << "error: the schedule that was found is not complete; nothing was written\n";
        for (const std::string& finding : found.findings) std::cerr << "  " << finding << '\n';
        return kExitFailed;
    }
    tell(options, synthesis_json, print_synthesis, found);
    if (found.breaks_bound()) {
        std::cout.flush();
        std::cerr << fmt::format("error: {} cycles are less than the bound, {}\n", found.run.cycles,
                                 found.bound.cycles);
        return kExitFailed;
    }
    return judge(found.run, true);
}

}  // namespace flitscope::cli
