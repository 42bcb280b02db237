// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Appraises a point without a simulation: the costs of its network, and bounds on simulation
// results.
#pragma once

#include <optional>

#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/study/point_outcome.h"

namespace flitscope {
struct Config;
struct Machine;
}  // namespace flitscope

namespace flitscope::study {

struct DesignPoint;

/// Metrics of the outcome:
/// - `links` (directed), `flit_bits`, `ports` (of the router with the most), `pins` (the maximum
/// number of links from or to one
///   router, times `flit_bits`: `pin_out` of `flitscope topology`), `bisection_wires` (the links
///   between the canonical halves in the direction that has more, times `flit_bits`), `wire_length`
///   (of all channels, node pitches), `wire_bits` (the same over all wires of both directions),
///   `buffer_bits` (of all routers), `routers`;
/// - `zero_load_latency` in cycles, the mean over the messages of a program, or over those that a
///   pattern draws; absent if the routing chooses among paths, or packets of a message wait for
///   each other for an unknown time (ZeroLoadMessage::is_exact());
/// - `least_latency` in cycles, a lower bound on the mean latency of any run: for a pattern
/// measured
///   in a window of cycles, that of the messages that begin in it; with `steady`, that of the
///   quickest pair; with replies `least_round_trip`; absent if paths are not fixed, or change after
///   a failure;
/// - for a program `lower_bound` in cycles; for a pattern `saturation_bound` in flits/node/cycle.
/// Words: `router`, those to synthesize (hw::text_of()), or `no_router`, the reason why not;
/// `link_delays`, "1:224 2:16 3/4:2" for 224 links of a cycle, 16 of two, and 2 of three cycles and
/// a rate of 1/4.
///
/// For a configuration whose machine depends on figures of its router (needs_router_figures()) only
/// the word `router`: the rest is known for the same configuration with the figures filled in.
///
/// Refused, as `run` refuses it, if the configuration cannot be simulated. Throws ConfigError.
PointOutcome appraise(const DesignPoint& point);

/// The `zero_load_latency` of an appraisal, for a machine whose traffic is a pattern.
std::optional<double> zero_load_latency(const Machine& machine);

/// The links by an appraisal.
LinkCounts appraised_links(const PointOutcome& appraisal);

/// Whether there is no machine before resolve_synthesized(): physical wires whose pitch or clock
/// comes from the router, or such a clock with times in ns (program, trace or keys) or a load in
/// units.
bool needs_router_figures(const Config& config);

}  // namespace flitscope::study
