// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a routing of fixed paths answers at one router. Every head that comes by asks; a look into a
// table takes a tenth of the instructions of most routings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope::hw {

/// Asks for each destination once, when its first packet comes: so short runs pay for what they
/// use. A router's answers are few and repeat, so the table has a byte per node. In a network of
/// more than kMostNodes nodes, whose tables would fill caches and memory, it asks each time.
class RememberedRoutes {
public:
    static constexpr NodeId kMostNodes = 1024;

    /// `routing` must outlive it; the table is in `memory`, and is freed with it. Null: no table.
    RememberedRoutes(const Routing& routing, RouterId router, std::pmr::memory_resource* memory)
        : routing_(routing), router_(router) {
        const NodeId nodes = routing.places()->node_count();
        if (memory == nullptr || nodes > kMostNodes) return;
        nodes_ = nodes;
        numbers_ = static_cast<std::uint8_t*>(memory->allocate(nodes, 1));
        forget();
    }

    /// Routing::route() of a packet to `destination`: a node, unless its header was damaged.
    RouteChoice to(NodeId destination) {
        const std::uint8_t number = destination < nodes_ ? numbers_[destination] : kUnknown;
        return number != kUnknown ? choices_[number - 1] : ask(destination);
    }
    /// The routing answers otherwise from now on.
    void forget() {
        std::fill_n(numbers_, nodes_, kUnknown);
        choices_.clear();
    }

private:
    static constexpr std::uint8_t kUnknown = 0;

    RouteChoice ask(NodeId destination);

    const Routing& routing_;
    RouterId router_;
    NodeId nodes_ = 0;                  // in the table
    std::uint8_t* numbers_ = nullptr;   // per node: number of its answer in choices_, from 1 on
    std::vector<RouteChoice> choices_;  // the answers so far
};

}  // namespace flitscope::hw
