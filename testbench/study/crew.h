// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures many points side by side: curve, saturate, explore and reproduce all do it this way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "testbench/study/point.h"

namespace flitscope::study {

/// A point to be measured.
struct Task {
    std::size_t id = 0;  ///< by which its owner knows it
    Json recipe;         ///< what Job::point makes it from
};

/// What a crew works on.
struct Job {
    /// The next task; nothing where there is none now. There may be one after an outcome.
    std::function<std::optional<Task>()> next;
    /// The point of a recipe. It may be asked in another process, which knows what this one knew
    /// when the crew began, or later; so a point that takes time to make does not keep others
    /// waiting.
    std::function<Point(const Json& recipe)> point;
    /// "crashed" where its process did not end well.
    std::function<void(std::size_t id, PointOutcome)> on_outcome;
    /// What on_outcome() and next() have left for later, so that nobody waits for it: called when
    /// tasks have been handed out, and before the crew ends, also where it is cancelled. May be
    /// empty.
    std::function<void()> catch_up = {};
};

struct CrewOptions {
    unsigned processes = 1;  ///< at a time
    /// Asked now and then; true ends the work. May be empty.
    std::function<bool()> is_cancelled = {};
};

/// Thrown when the work was cancelled.
struct Cancelled {};

/// Asks for the next task whenever it has room for one, until there is none and all have ended.
/// Throws Cancelled, and std::runtime_error when nobody can do the work.
using Crew = std::function<void(const Job& job)>;

/// Processes of this machine.
Crew process_crew(const CrewOptions& options);

}  // namespace flitscope::study
