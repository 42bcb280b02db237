// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/base/stopwatch.h"
#include "models/config/config.h"
#include "testbench/app/cli/command_helpers.h"
#include "testbench/app/cli/command_table.h"
#include "testbench/app/cli/interrupts.h"
#include "testbench/app/cli/progress_line.h"
#include "testbench/app/cli/unquoted.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/energy_report.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/router_estimate.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/gate_synthesis/synthesis_report.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/syntheses.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::cli {
namespace {

struct SynthOptions : Options {
    std::vector<std::string> sweeps;  // KEY=VALUE,VALUE,...: every combination
    double period_ns = 4.0;
    double activity = 0.2;
    bool energy = false;
    bool estimate = false;  // no tools are run
    bool full = false;      // routers with all ports and turns
    bool markdown = false;
};

/// One way of setting the keys that are swept: overrides as for --set.
using Combination = std::vector<std::string>;

/// The values between commas; those in brackets, braces and quotes belong to a value.
std::vector<std::string> split_values(const std::string& text) {
    std::vector<std::string> values;
    std::size_t begin = 0;
    std::size_t depth = 0;
    visit_unquoted(text, [&](std::size_t place) {
        const char c = text[place];
        if (c == '[' || c == '{') {
            ++depth;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        } else if (c == ',' && depth == 0) {
            values.push_back(text.substr(begin, place - begin));
            begin = place + 1;
        }
    });
    values.push_back(text.substr(begin));
    return values;
}

std::vector<Combination> combinations(const std::vector<std::string>& sweeps) {
    std::vector<Combination> all(1);
    for (const std::string& sweep : sweeps) {
        const std::size_t equals = sweep.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == sweep.size()) {
            throw ConfigError({"--sweep " + sweep, 0, 0}, "this is not a key with its values",
                              "write KEY=VALUE,VALUE,...");
        }
        std::vector<Combination> longer;
        for (const Combination& before : all) {
            for (const std::string& value : split_values(sweep.substr(equals + 1))) {
                longer.push_back(before);
                longer.back().push_back(sweep.substr(0, equals + 1) + value);
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// What `find` finds of a combination, whose part in what is wrong is said of --sweep.
template <class Find>
auto found_of(const SynthOptions& options, const Combination& combination, const Find& find) {
    std::vector<std::string> overrides = options.overrides;
    overrides.insert(overrides.end(), combination.begin(), combination.end());
    try {
        return find(load_config(options.config, overrides));
    } catch (const ConfigError& error) {
        std::vector<Diagnostic> findings = error.findings();
        for (Diagnostic& finding : findings) {
            for (const std::string& swept : combination) {
                if (finding.where.source == "--set " + swept) {
                    finding.where.source = "--sweep " + swept;
                }
            }
        }
        throw ConfigError(std::move(findings));
    }
}

/// The routers of one combination.
struct Fabric {
    std::string name;  ///< of the combination: the values that are swept
    hw::BuiltRouters routers;
};

/// One kind in place of several: the router with all ports and turns.
hw::BuiltRouters full_routers(hw::BuiltRouters routers) {
    hw::BuiltRouters full(routers.begin(), routers.begin() + 1);
    full.front().variant.turns.clear();
    full.front().count = 0;
    for (const hw::BuiltRouter& kind : routers) full.front().count += kind.count;
    return full;
}

/// Every configuration is checked before the first router is synthesized.
std::vector<Fabric> fabrics_of(const SynthOptions& options) {
    std::vector<Fabric> fabrics;
    for (const Combination& combination : combinations(options.sweeps)) {
        hw::BuiltRouters routers = found_of(options, combination, routers_of);
        if (options.full) routers = full_routers(std::move(routers));
        fabrics.push_back({fmt::format("{}", fmt::join(combination, ", ")), std::move(routers)});
    }
    return fabrics;
}

/// The variants of all fabrics, each once.
std::vector<hw::RtlVariant> variants_of(const std::vector<Fabric>& fabrics) {
    std::vector<hw::RtlVariant> variants;
    for (const Fabric& fabric : fabrics) {
        for (const hw::BuiltRouter& kind : fabric.routers) {
            const bool known =
                std::any_of(variants.begin(), variants.end(),
                            [&](const auto& other) { return other.name() == kind.variant.name(); });
            if (!known) variants.push_back(kind.variant);
        }
    }
    return variants;
}

RoutersCost cost_of(const Fabric& fabric, const std::vector<SynthesisResult>& results) {
    std::vector<RoutersCost::Kind> kinds;
    for (const hw::BuiltRouter& kind : fabric.routers) {
        const auto it = std::find_if(results.begin(), results.end(), [&](const auto& result) {
            return result.variant.name() == kind.variant.name();
        });
        kinds.push_back({kind.count, *it});
    }
    return ::flitscope::cost_of(std::move(kinds));
}

void print_fabrics(std::ostream& out, const std::vector<Fabric>& fabrics,
                   const std::vector<SynthesisResult>& results) {
    for (const Fabric& fabric : fabrics) {
        const RoutersCost cost = cost_of(fabric, results);
        out << fmt::format("  {}all routers: {:.2f} mm2, {:.2f} ns: {}\n",
                           fabric.name.empty() ? "" : fabric.name + ", ",
                           cost.area_um2 / kUm2PerMm2, cost.min_period_ns, kinds_text(cost));
    }
}

Json fabrics_json(const std::vector<Fabric>& fabrics, const std::vector<SynthesisResult>& results) {
    Json all = Json::array();
    for (const Fabric& fabric : fabrics) {
        const RoutersCost cost = cost_of(fabric, results);
        Json kinds = Json::array();
        for (const auto& [count, one] : cost.kinds) {
            kinds.push_back({{"variant", one.variant.name()}, {"count", count}});
        }
        all.push_back({{"swept", fabric.name},
                       {"routers", std::move(kinds)},
                       {"area_um2", cost.area_um2},
                       {"min_period_ns", cost.min_period_ns},
                       {"power_mw", cost.power_mw}});
    }
    return all;
}

/// What is known, and estimates of the others.
std::vector<SynthesisResult> estimates(const std::vector<hw::RtlVariant>& variants,
                                       const SynthesisConditions& conditions) {
    std::vector<SynthesisResult> results;
    for (const hw::RtlVariant& variant : variants) {
        std::optional<SynthesisResult> result = cached_synthesis(variant, conditions);
        if (!result) {
            const RouterEstimator estimator(known_routers_like(variant, conditions));
            result = estimator.estimate(variant);
            if (!result) {
                throw ConfigError({"--estimate", 0, 0},
                                  fmt::format("{} cannot be estimated: under these conditions {}",
                                              variant.name(), estimator.obstacle(variant)),
                                  "run flitscope synth --sweep without --estimate for smaller and "
                                  "larger routers");
            }
        }
        results.push_back(*std::move(result));
    }
    return results;
}

void find_one(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
              const SynthOptions& options) {
    synthesize(variant, conditions);
    if (options.energy) router_energy(variant, conditions);
}

/// Synthesizes several at a time; their results are in the cache afterwards.
void synthesize_many(const std::vector<hw::RtlVariant>& variants,
                     const SynthesisConditions& conditions, const SynthOptions& options) {
    watch_for_interrupts();
    StatusPace pace;
    const Stopwatch watch;
    std::vector<std::string> names;
    for (const hw::RtlVariant& variant : variants) names.push_back(variant.name());
    const auto problems = study::synthesize_all(
        names,
        [&](const std::string& name) {
            find_one(*hw::parse_rtl_variant(name), conditions, options);
        },
        {processes(options), is_interrupted, [&](std::size_t done, std::size_t total) {
             if (!pace.is_due()) return;
             show_status(
                 fmt::format("{} of {} synthesized, {:.0f} s", done, total, watch.seconds()));
         }});
    clear_status();
    if (problems.empty()) return;
    const auto& [name, problem] = *problems.begin();
    // Here again for the kind of the error, of which another process has left the words alone.
    find_one(*hw::parse_rtl_variant(name), conditions, options);
    throw std::runtime_error(problem);
}

/// Shows the stage that the only synthesis is at: the next one, and on a terminal how long it
/// takes.
SynthesisCallback stage_shower() {
    const bool is_terminal = isatty(STDERR_FILENO) != 0;
    return [is_terminal, shown = std::string()](const SynthesisProgress& progress) mutable {
        if (is_terminal || progress.stage != shown) {
            show_status(fmt::format("{}: {}, {:.0f} s", progress.variant, progress.stage,
                                    progress.seconds));
            shown = progress.stage;
        }
        return true;
    };
}

bool is_known(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
              const SynthOptions& options) {
    return cached_synthesis(variant, conditions) &&
           (!options.energy || cached_router_energy(variant, conditions));
}

/// The figures of all, and their energies if requested.
void find_all(const std::vector<hw::RtlVariant>& variants, const SynthesisConditions& conditions,
              const SynthOptions& options, std::vector<SynthesisResult>& results,
              std::vector<EnergyOfVariant>& energies) {
    std::vector<hw::RtlVariant> missing;
    std::copy_if(variants.begin(), variants.end(), std::back_inserter(missing),
                 [&](const auto& variant) { return !is_known(variant, conditions, options); });
    if (missing.size() > 1) synthesize_many(missing, conditions, options);
    for (const hw::RtlVariant& variant : variants) {
        const SynthesisCallback show = stage_shower();
        results.push_back(synthesize(variant, conditions, show));
        if (options.energy) {
            energies.push_back({variant, router_energy(variant, conditions, show)});
        }
        for (const hw::RtlVariant& one : missing) {
            if (one.name() != variant.name()) continue;
            results.back().from_cache = false;
            if (options.energy) energies.back().energy.from_cache = false;
        }
    }
}

/// The links of all combinations, each variant once.
std::vector<LinkVariant> links_of_all(const SynthOptions& options) {
    std::map<std::string, LinkVariant> links;
    for (const Combination& combination : combinations(options.sweeps)) {
        for (const LinkVariant& variant : found_of(options, combination, links_of).variants()) {
            links.emplace(variant.name(), variant);
        }
    }
    std::vector<LinkVariant> all;
    for (const auto& [name, variant] : links) all.push_back(variant);
    return all;
}

/// The technology of all combinations. Throws ConfigError as require_technology() does, and if
/// there are several: figures in one table are in one technology.
TechnologyConfig only_technology(const SynthOptions& options) {
    std::optional<TechnologyConfig> only;
    for (const Combination& combination : combinations(options.sweeps)) {
        found_of(options, combination, [&](const Config& config) {
            require_technology(config);
            if (!only) only = config.technology;
            if (config.technology == *only) return true;
            throw ConfigError(config.where("technology"),
                              fmt::format("two technologies in one table: {}, and {}", only->text(),
                                          config.technology.text()),
                              "run flitscope synth for each of them");
        });
    }
    return *only;
}

int synth_command(const SynthOptions& options) {
    const std::vector<Fabric> fabrics = fabrics_of(options);
    const std::vector<hw::RtlVariant> variants = variants_of(fabrics);
    if (options.energy) {  // before anything is synthesized
        for (const hw::RtlVariant& variant : variants) require_energies_of(variant);
    }
    SynthesisConditions conditions = only_technology(options);
    conditions.period_ns = options.period_ns;
    conditions.input_activity = options.activity;
    std::vector<SynthesisResult> results;
    std::vector<EnergyOfVariant> energies;
    std::vector<LinkArea> links;
    try {
        if (options.estimate) {
            results = estimates(variants, conditions);
        } else {
            find_all(variants, conditions, options, results, energies);
        }
        if (!options.estimate) {
            for (const LinkVariant& variant : links_of_all(options)) {
                links.push_back({variant, synthesize_link(variant, conditions)});
            }
        }
        clear_status();
    } catch (const SynthesisInterrupted& e) {
        clear_status();
        std::cerr << "error: " << e.what() << '\n';
        return kExitInterrupted;
    } catch (const study::Cancelled&) {
        clear_status();
        std::cerr << "error: interrupted; finished syntheses are kept\n";
        return kExitInterrupted;
    } catch (...) {
        clear_status();
        throw;
    }
    if (options.json) {
        Json json = {{"version", version()},
                     {"results", synthesis_json(results)},
                     {"fabrics", fabrics_json(fabrics, results)},
                     {"links", links_json(links)}};
        for (std::size_t i = 0; i < energies.size(); ++i) {
            json["results"][i]["energy"] = router_energy_json(energies[i].energy);
        }
        std::cout << json_text(json) << '\n';
    } else if (options.markdown) {
        std::cout << (options.energy ? energy_markdown_table(energies) : markdown_table(results));
    } else {
        print_whole([&](std::ostream& out) {
            print_synthesis(out, results);
            print_fabrics(out, fabrics, results);
            print_links(out, links);
            if (options.energy) out << '\n';
            print_energies(out, energies);
        });
    }
    return kExitOk;
}

}  // namespace

Command add_synth(CLI::App& app) {
    const auto given = std::make_shared<SynthOptions>();
    SynthOptions& options = *given;
    CLI::App* const command = app.add_subcommand(
        "synth", "Synthesize routers and links of a configuration: gates, area, period, power");
    add_config(*command, options);
    add_technology(*command, options);
    command
        ->add_option(
            "--sweep", options.sweeps,
            "Synthesize for each of these values, e.g. --sweep fabric.buffer_depth=2,4,8 or\n"
            "'fabric.topology.dims=[4,4],[8,8]'; several sweeps give every combination")
        ->type_name("KEY=VALUE,VALUE,...")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    command
        ->add_option("--period", options.period_ns, "Clock period in ns at which power is reported")
        ->check(number_within(0.001, 1e6))
        ->type_name("NS")
        ->capture_default_str();
    command->add_option("--activity", options.activity, "Transitions per cycle on every data input")
        ->check(number_within(0.0, 2.0))
        ->type_name("RATE")
        ->capture_default_str();
    command->add_flag(
        "--energy", options.energy,
        "Also characterize the energies of writing, reading, crossing, arbitrating and idling");
    command->add_flag("--full-routers", options.full,
                      "Give every router all ports of the largest and all turns; otherwise each "
                      "is\nbuilt with the ports it has and the turns that packets take");
    command
        ->add_flag("--estimate", options.estimate,
                   "Run no tools: estimate routers that were not synthesized from those that "
                   "were,\nwith error bounds")
        ->excludes("--energy");
    add_jobs(*command, options, "Syntheses");
    add_json(*command, options, "the table");
    command
        ->add_flag("--markdown", options.markdown,
                   "Print the table in Markdown; with --energy the table of energies")
        ->excludes("--json");
    command->footer(
        "Uses yosys, abc and OpenSTA. Results are cached by library, tools and sources "
        "in\n$FLITSCOPE_CACHE, else $XDG_CACHE_HOME/flitscope, else ~/.cache/flitscope.\nflitscope "
        "topology, clock_ns: synth and the pitch of physical wires use those in the "
        "same\ntechnology (--liberty, --corner, --wires, --clock-gates; keys technology.*).");
    return make_command(command, given, synth_command);
}

}  // namespace flitscope::cli
