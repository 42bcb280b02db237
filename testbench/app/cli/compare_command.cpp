// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/base/printable.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/report/comparison.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"

namespace flitscope::cli {
namespace {

struct CompareOptions : Options {
    std::vector<std::string> configs;
    std::uint32_t nodes = 0;  // nodes of the usual networks, instead
    bool runs = false;        // their traffic is simulated
    bool energy = false;
};

/// Prices of several technologies in one table would be taken for those of networks.
void require_one_technology(const std::vector<Contender>& contenders) {
    for (const Contender& contender : contenders) {
        const TechnologyConfig& first = contenders.front().config.technology;
        const TechnologyConfig& own = contender.config.technology;
        if (own == first) continue;
        throw ConfigError(contender.config.where("technology"),
                          fmt::format("the networks are in different technologies: {}, and {}",
                                      first.text(), own.text()),
                          "--liberty, --corner, --wires and --clock-gates give all of them one");
    }
}

/// The contenders whose configurations can be read.
std::vector<Contender> contenders(const CompareOptions& options,
                                  std::vector<Diagnostic>& findings) {
    std::vector<Contender> result;
    if (options.nodes != 0) {
        goes_well(findings, [&] { result = usual_networks(options.nodes, options.overrides); });
    }
    for (const std::string& path : options.configs) {
        goes_well(findings, [&] {
            result.push_back({std::filesystem::path(path).stem().string(),
                              load_config(path, options.overrides)});
        });
    }
    goes_well(findings, [&] { require_one_technology(result); });
    return result;
}

/// The figures that configurations take from their routers. Without runs the clock matters only for
/// wires, so no other router need have been synthesized. If only the clock is missing, the machine
/// can still be built, to find out what else is missing.
std::vector<Contender> resolved(std::vector<Contender> contenders, bool runs,
                                std::vector<Diagnostic>& findings) {
    std::vector<Contender> result;
    for (Contender& contender : contenders) {
        if (!goes_well(findings, [&] { require_technology(contender.config); })) continue;
        const bool needs_wires = contender.config.wires_need_synthesis();
        const bool is_known = (!runs && !needs_wires) ||
                              goes_well(findings, [&] { resolve_synthesized(contender.config); });
        if (is_known || !needs_wires) result.push_back(std::move(contender));
    }
    return result;
}

/// The user has interrupted.
struct Interrupted {};

/// Simulates networks as `run` does.
class Runs {
public:
    explicit Runs(const CompareOptions& options) : options_(options) {
        runs_.require = [this](const Machine& machine) {
            std::vector<Diagnostic> findings;
            if (goes_well(findings, [&] { require_traffic(machine); })) {
                goes_well(findings, [&] { choose_engine(machine, options_.engine); });
            }
            goes_well(findings, [&] { require_deadlock_freedom(machine); });
            if (options_.energy) goes_well(findings, [&] { require_router_energy(machine); });
            if (!findings.empty()) throw ConfigError(std::move(findings));
            require_runnable(machine);  // which may have routers verilated
        };
        runs_.simulate = [this](const std::string& name, const Machine& machine) {
            return simulate_network(name, machine);
        };
        watch_for_interrupts();
    }
    const ComparedRuns& runs() const { return runs_; }
    /// The exit code of the run that ended worst.
    int exit_code() const { return exit_code_; }

private:
    SimulationResult simulate_network(const std::string& name, const Machine& machine) {
        const FreshKernel kernel;
        ProgressLine progress(shows_progress(options_));
        SimulationOptions simulation;
        simulation.count_sendings = options_.energy;
        simulation.on_progress = show_until_interrupted(progress);
        SimulationResult result = simulate(machine, options_.engine, simulation);
        progress.clear();
        if (result.verdict == Verdict::kInterrupted) throw Interrupted();
        if (result.verdict != Verdict::kComplete) {
            std::cerr << "error: " << name << ": " << name_of(result.verdict) << '\n';
            for (const std::string& text : result.problems) std::cerr << "  " << text << '\n';
        }
        exit_code_ = std::max(exit_code_, cli::exit_code(result.verdict));
        return result;
    }

    const CompareOptions& options_;
    ComparedRuns runs_;
    int exit_code_ = kExitOk;
};

void tell_comparison(const CompareOptions& options, const Comparison& comparison) {
    const Json& rows = comparison.rows;
    std::vector<std::string> left_out;
    for (const Diagnostic& finding : comparison.left_out) {
        left_out.push_back(printable(finding.what));
    }
    if (options.json) {
        const Json json = {{"version", version()}, {"networks", rows}, {"left_out", left_out}};
        std::cout << json_text(json) << '\n';
        return;
    }
    if (options.csv) {
        write_comparison_csv(std::cout, rows);
    } else {
        print_whole(print_comparison, rows);
    }
    for (const std::string& reason : left_out) std::cerr << "note: left out: " << reason << '\n';
}

int compare_command(const CompareOptions& options) {
    if (options.nodes == 0 && options.configs.empty()) {
        throw ConfigError({"compare", 0, 0}, "nothing to compare",
                          "name configuration files, or a number of nodes with --nodes");
    }
    std::vector<Diagnostic> findings;
    std::vector<Contender> networks =
        resolved(contenders(options, findings), options.runs, findings);
    if (!options.runs) {
        tell_comparison(options, compare_networks(std::move(networks), std::move(findings)));
        return kExitOk;
    }
    Runs runs(options);
    try {
        tell_comparison(options,
                        compare_networks(std::move(networks), std::move(findings), &runs.runs()));
    } catch (const Interrupted&) {
        std::cerr << "error: interrupted\n";
        return kExitInterrupted;
    }
    return runs.exit_code();
}

}  // namespace

Command add_compare(CLI::App& app) {
    const auto given = std::make_shared<CompareOptions>();
    CompareOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "compare", "Compare networks side by side: distance, bisection, wire, layout, routers");
    CLI::Option* configs =
        command->add_option("configs", options.configs, "Configuration files (YAML)")
            ->type_name("CONFIG.yaml...");
    command
        ->add_option(
            "--nodes", options.nodes,
            "Compare the usual networks of N nodes: mesh, torus, hypercube, ghc, how and\nexpress "
            "mesh, as far as they exist for this number, fit into a budget and have\nat most 2^24 "
            "ports; grids also with routers of 2 x 2 nodes (2 x 2 x 2 in three\ndimensions)")
        ->check(CLI::Range(2U, kMaxNodes))
        ->type_name("N")
        ->excludes(configs);
    add_overrides(*command, options);
    add_technology(*command, options);
    add_json(*command, options, "the table");
    command->add_flag("--csv", options.csv, "Print a CSV table, one row per network")
        ->excludes("--json");
    CLI::Option* const run =
        command->add_flag("--run", options.runs,
                          "Also simulate the traffic of each: cycles, time and latency; with "
                          "clock_ns: synth\nin the time of the synthesized routers");
    command
        ->add_flag("--energy", options.energy,
                   "Report the energy of each run, from the results of flitscope synth --energy")
        ->needs(run);
    add_engine(*command, options);
    add_progress(*command, options);
    for (const char* const of_runs : {"--engine", "--no-verilate", "--progress"}) {
        command->get_option(of_runs)->needs(run);
    }
    command->footer(
        "--set fabric.pin_budget=N or fabric.bisection_budget=N compares at equal cost. "
        "Routers\nhave an area and a period if flitscope synth has run for them. With --run the "
        "exit\ncode is that of the worst run.");
    return make_command(command, given, compare_command);
}

}  // namespace flitscope::cli
