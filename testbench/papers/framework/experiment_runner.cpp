// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/experiment_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/file_text.h"
#include "models/base/memory.h"
#include "models/base/output_file.h"
#include "models/base/stopwatch.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::reproduce {
namespace {

study::DesignPoint point_of(const Experiment& experiment) {
    try {
        study::DesignPoint point{parse_config(experiment.yaml, experiment.key),
                                 study::Measurement::kRun, experiment.engine};
        point.by_cause = experiment.by_cause;
        point.by_energy = experiment.by_energy;
        return point;
    } catch (const ConfigError& error) {
        throw std::runtime_error(
            fmt::format("experiment {}: {}", experiment.key, error.findings().front().str()));
    }
}

/// throw_problem(), which names the experiment, if it is not complete.
void require_complete(const Experiment& experiment, const study::PointOutcome& outcome) {
    if (outcome.is_measured()) return;
    const bool is_refused = outcome.status == study::PointStatus::kRefused;
    const std::string status = is_refused ? "" : fmt::format("{}: ", name_of(outcome.status));
    throw_problem(fmt::format("experiment {}: {}{}", experiment.key, status, outcome.problem));
}

Outcome outcome_of(const study::PointOutcome& point) {
    Outcome outcome;
    outcome.cycles = point.cycles("cycles");
    outcome.engine = point.word("engine");
    outcome.messages = point.cycles("messages");
    outcome.flit_hops = point.cycles("flit_hops");
    outcome.lower_bound = point.cycles("lower_bound");
    outcome.steps = static_cast<std::uint32_t>(point.cycles("steps"));
    const study::Metric* const latency = point.find("mean_latency");
    outcome.mean_latency = latency == nullptr ? 0 : latency->value;  // nothing was sent
    outcome.results = point.cycles("results");
    outcome.by_cause = point.by_cause;
    return outcome;
}

/// The files that hold outcomes, if any shall. A file is there as a whole or not at all.
class ResultCache {
public:
    explicit ResultCache(const std::string& folder) : folder_(folder) {
        if (folder_.empty()) return;
        program_ = study::program_name();
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        if (error) {
            throw ConfigError({folder_, 0, 0}, "cannot create the folder: " + error.message(),
                              "outcomes are kept there");
        }
    }

    /// Nothing when there is no outcome of this very experiment, or none that can be read.
    std::optional<study::PointOutcome> find(const Experiment& experiment) const {
        if (folder_.empty()) return std::nullopt;
        try {
            const Json json = Json::parse(file_text(path(experiment)).value_or(""));
            if (json.at("program") != program_ || json.at("engine_asked") != experiment.engine ||
                json.at("configuration") != experiment.yaml) {
                return std::nullopt;
            }
            study::PointOutcome outcome = study::outcome_from_json(json.at("outcome"));
            if (experiment.by_cause && !outcome.by_cause) return std::nullopt;
            if (experiment.by_energy && outcome.find(study::kPayloadBits) == nullptr) {
                return std::nullopt;
            }
            return outcome;
        } catch (const Json::exception&) {
            return std::nullopt;
        } catch (const std::out_of_range&) {  // for an unknown status
            return std::nullopt;
        }
    }
    void put(const Experiment& experiment, const study::PointOutcome& outcome) const {
        if (folder_.empty()) return;
        write_whole_file(path(experiment), [&](std::ostream& out) {
            out << Json{{"program", program_},
                        {"engine_asked", experiment.engine},
                        {"configuration", experiment.yaml},
                        {"outcome", study::to_json(outcome)}}
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
                         const ExperimentOptions& options) {
    const ResultCache cache(options.folder);
    Outcomes outcomes;
    const auto take = [&](const Experiment& experiment, const study::PointOutcome& outcome) {
        outcomes.add(experiment.key, outcome_of(outcome));
        if (options.on_outcome) options.on_outcome(experiment, outcome);
    };
    std::vector<const Experiment*> waiting;
    double total = 0;
    for (const Experiment& experiment : experiments) {
        const auto kept = cache.find(experiment);
        if (kept) {
            take(experiment, *kept);
            continue;
        }
        waiting.push_back(&experiment);
        total += experiment.weight;
    }
    // The dear ones first, so that no process is left with a long one at the end.
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const auto* a, const auto* b) { return a->weight > b->weight; });
    std::vector<study::DesignPoint> points;
    for (const Experiment* const experiment : waiting) points.push_back(point_of(*experiment));
    const std::size_t count = waiting.size();
    if (options.on_progress && count < experiments.size()) {
        options.on_progress(fmt::format("{} of {} outcomes are there already",
                                        experiments.size() - count, experiments.size()));
    }
    const Stopwatch watch;
    double done_weight = 0;
    std::size_t done = 0;
    std::size_t next = 0;
    study::Job job;
    job.next = [&]() -> std::optional<study::Task> {
        if (next == count) return std::nullopt;
        const std::size_t task = next++;
        return study::Task{task, task};
    };
    job.point = [&](const study::Json& recipe) { return points[recipe.get<std::size_t>()]; };
    job.on_outcome = [&](std::size_t task, const study::PointOutcome& outcome) {
        const Experiment& ended = *waiting[task];
        require_complete(ended, outcome);
        cache.put(ended, outcome);
        take(ended, outcome);
        ++done;
        done_weight += ended.weight;
        if (!options.on_progress) return;
        options.on_progress(fmt::format(
            "{} of {}  {}  about {} left", done, count, ended.key,
            duration_text(watch.seconds() * (total - done_weight) / std::max(done_weight, 1e-9))));
    };
    study::process_worker_pool({options.processes, options.is_cancelled})(job);
    return outcomes;
}

}  // namespace flitscope::reproduce
