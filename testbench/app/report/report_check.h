// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What `flitscope check` finds out about a program without a simulation.
#pragma once

#include <cstdint>
#include <optional>

#include "models/routing/route_flow.h"
#include "traffic/schedules/synthesis/bounds/collective_bound.h"
#include "traffic/schedules/synthesis/task/collective.h"
#include "traffic/schedules/synthesis/time_contention.h"

namespace flitscope {

struct Machine;
struct Program;

/// Whether messages begin at given times, and are not also divided into steps.
bool is_timetable(const Program& program);
/// The last cycle in which a message of it begins.
Cycle last_begin(const Program& program);
/// The most messages of a step that share a link. Nothing for a rule of more than kMostFollowed
/// messages, which takes longer than a user waits for a check.
std::optional<std::uint64_t> contention_of_a_step(const Machine& machine);
/// The most messages that share a channel at a time if none waits. Nothing if messages come after
/// others, nodes have several channels, or routes are not fixed.
std::optional<synthesis::RoundContention> contention_at_a_time(const Machine& machine);

/// A bound that no schedule of the same collective on this network can beat.
struct AnySchedule {
    synthesis::Task task;
    synthesis::CollectiveBound bound;
};
/// Nothing if the program is not a collective, or one of more than 256 nodes, which takes longer
/// than a second.
std::optional<AnySchedule> any_schedule(const Machine& machine);

/// What the routing makes of uniform traffic. Nothing where routes are not fixed, or of more than
/// 4096 nodes, which takes longer than a second.
std::optional<UniformFlow> routes_of_all(const Machine& machine);

}  // namespace flitscope
