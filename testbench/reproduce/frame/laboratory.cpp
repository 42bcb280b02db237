// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/reproduce/frame/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "models/base/stopwatch.h"
#include "testbench/configuration/configuration.h"
#include "testbench/report/report_lines.h"
#include "testbench/study/crew.h"

namespace flitscope::reproduce {
namespace {

study::Point point_of(const Experiment& experiment) {
    try {
        return {parse_config(experiment.yaml, experiment.key), study::Measurement::kRun,
                experiment.engine};
    } catch (const ConfigError& error) {
        throw std::runtime_error(
            fmt::format("experiment {}: {}", experiment.key, error.findings().front().str()));
    }
}

/// Throws std::runtime_error, which names the experiment, where it is not complete.
Json outcome_json(const Experiment& experiment, const study::PointOutcome& outcome) {
    if (!outcome.is_measured()) {
        const bool is_refused = outcome.status == "refused";
        throw std::runtime_error(fmt::format("experiment {}: {}{}", experiment.key,
                                             is_refused ? "" : outcome.status + ": ",
                                             outcome.problem));
    }
    return {{"cycles", outcome.cycles("cycles")},
            {"engine", outcome.word("engine")},
            {"messages", outcome.cycles("messages")},
            {"flit_hops", outcome.cycles("flit_hops")},
            {"lower_bound", outcome.cycles("lower_bound")},
            {"steps", outcome.cycles("steps")},
            {"mean_latency", outcome.value("mean_latency")},
            {"results", outcome.cycles("results")}};
}

Outcome read_outcome(const Json& json) {
    Outcome outcome;
    outcome.cycles = json.at("cycles");
    outcome.engine = json.at("engine");
    outcome.messages = json.at("messages");
    outcome.flit_hops = json.at("flit_hops");
    outcome.lower_bound = json.at("lower_bound");
    outcome.steps = json.at("steps");
    outcome.mean_latency = json.at("mean_latency");
    outcome.results = json.at("results");
    return outcome;
}

/// The files that hold outcomes, if any shall. A file is there as a whole or not at all.
class ResultCache {
public:
    explicit ResultCache(const std::string& folder) : folder_(folder) {
        if (folder_.empty()) return;
        program_ = study::program_name();
        std::filesystem::create_directories(folder_);
    }

    /// Null when there is no outcome of this very experiment.
    Json find(const Experiment& experiment) const {
        if (folder_.empty()) return {};
        std::ifstream file(path(experiment));
        const Json json = Json::parse(file, nullptr, false);
        if (json.is_discarded() || json.value("program", "") != program_ ||
            json.value("engine_asked", "") != experiment.engine ||
            json.value("configuration", "") != experiment.yaml) {
            return {};
        }
        return json.at("outcome");
    }
    void put(const Experiment& experiment, const Json& outcome) const {
        if (folder_.empty()) return;
        write_whole_file(path(experiment), [&](std::ostream& out) {
            out << Json{{"program", program_},
                        {"engine_asked", experiment.engine},
                        {"configuration", experiment.yaml},
                        {"outcome", outcome}}
                       .dump(1)
                << '\n';
        });
    }

private:
    std::string path(const Experiment& experiment) const {
        std::string name = experiment.key;
        std::replace(name.begin(), name.end(), '/', '_');
        return folder_ + "/" + name + ".json";
    }

    std::string folder_;
    std::string program_;
};

}  // namespace

Outcomes run_experiments(const std::vector<Experiment>& experiments,
                         const LaboratoryOptions& options) {
    const ResultCache cache(options.folder);
    Outcomes outcomes;
    std::vector<const Experiment*> waiting;
    double total = 0;
    for (const Experiment& experiment : experiments) {
        const Json kept = cache.find(experiment);
        if (!kept.is_null()) {
            outcomes.add(experiment.key, read_outcome(kept));
            continue;
        }
        waiting.push_back(&experiment);
        total += experiment.weight;
    }
    // The dear ones first, so that no process is left with a long one at the end.
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const auto* a, const auto* b) { return a->weight > b->weight; });
    const std::size_t count = waiting.size();
    if (options.on_progress && count < experiments.size()) {
        options.on_progress(fmt::format("{} of {} outcomes are there already",
                                        experiments.size() - count, experiments.size()));
    }
    const Stopwatch watch;
    double done_weight = 0;
    std::size_t done = 0;
    std::size_t next = 0;
    const auto next_task = [&]() -> std::optional<study::Task> {
        if (next == count) return std::nullopt;
        const Experiment& experiment = *waiting[next];
        return study::Task{next++, {point_of(experiment)}};
    };
    const auto take = [&](std::size_t task,
                          const std::vector<study::PointOutcome>& outcomes_of_task) {
        const Experiment& ended = *waiting[task];
        const Json json = outcome_json(ended, outcomes_of_task.front());
        cache.put(ended, json);
        outcomes.add(ended.key, read_outcome(json));
        ++done;
        done_weight += ended.weight;
        if (!options.on_progress) return;
        options.on_progress(fmt::format(
            "{} of {}  {}  about {} left", done, count, ended.key,
            duration_text(watch.seconds() * (total - done_weight) / std::max(done_weight, 1e-9))));
    };
    study::work({options.processes, options.is_cancelled}, next_task, take);
    return outcomes;
}

}  // namespace flitscope::reproduce
