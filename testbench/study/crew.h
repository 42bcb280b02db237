// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures many points side by side: curve, saturate, explore and reproduce all do it this way.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "testbench/study/point.h"

namespace flitscope::study {

/// Points that one process measures one after the other, with a number by which their owner knows
/// them.
struct Task {
    std::size_t id = 0;
    std::vector<Point> points;
};

struct CrewOptions {
    unsigned processes = 1;  ///< at a time
    /// Asked now and then; true ends the work. May be empty.
    std::function<bool()> is_cancelled = {};
};

/// Thrown when the work was cancelled.
struct Cancelled {};

/// One outcome per point of a task; one alone, "crashed", where its process did not end well.
using OnOutcomes = std::function<void(std::size_t id, std::vector<PointOutcome>)>;

/// The next piece of work; nothing where there is none now. There may be one after an outcome.
using NextTask = std::function<std::optional<Task>()>;

/// Asks for the next task whenever it has room for one, until there is none and all have ended.
/// Throws Cancelled, and std::runtime_error when nobody can do the work.
using Crew = std::function<void(const NextTask& next, const OnOutcomes& on_outcomes)>;

/// Processes of this machine.
Crew process_crew(const CrewOptions& options);

}  // namespace flitscope::study
