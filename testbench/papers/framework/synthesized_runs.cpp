// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/synthesized_runs.h"

#include <fmt/format.h>

#include <set>

#include "models/base/diagnostics.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/study/explore/routers.h"

namespace flitscope::reproduce {
namespace {

constexpr const char* kAtItsClock = "/at_its_clock";

/// Whether delays of wires, and so the cycles of a run, depend on the clock.
bool depends_on_clock(const Config& config) { return config.fabric.link_delay.is_physical(); }

/// The key of the experiment that `key`, of experiments(), was run for.
std::string asked_for(const std::string& key) {
    const std::size_t end = key.rfind(kAtItsClock);
    return end == std::string::npos ? key : key.substr(0, end);
}

std::optional<double> figure(const char* metric, const study::Evaluation& evaluation) {
    return study::find_metric(metric)->value(evaluation);
}

}  // namespace

SynthesizedRuns::SynthesizedRuns(const std::vector<Experiment>& experiments,
                                 const std::vector<std::string>& overrides,
                                 const study::SynthesesOptions& syntheses) {
    if (!experiments.empty()) {
        const Experiment& any = experiments.front();
        const Config config = parse_config(any.yaml, any.key, overrides);
        require_technology(config);
        technology_ = config.technology;
    }
    std::set<std::string> routers;
    for (const Experiment& experiment : experiments) {
        Run& run = runs_[experiment.key];
        try {
            hw::BuiltRouters built = routers_of(parse_config(experiment.yaml, experiment.key));
            run.routers = hw::text_of(built);
            built.front().variant.turns.clear();
            run.router = built.front().variant.name();
            routers.insert(run.routers);
        } catch (const ConfigError& error) {
            run.problem = error.findings().front().what;
        }
    }
    study::Routers found(syntheses, true, false, technology_);
    found.add({routers.begin(), routers.end()}, false);
    for (const std::string& router : routers) {
        if (const auto* const cost = found.cost(router)) costs_[router] = *cost;
    }
    for (const Experiment& experiment : experiments) {
        wanted_.push_back(experiment);
        Run& run = runs_[experiment.key];
        const auto cost = costs_.find(run.routers);
        if (cost == costs_.end()) {
            if (run.problem.empty()) run.problem = found.problem(run.routers);
            continue;
        }
        Config config = parse_config(experiment.yaml, experiment.key);
        const bool has_other_cycles = depends_on_clock(config);
        config.clock_is_synthesized = true;
        resolve_synthesized(config, cost->second.largest_um2, cost->second.period_ns);
        run.clock_ns = config.clock_ns;
        if (has_other_cycles) {
            wanted_.push_back(experiment);
            wanted_.back().key += kAtItsClock;
            wanted_.back().yaml = to_yaml(config);
            wanted_.back().by_cause = false;
        }
        wanted_.back().by_energy = true;
    }
}

void SynthesizedRuns::note(const Experiment& experiment, const study::PointOutcome& outcome) {
    if (!experiment.by_energy) return;
    Run& run = runs_.at(asked_for(experiment.key));
    study::Evaluation evaluation;
    evaluation.measured = &outcome;
    evaluation.router = &costs_.at(run.routers);
    evaluation.clock_ns = run.clock_ns;
    run.figures =
        Figures{outcome.cycles("cycles"), figure("time_ns", evaluation).value(),
                figure("energy_uj", evaluation).value(), figure("energy_per_bit_pj", evaluation)};
}

Table SynthesizedRuns::table(const std::vector<Experiment>& experiments) const {
    Table table;
    table.title = "With their routers synthesized";
    table.source = "hw/rtl/SYNTHESIS.md, hw/rtl/ENERGY.md";
    table.columns = {"run", "router", "clock ns", "cycles", "us", "uJ", "pJ/bit"};
    std::map<std::string, std::size_t> problems;
    for (const Experiment& experiment : experiments) {
        const Run& run = runs_.at(experiment.key);
        if (!run.figures) {
            ++problems[run.problem];
            continue;
        }
        constexpr double kNsPerUs = 1000;
        const Figures& figures = *run.figures;
        table.rows.push_back(
            {experiment.key, run.router, Cell(run.clock_ns, 3), figures.cycles,
             Cell(figures.time_ns / kNsPerUs, 3), Cell(figures.energy_uj, 4),
             figures.energy_per_bit_pj ? Cell(*figures.energy_per_bit_pj, 2) : Cell()});
    }
    table.notes = {
        "The same cycles, those of the software of the paper's machine included, at the period of "
        "the slowest router of the run, each as it is built; energy of routers and links, per bit "
        "of payload that arrived."};
    if (!technology_.is_standard())
        table.notes.push_back("Technology: " + technology_.text() + '.');
    for (const auto& [problem, count] : problems) {
        table.notes.push_back(fmt::format("Runs left out: {}. {}.", count, problem));
    }
    return table;
}

void SynthesizedRuns::write_csv(std::ostream& out,
                                const std::vector<Experiment>& experiments) const {
    out << "key,router,clock_ns,cycles,time_ns,energy_uj,energy_per_bit_pj\n";
    for (const Experiment& experiment : experiments) {
        const Run& run = runs_.at(experiment.key);
        out << fmt::format("{},{},", experiment.key, run.router);
        if (run.figures) {
            const Figures& figures = *run.figures;
            out << fmt::format("{},{},{},{},", run.clock_ns, figures.cycles, figures.time_ns,
                               figures.energy_uj);
            if (figures.energy_per_bit_pj) out << fmt::format("{}", *figures.energy_per_bit_pj);
        } else {
            out << ",,,,";
        }
        out << '\n';
    }
}

}  // namespace flitscope::reproduce
