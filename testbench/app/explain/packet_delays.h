// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where packets spend their cycles, from the start of the send to the delivery of the tail: the
// latency of each, cause by cause. For traffic without an end, which has no critical path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/base/latency.h"
#include "testbench/app/explain/cause.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

class Graph;
struct Machine;

/// Sums over a group of packets.
struct DelaySums {
    std::uint64_t packets = 0;
    Cycle cycles = 0;  ///< the sum of their latencies
    CauseCycles by_cause{};

    /// Cycles of a packet on average; 0 without packets.
    double mean() const {
        return static_cast<double>(cycles) /
               static_cast<double>(std::max<std::uint64_t>(packets, 1));
    }
};

/// Cycles that packets waited for a channel or used it.
struct ChannelDelays {
    ChannelId channel = 0;
    Cycle waited = 0;  ///< all but `traversal` and `serialization`
    CauseCycles by_cause{};
};

/// Cycles that packets waited at a router for what leads out of it: links and its nodes.
struct RouterStalls {
    RouterId router;
    Cycle waited = 0;
    CauseCycles by_cause{};  ///< with none for `traversal` and `serialization`
};

/// Packets in the network, from the injection of the head to the delivery of the tail, both cycles
/// included.
struct Occupancy {
    CycleWindow window;
    /// The sum over these cycles of the packets in the network, counted as they come and go. Equal
    /// to the sum of the cycles that each packet reports to have been there.
    Cycle packet_cycles = 0;
    std::uint64_t delivered = 0;  ///< in these cycles
    Cycle residence = 0;          ///< sum of the whole stays of the delivered packets

    double mean_packets() const;
};

/// Cycles of a packet at some channel.
struct PacketPart {
    ChannelId channel = 0;
    Cause cause = Cause::kTraversal;
    Cycle cycles = 0;
};

/// A packet that was delivered.
struct PacketDelay {
    MessageId message = 0;
    std::uint32_t index = 0;  ///< within its message
    MessageClass message_class = 0;
    std::uint32_t hops = 0;  ///< links that it crossed
    Cycle begin = 0;         ///< begin of the send of its message
    Cycle head_injected = 0;
    Cycle tail_delivered = 0;
    std::vector<PacketPart> parts;  ///< in order of time, but for the body's

    CauseCycles by_cause() const;
};

struct PacketDelays {
    DelaySums all;
    LatencyStatistics latency;
    std::map<std::uint32_t, DelaySums> by_hops;  ///< by number of links crossed
    std::vector<DelaySums> by_class;             ///< of messages; empty: there are none
    std::vector<ChannelDelays> channels;         ///< most waiting first, ties by number
    Occupancy occupancy;

    /// Routers with stalls, most waiting first, ties by number.
    std::vector<RouterStalls> routers(const Graph& graph) const;
};

/// Which packets count: those that began in a window, or whose tail was delivered in it.
struct DelayWindow {
    CycleWindow cycles;
    bool is_of_delivery = false;
};

struct ExplainedTraffic {
    SimulationResult run;
    PacketDelays delays;
};
/// Simulates a machine with a pattern and reports where its packets spent their cycles: those of
/// the measurement, as for the latency of the run. Observers of `options` see the run, too. If its
/// window is found during the run
/// (`steady`), packets are kept until then, and the machine is run again if these take more than
/// `kept_bytes`. Throws ConfigError for circuits.
ExplainedTraffic explain_traffic(const Machine& machine, const std::string& engine,
                                 const SimulationOptions& options,
                                 std::size_t kept_bytes = std::size_t{256} << 20);

}  // namespace flitscope
