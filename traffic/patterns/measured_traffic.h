// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The load that a pattern offered while it was measured, the part that the network delivered, and
// whether the load was too high.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/base/types.h"
#include "traffic/patterns/halves.h"

namespace flitscope {

/// The traffic that one or more nodes generated in the measurement: messages whose send began.
struct GeneratedTraffic {
    std::uint64_t messages = 0;
    std::uint64_t begun = 0;    ///< messages, including before and after the measurement
    std::uint64_t dropped = 0;  ///< messages to dead nodes, which are in no other figure
    Halves flits{};
    Halves futile{};      ///< those of them from and to nodes that die during the run
    double variance = 0;  ///< of the flits that may pile up, over seeds; arrivals more regular
                          ///< than Bernoulli count as Bernoulli
};

struct MeasuredTraffic {
    NodeId nodes = 0;      ///< that are alive
    NodeId senders = 0;    ///< nodes that send at all: a permutation maps some to themselves
    Cycle cycles = 0;      ///< simulated cycles of the measurement
    bool is_whole = true;  ///< all of them
    GeneratedTraffic generated;
    Halves delivered{};  ///< flits of packets whose tail was delivered
    /// Generated less delivered flits that do not wait, because nodes or links have died. Below 0
    /// if a half delivered more of them than it generated.
    std::array<std::int64_t, 2> forgone{};

    std::uint64_t flits_generated() const { return generated.flits[0] + generated.flits[1]; }
    std::uint64_t flits_delivered() const { return delivered[0] + delivered[1]; }
    /// Flits per node and cycle.
    double offered() const { return per_node(flits_generated(), nodes); }
    double accepted() const { return per_node(flits_delivered(), nodes); }
    /// Flits per node and cycle for a number of delivered flits.
    double accepted(std::uint64_t flits) const { return per_node(flits, nodes); }
    /// Flits per sending node and cycle that were offered.
    double offered_by_senders() const { return per_node(flits_generated(), senders); }
    double accepted_of_senders() const { return per_node(flits_delivered(), senders); }

    /// Flits generated that wait to be delivered: how many more at the end than at the start.
    std::int64_t backlog_growth() const { return growth(0) + growth(1); }
    /// More was offered than accepted, and not by chance: the backlog grew by more than three
    /// standard deviations of the generated flits (for m equal messages with Bernoulli arrivals 3
    /// sqrt(m) messages), and a quarter of that or more in the second half, so that it was not the
    /// network filling. Never of part of a measurement.
    bool is_overloaded() const;

private:
    double per_node(std::uint64_t flits, NodeId count) const;
    std::int64_t growth(std::size_t half) const {
        return static_cast<std::int64_t>(generated.flits[half]) -
               static_cast<std::int64_t>(delivered[half]) - forgone[half];
    }
};

}  // namespace flitscope
