// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A wire of a network (graph.h).
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

inline constexpr std::uint32_t kNoDimension = UINT32_MAX;

/// Cycles per flit of the slowest link.
inline constexpr std::uint32_t kMostRateCycles = 64;

/// One directed link between two routers.
struct Link {
    RouterId from;
    PortId from_port = 0;
    RouterId to;
    PortId to_port = 0;
    std::uint32_t dimension = kNoDimension;  ///< grids: index into Graph::dims()
    std::uint32_t length = 1;                ///< wire length in tiles of a node, >= 1
    std::uint32_t delay = 1;                 ///< link_delay in cycles, >= 1
    std::uint32_t rate_cycles = 1;           ///< minimum cycles per flit, >= 1
    std::uint32_t rank = 0;  ///< among parallel links, those with the same ends, by their ids
    double mm = 0;           ///< the length in mm; 0 unless wires are physical
};

}  // namespace flitscope
