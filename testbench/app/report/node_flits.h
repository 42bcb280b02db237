// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What each node put into the network and took out of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

struct Machine;
struct SimulationResult;

/// Of all channels of a node, in all planes.
struct NodeFlits {
    std::uint64_t injected = 0;
    std::uint64_t ejected = 0;
    /// Cycles in which packets held its channels and sent nothing; 0 if not counted
    /// (SimulationOptions::count_blocked).
    Cycle injection_blocked = 0;
    // In the cycles of SimulationResult::window.
    std::uint64_t measured_injected = 0;
    std::uint64_t measured_ejected = 0;
};

/// By node, those that have failed included.
std::vector<NodeFlits> node_flits(const Machine& machine, const SimulationResult& result);

/// The sending nodes that could inject least and most.
struct InjectedRange {
    struct End {
        NodeId node = 0;
        double rate = 0;  ///< flits per cycle of SimulationResult::window
    };
    End least;
    End most;
};

/// For a pattern of which something was measured; else nothing. Of several nodes the first.
std::optional<InjectedRange> injected_range(const Machine& machine, const SimulationResult& result);

}  // namespace flitscope
