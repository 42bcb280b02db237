// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures many points, several processes side by side: curve, saturate, explore and reproduce all
// do it this way.
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

/// Asks for the next task whenever a process is free, until there is none and all have ended.
/// `next` may have nothing now and something after the next outcome. Throws Cancelled, and
/// std::runtime_error when there can be no process.
void work(const CrewOptions& options, const std::function<std::optional<Task>()>& next,
          const OnOutcomes& on_outcomes);

}  // namespace flitscope::study
