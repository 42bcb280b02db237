// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/memory.h"
#include "testbench/build/machine.h"
#include "testbench/cli/command_helpers.h"
#include "testbench/cli/command_table.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/study/loads.h"

namespace flitscope::cli {
namespace {

struct LoadOptions : Options {
    std::string rates;               // of a curve: R,R,...
    std::uint32_t replications = 1;  // runs of each load
    bool by_hops = false;            // latency by distance
};

using study::LoadPoint;

std::vector<double> read_rates(const std::string& text) {
    return read_numbers(
        "--rates " + text, text, "load", [](double rate) { return rate > 0 && rate <= 1; },
        "flits per node and cycle, above 0 and up to 1: --rates 0.1,0.2, or from:to:step");
}

/// `most` in words: of how many runs the status is told.
study::LoadOptions load_options(const LoadOptions& options, std::size_t& done,
                                const std::string& most) {
    study::LoadOptions loads;
    loads.engine = options.engine;
    loads.processes = processes(options);
    loads.replications = options.replications;
    loads.by_hops = options.by_hops;
    loads.on_run = [&done, most](const LoadPoint& run) {
        show_status(fmt::format("{} of {}  {:.4g} flits/node/cycle: {}", ++done, most, run.rate,
                                run.status));
    };
    loads.is_cancelled = is_interrupted;
    return loads;
}

/// The machine at the highest load, with the goal of the runs.
Machine machine_at(Config config, const LoadOptions& options, double most) {
    config = study::steady_config(std::move(config), options.engine, most);
    config.traffic.injection_rate = most;
    return build_machine(config);
}

int interrupted() {
    clear_status();
    std::cerr << "error: interrupted\n";
    return kExitInterrupted;
}

int curve_command(const LoadOptions& options) {
    const std::vector<double> rates = read_rates(options.rates);
    const Machine machine = machine_at(load_clocked_config(options), options, rates.back());
    if (!options.plot.empty()) {  // refused now, not after all runs
        std::vector<std::string> suffixes{"_accepted"};
        if (options.by_hops) suffixes.emplace_back("_by_hops");
        plot_at(options.plot, suffixes);
    }
    watch_for_interrupts();
    std::size_t done = 0;
    std::vector<LoadPoint> points;
    try {
        points = measure_loads(
            machine.config, rates,
            load_options(options, done, std::to_string(rates.size() * options.replications)));
    } catch (const study::Cancelled&) {
        return interrupted();
    }
    clear_status();
    if (options.csv) {
        (options.by_hops ? write_hops_csv : write_curve_csv)(std::cout, points);
    } else {
        tell(options, curve_json, print_curve, machine, points);
    }
    std::cout.flush();
    try {
        if (!options.plot.empty()) {
            draw_curve(options.plot, machine, points);
            if (const std::string left_out = left_out_text(points); !left_out.empty()) {
                std::cerr << "note: no latency is drawn at these loads: " << left_out << '\n';
            }
        }
    } catch (const study::Cancelled&) {
        return interrupted();
    }
    const bool all = std::all_of(points.begin(), points.end(),
                                 [](const LoadPoint& point) { return point.is_measured(); });
    if (all) return kExitOk;
    for (const LoadPoint& point : points) {
        if (is_out_of_memory(point.problem)) {
            throw MemoryError(
                fmt::format("the run at {:.4g} flits/node/cycle: {}", point.rate, point.problem));
        }
    }
    std::cerr << "error: not all loads could be measured\n";
    return kExitFailed;
}

int saturate_command(const LoadOptions& options) {
    const Config config = load_clocked_config(options);
    const Machine machine = machine_at(config, options, study::most_offered(config));
    watch_for_interrupts();
    std::size_t done = 0;
    study::Saturation found;
    try {
        found = find_saturation(
            machine.config,
            load_options(options, done, fmt::format("at most {}", study::kMostLoads)));
    } catch (const study::Cancelled&) {
        return interrupted();
    } catch (const MemoryError&) {
        clear_status();
        throw;
    } catch (const std::runtime_error& error) {
        clear_status();
        std::cerr << "error: " << error.what() << '\n';
        return kExitFailed;
    }
    clear_status();
    tell(options, saturation_json, print_saturation, machine, found);
    return kExitOk;
}

}  // namespace

Command add_curve(CLI::App& app) {
    const auto given = std::make_shared<LoadOptions>();
    LoadOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "curve", "Measure latency and accepted traffic of a pattern at several loads");
    add_config(*command, options);
    command
        ->add_option(
            "--rates", options.rates,
            "The loads, in flits per cycle of each node that generates, e.g. 0.05,0.1,0.2 or\n"
            "0.05,0.1:0.4:0.1, which are five")
        ->required()
        ->type_name("R,R,...");
    command
        ->add_option(
            "--replications", options.replications,
            "Runs of each load, with seeds of their own: figures are means over them, and\n"
            "percentiles have confidence intervals; five are a good choice")
        ->check(CLI::Range(1U, 100U))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--by-hops", options.by_hops,
                      "Tell latency also by distance, the links of a shortest path");
    add_load_options(*command, options);
    add_json(*command, options, "the table");
    command
        ->add_flag("--csv", options.csv,
                   "Print a CSV table, one row per load; with --by-hops per load and distance")
        ->excludes("--json");
    add_plot(
        *command, options,
        "latency by load, in FILE_accepted.svg accepted by offered load, and with --by-hops in\n"
        "FILE_by_hops.svg the mean of each distance,");
    command->footer(
        "Each run goes on until its mean latency is sure enough, its backlog is known to grow, or\n"
        "steady.max_cycles are over (testbench/study/README.md).");
    return make_command(command, given, curve_command);
}

Command add_saturate(CLI::App& app) {
    const auto given = std::make_shared<LoadOptions>();
    LoadOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("saturate", "Find the load above which the backlog of a pattern grows");
    add_config(*command, options);
    add_load_options(*command, options);
    add_json(*command, options, "the table");
    return make_command(command, given, saturate_command);
}

}  // namespace flitscope::cli
