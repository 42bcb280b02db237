// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/configuration/configuration.h"
#include "testbench/explain/explanation.h"
#include "testbench/explain/packet_delays.h"
#include "testbench/explain/what_if.h"
#include "testbench/report/report.h"
#include "testbench/run/fresh_kernel.h"
#include "testbench/run/simulation.h"

namespace flitscope::cli {
namespace {

/// The machine of the command line with one more key set.
Machine changed_machine(const Options& options, const std::string& change) {
    Options changed = options;
    changed.overrides.push_back(change);
    return build_machine(load_clocked_config(changed));
}

/// The cycles that a changed machine gains; nothing where it cannot be run, or does not complete.
std::optional<std::int64_t> gain(const Options& options, const SimulationOptions& simulation,
                                 Cycle makespan, const Machine& changed, bool& is_interrupted) {
    if (is_interrupted) return {};
    try {
        const FreshKernel kernel;
        const SimulationResult run = simulate(changed, options.engine, simulation);
        is_interrupted = run.verdict == Verdict::kInterrupted;
        if (run.verdict != Verdict::kComplete) return {};
        return static_cast<std::int64_t>(makespan) - static_cast<std::int64_t>(run.cycles);
    } catch (const ConfigError&) {
        return {};  // not by this engine
    }
}

/// Where the packets of a pattern spend their cycles.
int explain_pattern(const Options& options, const Machine& machine) {
    if (options.verify != 0 || options.slack) {
        throw ConfigError(machine.config.where("traffic.pattern"),
                          "a pattern has neither a makespan to be shortened nor steps",
                          "leave out --verify and --slack, or explain a schedule or a program");
    }
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.on_progress = show_until_interrupted(progress);
    const ExplainedTraffic explained = explain_traffic(machine, options.engine, simulation);
    progress.clear();
    if (options.csv) {
        write_delays_csv(std::cout, machine, explained);
    } else {
        tell(options, delays_json, print_delays, machine, explained);
    }
    return judge(explained.run, true);
}

}  // namespace

namespace {

void require_one_class(const Machine& machine) {
    if (!machine.config.fabric.has_classes()) return;
    throw ConfigError(machine.config.where("fabric.classes"),
                      "what messages of several classes wait for is not explained: a node sends "
                      "them by turns and priorities, not in their order",
                      "flitscope run gives the latency of each class");
}

void require_no_losses(const Machine& machine) {
    if (machine.later == nullptr && !machine.config.node.retransmit) return;
    throw ConfigError(
        machine.config.where(machine.later != nullptr ? "faults.at" : "node.retransmit"),
        "where packets are lost or sent again it is not explained what waited for what: events are "
        "missing from the chain",
        machine.later != nullptr ? "set faults.at: 0" : "remove the section node.retransmit");
}

}  // namespace

void require_program(const Machine& machine) {
    require_traffic(machine);
    require_one_class(machine);
    require_no_losses(machine);
    if (has_explained_program(machine)) return;
    if (machine.program) {
        throw ConfigError(machine.config.where("traffic"),
                          "the makespan of operations is not explained: nodes compute between "
                          "what they send and receive",
                          "flitscope run says when each rank has finished");
    }
    throw ConfigError(machine.config.where("traffic.pattern"),
                      "a pattern has no makespan to be explained",
                      "flitscope explain says where its packets spend their cycles");
}

bool has_explained_program(const Machine& machine) {
    return machine.program != nullptr && machine.program->operations == nullptr &&
           machine.later == nullptr && !machine.config.node.retransmit;
}

int explain_command(const Options& options) {
    const Machine machine = build_machine(load_clocked_config(options));
    require_traffic(machine);
    require_one_class(machine);
    require_no_losses(machine);
    if (machine.pattern != nullptr) return explain_pattern(options, machine);
    require_program(machine);
    ProgressLine progress(options.progress || isatty(STDERR_FILENO) != 0);
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.on_progress = show_until_interrupted(progress);
    Explanation explanation;
    {
        const FreshKernel kernel;
        explanation = explain(machine, options.engine, simulation, true);
    }
    std::vector<WhatIf> changes;
    bool is_interrupted = false;
    if (explanation.run.verdict == Verdict::kComplete) {
        changes = what_if(
            machine, explanation,
            [&](const std::string& change) { return changed_machine(options, change); },
            options.verify,
            [&](const Machine& changed) {
                return gain(options, simulation, explanation.run.cycles, changed, is_interrupted);
            });
    }
    progress.clear();
    if (options.csv) {
        write_path_csv(std::cout, machine, explanation);
    } else if (options.slack) {
        write_slack_csv(std::cout, machine, explanation);
    } else {
        tell(options, explain_json, print_explain, machine, explanation, changes);
    }
    std::cout.flush();
    if (is_interrupted) {
        std::cerr << "error: interrupted\n";
        return kExitInterrupted;
    }
    return judge(explanation.run, true);
}

}  // namespace flitscope::cli
