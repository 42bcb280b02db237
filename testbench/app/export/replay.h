// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A run, flit by flit: the flits that network interfaces inject, and those that arrive, with their
// cycles. A test bench replays the former and expects the latter.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

/// A flit at the pins of its node.
struct FlitEvent {
    Cycle cycle = 0;
    NodeId node = 0;
    NodeId source = 0;           ///< of its packet
    NodeId destination = 0;      ///< of its packet
    std::uint32_t packet = 0;    ///< its number at the source, from 0
    std::uint64_t position = 0;  ///< in the packet; 0 is the head
    std::uint32_t vc = 0;
    bool head = false;
    bool tail = false;
    bool more = false;  ///< another packet of its message follows
    Cycle begin = 0;    ///< in which the send of its message began
    std::uint64_t word = 0;
};

/// A run to be replayed. Both lists are sorted by cycle, then by node.
struct Replay {
    std::vector<FlitEvent> injected;
    std::vector<FlitEvent> delivered;
    Cycle last_cycle = 0;  ///< of the last delivery
    std::uint64_t packets = 0;
};

/// Simulates the machine with the SystemC routers, and puts the flits into `replay` if the run is
/// complete. Needs a SystemC kernel in which nothing has been elaborated yet, and throws as
/// simulate() does.
SimulationResult record_replay(const Machine& machine, const SimulationOptions& options,
                               Replay& replay);

}  // namespace flitscope
