// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/explain_difference.h"

#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "models/base/printable.h"
#include "models/base/shell_word.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/explainable.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/explain/explained_difference.h"
#include "testbench/app/explain/explained_fabric.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/report/report_explained_difference.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"

namespace flitscope::cli {
namespace {

/// A run to compare: completed and explained. One of both explanations is there.
struct Explained {
    std::optional<Explanation> program;
    std::optional<ExplainedTraffic> pattern;

    const SimulationResult& run() const { return program ? program->run : pattern->run; }
};

Explained explained_run(const Machine& machine, const Options& options,
                        SimulationOptions simulation) {
    Explained explained;
    if (machine.pattern != nullptr) {
        explained.pattern = explain_traffic(machine, options.engine, simulation);
        return explained;
    }
    simulation.count_blocked = true;
    const FreshKernel kernel;
    explained.program = explain(machine, options.engine, simulation, true);
    return explained;
}

/// The exit code of a run; says why one that did not complete is not compared.
int judge_compared(const std::string& config, const SimulationResult& run) {
    if (run.verdict != Verdict::kComplete && run.verdict != Verdict::kInterrupted) {
        std::cerr << fmt::format(
            "error: {}: a run that does not complete is not compared "
            "(flitscope explain {} says how far it came)\n",
            printable(config), typed_word(config));
    }
    return judge(run, true);
}

void require_comparable(const Options& options, const Options& others, const Machine& first,
                        const Machine& second) {
    for (const Machine* machine : {&first, &second}) {
        require_explained_events(*machine);
        require_explained_fabric(machine->config, "explain");
        if (machine->pattern == nullptr) require_program(*machine);
    }
    if ((first.pattern == nullptr) == (second.pattern == nullptr)) return;
    const bool is_first = first.pattern != nullptr;
    throw ConfigError(
        (is_first ? first : second).config.where("traffic.pattern"),
        fmt::format("{} is a pattern and {} a program: a mean latency and a makespan have no "
                    "difference",
                    is_first ? options.config : others.config,
                    is_first ? others.config : options.config),
        "compare two programs, or two patterns");
}

void require_packets(const Machine& machine, const Explained& explained) {
    if (!explained.pattern || explained.pattern->delays.all.packets != 0) return;
    throw ConfigError(machine.config.where("traffic.pattern"),
                      "no packet that counts was delivered, so there is nothing to compare",
                      "raise traffic.measure_cycles, or the load");
}

}  // namespace

int explain_difference(const Options& options, const std::string& other) {
    Options others = options;
    others.config = other;
    const Machine first_machine = load_machine(options);
    const Machine second_machine = load_machine(others);
    require_comparable(options, others, first_machine, second_machine);
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.on_progress = show_until_interrupted(progress);
    const Explained first = explained_run(first_machine, options, simulation);
    progress.clear();
    if (const int code = judge_compared(options.config, first.run()); code != kExitOk) return code;
    require_packets(first_machine, first);
    const Explained second = explained_run(second_machine, options, simulation);
    progress.clear();
    if (const int code = judge_compared(others.config, second.run()); code != kExitOk) return code;
    require_packets(second_machine, second);
    const ExplainedDifference all =
        first.program ? difference(first_machine, *first.program, second_machine, *second.program)
                      : difference(first_machine, *first.pattern, second_machine, *second.pattern);
    if (options.csv) {
        write_explained_difference_csv(std::cout, all);
    } else {
        tell(options, explained_difference_json, print_explained_difference,
             ComparedRun{options.config, first_machine, first.run()},
             ComparedRun{others.config, second_machine, second.run()}, all);
    }
    return kExitOk;
}

}  // namespace flitscope::cli
