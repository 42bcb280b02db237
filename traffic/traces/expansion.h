// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Expands the collectives of a trace into the sends and receives of a schedule.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "traffic/program/program.h"
#include "traffic/traces/trace.h"

namespace flitscope {

/// Tags from here on are those of collectives.
inline constexpr std::uint32_t kCollectiveTags = 1U << 31;

/// The stream of messages in traces that have collectives.
inline constexpr std::uint16_t kMessageStream = 2;

/// A schedule that a collective becomes.
struct CollectiveSchedule {
    std::string schedule;
    std::string algorithm;    ///< empty: as the user says, or as libraries choose
    std::uint64_t bytes = 0;  ///< as traffic.message_bytes
    NodeId root = 0;          ///< as traffic.root
    NodeId line = 0;          ///< for this many nodes in a line; 0: for all nodes of the network

    friend bool operator<(const CollectiveSchedule& a, const CollectiveSchedule& b) {
        const auto all = [](const CollectiveSchedule& c) {
            return std::tie(c.schedule, c.algorithm, c.bytes, c.root, c.line);
        };
        return all(a) < all(b);
    }
};

/// Makes the step program of a collective. Throws ConfigError if the schedule does not fit the
/// network.
using ScheduleOfCollective = std::function<Program(const CollectiveSchedule& schedule)>;

/// Replaces all collectives by the sends and receives of their schedules: each step of a rank comes
/// after all of its step before. `node_of` each rank. Collectives of as many ranks as there are
/// nodes get the schedules of the network, those of fewer ranks the schedules of a line in the
/// order of ranks. Throws ConfigError if ranks of a group have other collectives, or the same in
/// another order.
void expand_collectives(Trace& trace, const std::vector<NodeId>& node_of, NodeId nodes,
                        const ScheduleOfCollective& schedule);

}  // namespace flitscope
