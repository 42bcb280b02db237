// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/worker_pool.h"

#include <chrono>
#include <utility>

#include "testbench/app/study/design_point.h"
#include "testbench/app/study/process_pool.h"

namespace flitscope::study {
namespace {

constexpr std::chrono::milliseconds kPatience{200};

PointOutcome read(const Finished& finished) {
    if (finished.is_done) return outcome_from_json(Json::parse(finished.text));
    PointOutcome outcome;
    outcome.problem = finished.text;
    return outcome;
}

}  // namespace

WorkerPool process_worker_pool(const WorkerPoolOptions& options) {
    return [options](const Job& job) {
        ProcessPool pool(options.processes, [&job](const std::string& recipe) {
            const Measured measured = measure(job.point(Json::parse(recipe)));
            // A router of the user's may have said anything.
            const auto text =
                to_json(measured.outcome).dump(-1, ' ', false, Json::error_handler_t::replace);
            return Answer{text, measured.is_last};
        });
        const auto catch_up = [&job] {
            if (job.catch_up) job.catch_up();
        };
        for (;;) {
            if (options.is_cancelled && options.is_cancelled()) {
                catch_up();
                throw Cancelled{};
            }
            while (pool.has_room()) {
                const std::optional<Task> task = job.next();
                if (!task) break;
                pool.start(task->id, task->recipe.dump());
            }
            catch_up();
            if (pool.is_idle()) return;
            if (const std::optional<Finished> finished = pool.wait(kPatience)) {
                job.on_outcome(finished->task, read(*finished));
            }
        }
    };
}

}  // namespace flitscope::study
