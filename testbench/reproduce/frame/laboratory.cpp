// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/reproduce/frame/laboratory.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "models/base/stopwatch.h"
#include "testbench/build/machine.h"
#include "testbench/configuration/configuration.h"
#include "testbench/report/report.h"
#include "testbench/run/simulation.h"
#include "testbench/study/process_pool.h"

namespace flitscope::reproduce {
namespace {

constexpr std::chrono::milliseconds kPatience{200};

/// A name for this very program (FNV-1a over its file): other builds may simulate otherwise.
std::string program_name() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    std::vector<char> block(1 << 16);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
        for (std::streamsize i = 0; i < file.gcount(); ++i) {
            hash = (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(i)])) *
                   0x100000001b3ULL;
        }
    }
    return fmt::format("{} {:016x}", version(), hash);
}

/// Steps of a program in which something is sent.
std::uint32_t used_steps(const SimulationResult& result) {
    return static_cast<std::uint32_t>(
        std::count_if(result.step_times.begin(), result.step_times.end(),
                      [](const StepTime& time) { return time.start != kNever; }));
}

Json simulate_experiment(const Experiment& experiment) {
    const Machine machine = build_machine(parse_config(experiment.yaml, experiment.key));
    require_traffic(machine);
    SimulationOptions options;
    options.keep_modules = true;  // the process ends here
    const SimulationResult result = simulate(machine, experiment.engine, options);
    Json json;
    if (result.verdict != Verdict::kComplete) {
        json["error"] = verdict_name(result.verdict);
        if (!result.problems.empty()) {
            json["error"] = fmt::format("{}: {}", verdict_name(result.verdict), result.problems[0]);
        }
        return json;
    }
    json["cycles"] = result.cycles;
    json["engine"] = result.engine;
    json["messages"] = result.messages_delivered;
    json["flit_hops"] = result.flit_hops;
    json["lower_bound"] = result.lower_bound_cycles;
    json["steps"] = used_steps(result);
    json["mean_latency"] = result.latency.mean();
    json["results"] = result.right_results;
    return json;
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
        program_ = program_name();
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

/// In a process of its own: the outcome, or what went wrong.
std::string work(const Experiment& experiment) {
    try {
        return simulate_experiment(experiment).dump();
    } catch (const ConfigError& error) {
        return Json{{"error", error.findings().front().str()}}.dump();
    }
}

std::string duration(double seconds) {
    const auto s = static_cast<long>(seconds + 0.5);
    return fmt::format("{}:{:02}", s / 60, s % 60);
}

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
    study::ProcessPool pool(options.processes);
    while (done < count) {
        if (options.is_cancelled && options.is_cancelled()) throw Cancelled{};
        while (next < count && pool.has_room()) {
            const Experiment& experiment = *waiting[next];
            pool.start(next++, [&experiment] { return work(experiment); });
        }
        const std::optional<study::Finished> finished = pool.wait(kPatience);
        if (!finished) continue;
        const Experiment* const ended = waiting[finished->task];
        const Json json =
            finished->is_done ? Json::parse(finished->text) : Json{{"error", finished->text}};
        if (json.contains("error")) {
            throw std::runtime_error(
                fmt::format("experiment {}: {}", ended->key, json.at("error").get<std::string>()));
        }
        cache.put(*ended, json);
        outcomes.add(ended->key, read_outcome(json));
        ++done;
        done_weight += ended->weight;
        if (options.on_progress) {
            options.on_progress(fmt::format(
                "{} of {}  {}  about {} left", done, count, ended->key,
                duration(watch.seconds() * (total - done_weight) / std::max(done_weight, 1e-9))));
        }
    }
    return outcomes;
}

}  // namespace flitscope::reproduce
