// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/memory.h"
#include "testbench/build/machine.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/interrupts.h"
#include "testbench/cli/progress_line.h"
#include "testbench/configuration/configuration.h"
#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/study/loads.h"

namespace flitscope::cli {
namespace {

using study::LoadPoint;

std::vector<double> read_rates(const std::string& text) {
    return read_numbers(
        "--rates " + text, text, "load", [](double rate) { return rate > 0 && rate <= 1; },
        "flits per node and cycle, above 0 and up to 1: --rates 0.1,0.2");
}

/// `most` in words: of how many runs the status is told.
study::LoadOptions load_options(const Options& options, std::size_t& done,
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
Machine machine_at(Config config, const Options& options, double most) {
    config = study::steady_config(std::move(config), options.engine, most);
    config.traffic.injection_rate = most;
    return build_machine(config);
}

int interrupted() {
    clear_status();
    std::cerr << "error: interrupted\n";
    return kExitInterrupted;
}

}  // namespace

int curve_command(const Options& options) {
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
    if (!options.plot.empty()) draw_curve(options.plot, machine, points);
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

int saturate_command(const Options& options) {
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

}  // namespace flitscope::cli
