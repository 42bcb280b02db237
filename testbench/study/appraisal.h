// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of a point without a simulation: what its network costs, and bounds on what a
// simulation can come to.
#pragma once

#include "testbench/study/point.h"

namespace flitscope::study {

/// Metrics of the outcome:
/// - `links` (directed), `flit_bits`, `pins` (wires that leave the node or switch with the most of
///   them), `wire_length` (of all channels, node pitches), `wire_bits` (the same over all wires of
///   both directions), `buffer_bits` (of all routers), `routers`;
/// - `zero_load_latency` in cycles, the mean over the messages of a program, or over those that a
///   pattern draws; absent where the routing chooses among paths;
/// - of a program `lower_bound` in cycles; of a pattern `saturation_bound` in flits/node/cycle.
/// Words: `router`, the variant to synthesize, or `no_router`, why there is none.
///
/// Refused, as `run` refuses it, where the configuration cannot be simulated. Throws ConfigError.
PointOutcome appraise(const Point& point);

}  // namespace flitscope::study
