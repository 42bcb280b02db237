// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/limits.h"
#include "models/base/memory.h"
#include "models/base/printable.h"
#include "models/base/rounded.h"
#include "models/config/unit_values.h"
#include "models/performance/wire_budget.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/report/load_curve.h"
#include "testbench/app/report/plot.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/loads.h"
#include "testbench/app/study/saturation.h"
#include "traffic/patterns/load_units.h"

namespace flitscope::cli {
namespace {

struct LoadOptions : Options {
    std::vector<std::string> configs;  // of curves
    std::optional<std::string> rates;  // for a curve: R,R,...; else up to the bound
    std::uint32_t replications = 1;    // runs of each load
    bool by_hops = false;              // latency by distance
    bool quick = false;                // of saturate: coarser goals
};

using study::LoadPoint;
using study::PointStatus;

/// A curve as it was asked for.
struct WantedCurve {
    std::string name;
    Machine machine;  // at the highest load
    std::vector<double> rates;
    std::optional<LoadUnit> unit;  // that these were given in
};

/// The loads that the user asks for.
struct GivenRates {
    std::string place;  ///< to name in findings
    std::vector<double> numbers;
    std::optional<LoadUnit> unit;  ///< none: flits per node and cycle
};

/// `list` without the unit behind some of its numbers, and behind the last; nothing where none is.
std::optional<std::string> without_unit(std::string list, LoadUnit unit) {
    const std::string name = name_of(unit);
    if (list.size() < name.size() || list.substr(list.size() - name.size()) != name) return {};
    for (std::size_t at = list.find(name); at != list.npos; at = list.find(name)) {
        list.erase(at, name.size());
        while (at > 0 && list[at - 1] == ' ') list.erase(--at, 1);
    }
    return list;
}

GivenRates read_rates(const std::string& text) {
    GivenRates given{"--rates " + text, {}, {}};
    constexpr const char* kRemedy =
        "flits per node and cycle, above 0 and up to 1 per plane: --rates 0.1,0.2, or "
        "from:to:step; or with a unit: 1:20:1Gbit/s, 0.01,0.02/ns";
    for (const LoadUnit unit : kLoadUnits) {
        const std::optional<std::string> list = without_unit(text, unit);
        if (!list) continue;
        given.unit = unit;
        given.numbers = read_numbers(
            given.place, *list, "load", [](double load) { return load > 0; }, kRemedy);
        return given;
    }
    given.numbers = read_numbers(
        given.place, text, "load", [](double rate) { return rate > 0 && rate <= kMostPlanes; },
        kRemedy);
    return given;
}

/// Loads in flits per node and cycle, for one configuration.
std::vector<double> in_flits(const GivenRates& given, Config config, const std::string& whose) {
    if (!given.unit) {
        for (const double rate : given.numbers) {
            if (rate <= config.fabric.planes) continue;
            throw ConfigError({given.place, 0, 0},
                              fmt::format("{}a load of {} flits per node and cycle, and a node "
                                          "injects at most {}",
                                          whose, rate, config.fabric.planes),
                              "name lower loads");
        }
        return given.numbers;
    }
    build_budgeted_topology(config);  // which gives flit_bits
    const LoadUnits units(config);
    std::vector<double> rates;
    for (const double number : given.numbers) {
        rates.push_back(units.rate({number, *given.unit}, {given.place, 0, 0}, whose + "a load"));
    }
    return rates;
}

/// Ten loads, equally far from each other, up to a bound: three digits each, none above it.
std::vector<double> usual_rates(double bound) {
    constexpr int kLoads = 10;
    const double digit = std::pow(10, std::floor(std::log10(bound / kLoads)) - 2);
    const double step = std::floor(bound / kLoads / digit * (1 + 1e-9)) * digit;
    std::vector<double> rates;
    for (int i = 1; i <= kLoads; ++i) {
        rates.push_back(std::min(bound, rounded(i * step)));
    }
    return rates;
}

/// Of the runs of a command.
struct RunStatus {
    std::size_t done = 0;
    StatusPace pace;
};

/// `most` as text: the number of runs in the status. `whose`: their owner, if that is not clear.
study::LoadOptions load_options(const LoadOptions& options, RunStatus& status,
                                const std::string& most, const std::string& whose = "") {
    study::LoadOptions loads;
    loads.engine = options.engine;
    loads.processes = processes(options);
    loads.replications = options.replications;
    loads.by_hops = options.by_hops;
    loads.on_run = [&status, most, whose](const LoadPoint& run) {
        ++status.done;
        if (!status.pace.is_due()) return;
        show_status(fmt::format("{} of {}  {}{:.4g} flits/node/cycle: {}", status.done, most, whose,
                                run.rate, name_of(run.status)));
    };
    loads.is_cancelled = is_interrupted;
    return loads;
}

/// The machine at the highest load, with the goal of the runs.
Machine machine_at(Config config, const LoadOptions& options, double most) {
    return build_machine(study::steady_config(std::move(config), options.engine, most));
}

int end_interrupted() {
    clear_status();
    std::cerr << "error: interrupted\n";
    return kExitInterrupted;
}

/// A configuration by the name of its file; by its path if the name is not unique.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
    std::vector<std::string> names;
    for (const std::string& path : paths) names.push_back(std::filesystem::path(path).stem());
    const std::set<std::string> different(names.begin(), names.end());
    return different.size() == names.size() ? names : paths;
}

/// The same for all spellings of a path. Links stay: files that a configuration names are looked up
/// from the folder of the link.
std::filesystem::path whole_path(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(path, failed);
    return (failed ? std::filesystem::path(path) : whole).lexically_normal();
}

/// Rejects a file that is named twice: its two curves could not be distinguished.
void require_different_files(const std::vector<std::string>& paths) {
    std::set<std::filesystem::path> seen;
    for (const std::string& path : paths) {
        if (seen.insert(whole_path(path)).second) continue;
        throw ConfigError({path, 0, 0},
                          "this configuration is given twice; its two curves would be the same",
                          "leave one of them out; --replications measures each load several times");
    }
}

/// The configurations with their loads, all of them sound.
std::vector<WantedCurve> wanted_curves(const LoadOptions& options) {
    require_different_files(options.configs);
    std::optional<GivenRates> rates;
    if (options.rates) rates = read_rates(*options.rates);
    const std::vector<std::string> names = names_of(options.configs);
    std::vector<WantedCurve> wanted;
    for (std::size_t i = 0; i < names.size(); ++i) {
        LoadOptions one = options;
        one.config = options.configs[i];
        const Config config = load_clocked_config(one);
        const std::string whose = names.size() == 1 ? "" : printable(names[i]) + ": ";
        std::vector<double> of_this;
        if (rates) {
            of_this = in_flits(*rates, config, whose);
        } else {
            const double most = study::most_offered(config);
            const double bound = study::load_bound(machine_at(config, options, most));
            of_this = usual_rates(bound);
            std::cerr << fmt::format(
                "note: {}no --rates, so ten loads up to {:.4g}, which saturates the busiest "
                "channel: {}\n",
                whose, bound, fmt::join(of_this, ", "));
        }
        const double highest = of_this.back();
        wanted.push_back({names[i], machine_at(config, options, highest), std::move(of_this),
                          rates ? rates->unit : std::nullopt});
    }
    return wanted;
}

/// Refuses a picture now, not after all runs.
void require_drawable(const LoadOptions& options) {
    if (options.plot.empty()) return;
    if (options.by_hops && options.configs.size() > 1) {
        throw ConfigError({"--plot " + options.plot, 0, 0},
                          "latency by distance is drawn for a single configuration",
                          "leave out --by-hops, or name one");
    }
    std::vector<std::string> suffixes{"_accepted"};
    if (options.by_hops) suffixes.emplace_back("_by_hops");
    plot_at(options.plot, suffixes);
}

std::vector<LoadCurve> measured_curves(const LoadOptions& options,
                                       std::vector<WantedCurve> wanted) {
    std::size_t runs = 0;
    for (const WantedCurve& curve : wanted) runs += curve.rates.size() * options.replications;
    RunStatus status;
    std::vector<LoadCurve> curves;
    for (WantedCurve& curve : wanted) {
        const std::string whose = wanted.size() == 1 ? "" : printable(curve.name) + "  ";
        std::vector<LoadPoint> points =
            measure_loads(curve.machine.config, curve.rates,
                          load_options(options, status, std::to_string(runs), whose));
        curves.push_back({curve.name, std::move(curve.machine), std::move(points), curve.unit});
    }
    return curves;
}

void draw_pictures(const LoadOptions& options, const std::vector<LoadCurve>& curves) {
    if (options.plot.empty()) return;
    draw_curves(options.plot, curves);
    for (const LoadCurve& curve : curves) {
        const std::string left_out = left_out_text(curve.points);
        if (left_out.empty()) continue;
        std::cerr << "note: " << (curves.size() == 1 ? "" : printable(curve.name) + ": ")
                  << "no latency can be drawn at these loads: " << left_out << '\n';
    }
}

/// That of a run that ended so without figures.
int exit_code_of(PointStatus status) {
    const bool is_stuck = status == PointStatus::kDeadlock || status == PointStatus::kTimeout;
    return is_stuck ? kExitDeadlock : kExitFailed;
}

/// The exit code, lost data before deadlocks; throws MemoryError if memory did not suffice for a
/// run.
int exit_code_of(const std::vector<LoadCurve>& curves) {
    int code = kExitOk;
    for (const LoadCurve& curve : curves) {
        for (const LoadPoint& point : curve.points) {
            if (is_out_of_memory(point.problem)) {
                throw MemoryError(fmt::format("the run at {:.4g} flits/node/cycle: {}", point.rate,
                                              point.problem));
            }
            if (!point.is_measured() && code != kExitFailed) code = exit_code_of(point.status);
        }
    }
    if (code != kExitOk) std::cerr << "error: not all loads could be measured\n";
    return code;
}

int curve_command(const LoadOptions& options) {
    std::vector<WantedCurve> wanted = wanted_curves(options);
    require_drawable(options);  // by now what has been read is known
    watch_for_interrupts();
    try {
        const std::vector<LoadCurve> curves = measured_curves(options, std::move(wanted));
        clear_status();
        if (options.csv) {
            (options.by_hops ? write_hops_csv : write_curves_csv)(std::cout, curves);
        } else {
            tell(options, curves_json, print_curves, curves);
        }
        std::cout.flush();
        draw_pictures(options, curves);
        return exit_code_of(curves);
    } catch (const study::Cancelled&) {
        return end_interrupted();
    }
}

int saturate_command(const LoadOptions& options) {
    const Config config = load_clocked_config(options);
    Machine machine = machine_at(config, options, study::most_offered(config));
    watch_for_interrupts();
    RunStatus status;
    study::LoadOptions loads =
        load_options(options, status, fmt::format("at most {}", study::kMostLoads));
    if (options.quick) make_quick(machine.config, loads);
    study::Saturation found;
    try {
        found = find_saturation(machine.config, loads);
    } catch (const study::Cancelled&) {
        return end_interrupted();
    } catch (const study::RunError& error) {
        clear_status();
        std::cerr << "error: " << error.what() << '\n';
        return exit_code_of(error.status);
    } catch (const std::runtime_error&) {
        clear_status();
        throw;
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
    command
        ->add_option("configs", options.configs,
                     "Configuration files (YAML); several give one table each and one picture")
        ->required()
        ->type_name("CONFIG.yaml...");
    add_overrides(*command, options);
    command
        ->add_option("--rates", options.rates,
                     "The loads, in flits per cycle and generating node, e.g. 0.05,0.1,0.2 "
                     "or\n0.05,0.1:0.4:0.1, which are five; or with a unit behind them, payload or "
                     "messages\nof such a node: 1:20:1Gbit/s, 0.01,0.02/ns (default: ten, up to "
                     "the load that\nsaturates the busiest channel)")
        ->type_name("R,R,...");
    command
        ->add_option("--replications", options.replications,
                     "Runs per load, each with its own seed: results are means over them, "
                     "and\npercentiles have confidence intervals; five are a good choice")
        ->check(CLI::Range(1U, 100U))
        ->type_name("N")
        ->capture_default_str();
    command->add_flag("--by-hops", options.by_hops,
                      "Also report latency by distance, the links of a shortest path");
    add_load_options(*command, options);
    add_json(*command, options, "the table");
    command
        ->add_flag("--csv", options.csv,
                   "Print a CSV table, one row per load; with --by-hops per load and "
                   "distance.\nFor several configurations the first column is config")
        ->excludes("--json");
    add_plot(*command, options,
             "latency by load (for several configurations the mean of each), in "
             "FILE_accepted.svg\naccepted by offered load, and with --by-hops in FILE_by_hops.svg "
             "the mean of each\ndistance,");
    command->footer(
        "Each run ends when its mean latency has converged, its backlog is known to grow, "
        "or\nsteady.max_cycles is reached (testbench/app/study/LOADS.md).");
    return make_command(command, given, curve_command);
}

Command add_saturate(CLI::App& app) {
    const auto given = std::make_shared<LoadOptions>();
    LoadOptions& options = *given;
    CLI::App* const command =
        app.add_subcommand("saturate", "Find the load above which the backlog of a pattern grows");
    add_config(*command, options);
    add_load_options(*command, options);
    command->add_flag("--quick", options.quick,
                      "Within 5 % instead of 2 %, from runs of at most 100,000 cycles: about a "
                      "tenth\nof the time");
    add_json(*command, options, "the table");
    return make_command(command, given, saturate_command);
}

}  // namespace flitscope::cli
