// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `traffic`: programs (which node sends how much to which, and when) and
// synthetic patterns, played on the nodes of a Network, and the proof that all of it arrived.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "flitscope/fabric.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/program/program.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {

/// Generators on all nodes of a network, which has no other listeners, and a scoreboard.
class TrafficPlayer final : public sc_core::sc_module {
public:
    /// Plays the `traffic` of the network's configuration, and ends the run as `steady` requires.
    /// Throws ConfigError if there is none, or it does not fit. `network` must outlive the player.
    TrafficPlayer(sc_core::sc_module_name name, Network& network);
    /// Plays `program`. Throws ConfigError with every finding when it cannot be played.
    TrafficPlayer(sc_core::sc_module_name name, Network& network, Program program);
    ~TrafficPlayer() override;

    /// Number of messages that the program has, or that the pattern has begun so far.
    std::uint64_t messages_expected() const;
    /// Packets, flits, latencies in cycles, the makespan.
    const Scoreboard& scoreboard() const;
    /// Cycles from the start of a send to the delivery of its last flit: for all messages of a
    /// program, or those of a pattern that the measurement counts.
    LatencyStatistics latency() const;
    /// After sc_start(): errors, a sentence each: messages that are missing, doubled, out of order
    /// or damaged, requests without a reply, wrong results of a computation, flits or credits that
    /// are misplaced. Empty: no errors.
    std::vector<std::string> problems() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flitscope
