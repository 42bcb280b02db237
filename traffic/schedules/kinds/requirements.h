// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What schedules may require of a network and of the other settings. Each is a Requirement; those
// of only one family are defined with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "traffic/schedules/kinds/schedule_kind.h"

namespace flitscope {

/// All that the schedule does not find as it needs it; it can be built if that is nothing.
std::vector<Diagnostic> unmet_requirements(const ScheduleRequest& request);

/// Node n is attached to router n, further routers are switches: for schedules that take a node for
/// its router, whose links and coordinates they know.
std::optional<Diagnostic> needs_a_node_per_router(const ScheduleRequest& request);
std::optional<Diagnostic> needs_power_of_two_nodes(const ScheduleRequest& request);
/// Nodes whose numbers differ in one bit are neighbours.
std::optional<Diagnostic> needs_hypercube(const ScheduleRequest& request);
/// Nodes are arranged in lines.
std::optional<Diagnostic> needs_grid(const ScheduleRequest& request);
/// traffic.root is a node.
std::optional<Diagnostic> needs_root(const ScheduleRequest& request);
/// A node has a channel to and from every link (node.port_model).
std::optional<Diagnostic> needs_channels_per_link(const ScheduleRequest& request);
/// Memory of a message in `check` and `run`, in total. Measured: 12 and 16 bytes on an exchange
/// among 4096 nodes of a hypercube, 58 on one of a mesh, 44 of a pipelined broadcast.
inline constexpr std::uint64_t kBytesOfMessage = 60;
/// Memory of a message by rule, if nodes hand messages over step by step. Measured: 4 bytes in
/// `check` on exchanges among 4096 nodes of a hypercube and of a mesh, 2 to 4 in `run`; routings
/// that choose among paths add 8 in `check`.
inline constexpr std::uint64_t kBytesOfRuleMessage = 12;
/// The same for more than kMostFollowed of them.
inline constexpr std::uint64_t kBytesOfSummedMessage = 1;
/// Requires that `messages` do not exceed `most`, nor the available memory. `instead` is the remedy
/// for the former.
std::optional<Diagnostic> needs_room_for(const ScheduleRequest& request, std::uint64_t messages,
                                         const std::string& instead,
                                         std::uint64_t bytes_each = kBytesOfMessage,
                                         std::uint64_t most = kMaxTransfers);
/// Requires room for as many messages as a complete exchange has, listed or by rule.
std::optional<Diagnostic> needs_few_nodes(const ScheduleRequest& request);
std::optional<Diagnostic> needs_few_nodes_by_rule(const ScheduleRequest& request);
/// The same for twice as many, by rule if they have equal pieces of the vector.
std::optional<Diagnostic> needs_few_nodes_for_pieces(const ScheduleRequest& request);

/// The place for a finding about the algorithm: the key that chose it.
Location where_chosen(const ScheduleRequest& request);
/// The user's name of the choice: that of the variant, or of a schedule without variants.
const std::string& name_of_choice(const ScheduleRequest& request);
/// "use ring": the remedy if the default algorithm of the schedule is available.
std::string use_default(const ScheduleRequest& request);

}  // namespace flitscope
