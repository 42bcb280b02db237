// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The coordinates of all routers of a grid, side by side: routing compares them for every packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/topology/graph.h"

namespace flitscope {

class Coordinates {
public:
    explicit Coordinates(const Graph& graph) : dims_(graph.dims().size()) {
        coordinates_.reserve(graph.router_count() * dims_);
        for (RouterId router; router < graph.router_count(); ++router) {
            for (std::size_t dim = dims_; dim-- > 0;) {
                coordinates_.push_back(static_cast<std::uint16_t>(graph.coordinate(router, dim)));
            }
        }
    }

    /// Fastest-varying dimension first.
    const std::uint16_t* of(RouterId router) const { return coordinates_.data() + router * dims_; }

private:
    std::size_t dims_;
    std::vector<std::uint16_t> coordinates_;
};

}  // namespace flitscope
