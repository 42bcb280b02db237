// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "testbench/build/machine.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/new_folder.h"
#include "testbench/cli/progress_line.h"
#include "testbench/export/replay.h"
#include "testbench/export/rtl_export.h"
#include "testbench/run/simulation.h"

namespace flitscope::cli {

int export_command(const Options& options) {
    const Machine machine = build_machine(load_clocked_config(options));
    require_traffic(machine);
    require_rtl(machine);
    NewFolder folder("--rtl", options.export_to);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.keep_modules = true;  // this process runs once
    simulation.on_progress = show_until_interrupted(progress);
    Replay replay;
    const SimulationResult result = record_replay(machine, simulation, replay);
    progress.clear();
    if (result.verdict != Verdict::kComplete) return judge(result, true);
    for (const ExportedFile& file : rtl_files(machine, replay)) folder.write(file.path, file.text);
    folder.finish();
    std::cout << fmt::format(
        "{}: {} routers, {} links, and a test bench with {} packets of {} flits in {} cycles\n"
        "how to lint, simulate and synthesize it: {}/README.md\n",
        options.export_to, machine.graph.node_count(), machine.graph.link_count(), replay.packets,
        replay.injected.size(), result.cycles, options.export_to);
    return kExitOk;
}

}  // namespace flitscope::cli
