// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be said about a program without simulating it: its steps, the contention of each for
// links and nodes, and whether it is a complete exchange.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/fabric/message.h"
#include "models/routing/routing.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

/// Report on one step of a program. A timed program is reported by its step labels in the same way.
struct StepReport {
    StepId step = 0;              ///< as in the program, from 0; papers and tables print step + 1
    std::uint32_t first = 0;      ///< range of this step in step_order(program)
    std::uint32_t transfers = 0;  ///< messages, >= 1
    std::uint64_t flits = 0;      ///< headers included
    /// Messages over the most used directed link; 0 when no message crosses a link.
    std::uint64_t max_link_contention = 0;
    LinkId busiest_link = kNoLink;   ///< the lowest-numbered of the most used links
    std::uint32_t max_sends = 0;     ///< messages that the busiest source sends
    std::uint32_t max_receives = 0;  ///< messages that the busiest destination receives
};

/// The steps in which something is sent, in ascending order; a step without transfers keeps its
/// number but has no entry.
std::vector<StepReport> analyse(const Program& program, const Graph& graph, const Routing& routing,
                                const PacketFormat& format);

/// Report on whether a program sends exactly one message between every ordered pair of nodes.
struct ExchangeReport {
    std::uint64_t missing = 0;          ///< ordered pairs without a message
    std::uint64_t repeated = 0;         ///< messages beyond the first of a pair
    std::uint64_t self = 0;             ///< messages from a node to itself
    std::vector<std::string> examples;  ///< "0->5 missing", "3->4 sent 2 times"; at most 5

    bool complete() const { return missing == 0 && repeated == 0 && self == 0; }
};
ExchangeReport check_complete_exchange(const Program& program);

}  // namespace flitscope
