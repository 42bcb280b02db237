// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/crew.h"

#include <chrono>
#include <utility>

#include "testbench/study/process_pool.h"

namespace flitscope::study {
namespace {

constexpr std::chrono::milliseconds kPatience{200};

std::string measure_all(const Task& task) {
    Json outcomes = Json::array();
    for (const Point& point : task.points) outcomes.push_back(to_json(measure(point)));
    return outcomes.dump();
}

std::vector<PointOutcome> read(const Finished& finished) {
    std::vector<PointOutcome> outcomes;
    if (finished.is_done) {
        for (const Json& json : Json::parse(finished.text)) {
            outcomes.push_back(outcome_from_json(json));
        }
    } else {
        outcomes.emplace_back().problem = finished.text;
    }
    return outcomes;
}

}  // namespace

Crew process_crew(const CrewOptions& options) {
    return [options](const NextTask& next, const OnOutcomes& on_outcomes) {
        ProcessPool pool(options.processes);
        for (;;) {
            if (options.is_cancelled && options.is_cancelled()) throw Cancelled{};
            while (pool.has_room()) {
                const std::optional<Task> task = next();
                if (!task) break;
                pool.start(task->id, [&] { return measure_all(*task); });
            }
            if (pool.is_idle()) return;
            if (const std::optional<Finished> finished = pool.wait(kPatience)) {
                on_outcomes(finished->task, read(*finished));
            }
        }
    };
}

}  // namespace flitscope::study
