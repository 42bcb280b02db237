// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures many points side by side: curve, saturate, explore and reproduce all do it this way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "testbench/app/study/point_outcome.h"

namespace flitscope::study {

struct DesignPoint;

/// A point to be measured.
struct Task {
    std::size_t id = 0;  ///< the owner's identifier of the task
    Json recipe;         ///< what Job::point makes it from
};

/// The work of a pool.
struct Job {
    /// Returns the next task; nothing if there is none now. There may be one after an outcome.
    std::function<std::optional<Task>()> next;
    /// Makes the point of a recipe. May be called in another process, which has the state of this
    /// one when the pool began, or later; so a point that takes time to make delays no other.
    std::function<DesignPoint(const Json& recipe)> point;
    /// Takes an outcome; its status is "crashed" if the process ended abnormally.
    std::function<void(std::size_t id, PointOutcome)> on_outcome;
    /// Does what on_outcome() and next() left for later so that no process waits: called when tasks
    /// have been handed out, and before the pool ends or is cancelled. May be empty.
    std::function<void()> catch_up = {};
};

struct WorkerPoolOptions {
    unsigned processes = 1;  ///< at a time
    /// Asked now and then; true ends the work. May be empty.
    std::function<bool()> is_cancelled = {};
};

/// Thrown when the work was cancelled.
struct Cancelled {};

/// Runs a job: asks for the next task whenever it has room for one, until there is none and all
/// have ended. Throws Cancelled, and std::runtime_error if no process can do the work.
using WorkerPool = std::function<void(const Job& job)>;

/// Processes of this machine.
WorkerPool process_worker_pool(const WorkerPoolOptions& options);

}  // namespace flitscope::study
