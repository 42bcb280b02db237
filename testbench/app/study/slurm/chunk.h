// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Chunks: points that one job of a cluster measures one after the other. A chunk is a file on a
// disk that all machines see; every outcome is a separate file, which appears as a whole, in the
// folder of the same name without its extension. So a job may end at any moment, and the next one
// with the same chunk continues where it ended.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/point_outcome.h"

namespace flitscope::study {

struct DesignPoint;

/// Throws std::runtime_error when it cannot be written.
void write_chunk(const std::string& file, const std::vector<DesignPoint>& points);

/// Throws ConfigError if it cannot be read, is not a chunk, or is one of another program, whose
/// outcomes may be others.
std::vector<DesignPoint> read_chunk(const std::string& file);

/// Nothing while it is not there, or if it cannot be read.
std::optional<PointOutcome> read_outcome(const std::string& file, std::size_t point);

/// Removes the chunk and its outcomes.
void remove_chunk(const std::string& file);

/// Measures what has no outcome yet, in another process than this. `on_outcome` is called
/// after each. Throws as read_chunk(), and std::runtime_error when an outcome cannot be written.
void measure_chunk(const std::string& file,
                   const std::function<void(std::size_t point, const PointOutcome&)>& on_outcome);

}  // namespace flitscope::study
