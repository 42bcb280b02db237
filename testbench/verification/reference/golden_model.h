// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The golden model: hw/TIMING.md transcribed as literally as possible, flit by flit and cycle by
// cycle, without SystemC. Tests judge every fabric by it, so it shares no code with any of them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/loss_counts.h"
#include "models/routing/routing.h"
#include "testbench/verification/reference/golden_witness.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct Config;
struct FaultedNetwork;

/// The life of one packet; an event that did not happen within the run is kNever.
struct GoldenPacket {
    MessageId message = 0;
    std::uint32_t index = 0;  ///< packet number within its message
    Cycle begin = kNever;     ///< cycle in which the send of the message began
    Cycle head_injected = kNever;
    Cycle tail_injected = kNever;
    Cycle head_delivered = kNever;
    Cycle tail_delivered = kNever;
};

/// A maximal run of cycles in each of which a channel sends a flit.
struct BusyInterval {
    Cycle first = 0;
    Cycle last_plus_one = 0;
};

struct GoldenResult {
    bool completed = false;  ///< every packet of the program, and of replies, was delivered, or, in
                             ///< a closed loop, given up
    Cycle makespan = 0;      ///< cycle of the last delivery + 1; 0 when nothing was delivered
    std::vector<GoldenPacket> packets;            ///< all packets, sorted by message, then index
    std::vector<std::vector<BusyInterval>> busy;  ///< per ChannelId, in order of time
    std::vector<std::uint64_t> flits_sent;        ///< per ChannelId
    LossCounts losses;                            ///< for faults while running, and repeats
};

/// Plays `program` on the machine; `graph` carries delays and rates of links. With
/// `traffic.reply_bytes` each message of a timed program is a request, and of N messages number N +
/// m is the reply to number m (nodes of one channel). Simulates no more than the cycles 0 ..
/// max_cycles - 1: a program that can never end runs into `max_cycles`. Throws
/// std::invalid_argument for a program that does not fit the graph, std::logic_error for a route
/// that leads to an unconnected port, or to another node. `witness` records everything; it is empty
/// before. `later` is the network that replaces this one, or null. If packets may be lost or
/// retransmitted, all cycles are simulated: something may happen after the last delivery.
GoldenResult run_golden(const Config& config, const Graph& graph, const Routing& routing,
                        const Program& program, Cycle max_cycles, GoldenWitness* witness = nullptr,
                        const FaultedNetwork* later = nullptr);

}  // namespace flitscope
