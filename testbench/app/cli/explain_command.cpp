// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/explain_difference.h"
#include "testbench/app/cli/explainable.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/explain/what_if.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/study/loads.h"

namespace flitscope::cli {
namespace {

struct ExplainOptions : Options {
    std::string other;        // file of a second run, to compare with
    std::uint32_t tries = 0;  // changes to simulate
    bool slack = false;       // slack of every step of a node, or operation, as CSV
};

/// A router of a configuration that is not synthesized; empty if all are, or cannot be.
std::string unsynthesized_router(const Config& config) {
    try {
        return flitscope::unsynthesized_router(routers_of(config), config.technology);
    } catch (const ConfigError&) {
        return "";
    }
}

/// The trace of a machine, which may be large, for one that differs by a key: a change of the
/// hardware at the same clock leaves its ranks as they are. Null: another program.
std::shared_ptr<const Program> same_trace(const Machine& machine, const Config& changed,
                                          const std::string& change) {
    const bool is_of_ranks =
        machine.program->operations != nullptr && !changed.traffic.trace.file.empty();
    const bool is_same = change.rfind("traffic.", 0) != 0 &&
                         change.rfind("fabric.topology", 0) != 0 &&
                         changed.clock_ns == machine.config.clock_ns;
    return is_of_ranks && is_same ? machine.program : nullptr;
}

/// The machine of the command line, `machine`, with one more key set. `tells_time`: its router is
/// synthesized, so nanoseconds are of interest.
ChangedMachine changed_machine(const ExplainOptions& options, const Machine& machine,
                               const std::string& change, bool tells_time) {
    ChangedMachine changed;
    std::vector<std::string> overrides = options.overrides;
    overrides.push_back(change);
    Config config = load_config(options.config, overrides);
    if (tells_time) {
        changed.unsynthesized = unsynthesized_router(config);
        const bool follows = config.clock_is_synthesized || config.wires_need_synthesis();
        if (follows && !changed.unsynthesized.empty()) return changed;
    }
    resolve_synthesized(config);
    if (config.traffic.share_of_saturation) {  // the load stays that of the machine
        config = study::at_rate(std::move(config), machine.config.traffic.injection_rate);
    }
    std::shared_ptr<const Program> program = same_trace(machine, config, change);
    changed.machine = build_machine(std::move(config), std::move(program));
    return changed;
}

/// The cycles that a changed machine gains; nothing if it cannot be run, or does not complete.
std::optional<std::int64_t> gain(const ExplainOptions& options, const SimulationOptions& simulation,
                                 Cycle makespan, const Machine& changed, bool& is_interrupted) {
    if (is_interrupted) return {};
    try {
        const FreshKernel kernel;
        const SimulationResult run = simulate(changed, options.engine, simulation);
        is_interrupted = run.verdict == Verdict::kInterrupted;
        if (run.verdict != Verdict::kComplete) return {};
        return static_cast<std::int64_t>(makespan) -
               static_cast<std::int64_t>(explained_cycles(run));
    } catch (const ConfigError&) {
        return {};  // not by this engine
    }
}

/// Explains where the packets of a pattern spend their cycles.
int explain_pattern(const ExplainOptions& options, const Machine& machine) {
    if (options.tries != 0 || options.slack) {
        throw ConfigError(machine.config.where("traffic.pattern"),
                          "a pattern has neither a makespan nor steps",
                          "leave out --try and --slack, or explain a schedule or a program");
    }
    ProgressLine progress(shows_progress(options));
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

int explain_command(const ExplainOptions& options) {
    if (!options.other.empty()) return explain_difference(options, options.other);
    const Machine machine = load_machine(options);
    require_explained_events(machine);
    if (machine.pattern != nullptr) return explain_pattern(options, machine);
    require_program(machine);
    if (options.slack && !can_have_slack(*machine.program)) {
        throw ConfigError(machine.config.where("traffic"),
                          fmt::format("slack is found of at most {} operations, and {} has {}",
                                      kMostOperationsWithSlack, machine.traffic_name(),
                                      machine.program->operations->size()),
                          "leave out --slack: the table of ranks says how long each waits");
    }
    ProgressLine progress(shows_progress(options));
    watch_for_interrupts();
    SimulationOptions simulation;
    simulation.on_progress = show_until_interrupted(progress);
    Explanation explanation;
    {
        const FreshKernel kernel;
        const bool with_slack = options.slack || has_slack_unasked(*machine.program);
        explanation = explain(machine, options.engine, simulation, with_slack);
    }
    std::vector<WhatIf> changes;
    bool is_interrupted = false;
    if (explanation.run.verdict == Verdict::kComplete) {
        const bool tells_time = router_cost(machine).has_value();
        changes = what_if(
            machine, explanation,
            [&](const std::string& change) {
                return changed_machine(options, machine, change, tells_time);
            },
            options.tries,
            [&](const Machine& changed) {
                return gain(options, simulation, explanation.path.cycles, changed, is_interrupted);
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

}  // namespace

Command add_explain(CLI::App& app) {
    const auto given = std::make_shared<ExplainOptions>();
    ExplainOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("explain",
                           "Explain a run: critical path of a program, latency breakdown of a "
                           "pattern; or the\ndifference of two runs");
    add_config(*command, options);
    CLI::Option* const other =
        command
            ->add_option("other", options.other,
                         "Another configuration: explain where the difference of both runs lies.\n"
                         "--set applies to both")
            ->type_name("OTHER.yaml")
            ->check(CLI::Validator(
                [](const std::string& word) {
                    const bool is_override =
                        word.find('=') != word.npos && word.find(".yaml") == word.npos;
                    return is_override ? "'" + word + "' (each --set takes one KEY=VALUE)" : "";
                },
                ""));
    add_engine(*command, options);
    CLI::Option* const tries =
        command
            ->add_option("--try,--verify", options.tries,
                         "Simulate the N most promising changes and report their gains")
            ->type_name("N")
            ->excludes(other);
    add_json(*command, options, "the summary");
    CLI::Option* const path_csv =
        command->add_flag("--csv", options.csv, "Print the critical path as CSV, a row per segment")
            ->excludes("--json")
            ->excludes(tries);
    command
        ->add_flag("--slack", options.slack,
                   "Print slack as CSV: by how many cycles each step of each node can be delayed,\n"
                   "or each operation of a rank can take longer")
        ->excludes("--json")
        ->excludes(path_csv)
        ->excludes(tries)
        ->excludes(other);
    add_progress(*command, options);
    command->footer(
        "The critical path leads from the last delivery back to the start, or from the end of the\n"
        "last rank of a trace or a kernel; each of its cycles has one cause "
        "(testbench/app/explain).\nIt is the same for all engines. --try and --slack are for "
        "programs; for a pattern --csv\nprints the cycles of all packets by channel and cause, "
        "and for two runs a row for every\nfigure of both.");
    return make_command(command, given, explain_command);
}

}  // namespace flitscope::cli
