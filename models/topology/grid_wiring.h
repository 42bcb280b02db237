// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which hops the dimensions of a grid offer, and the port of each: what the builders of meshes,
// tori, generalized hypercubes, HOWs and express meshes have in common, and all that routing by
// coordinates needs to know about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// One dimension: `side` positions in a line, or in a ring.
struct GridDimension {
    std::uint32_t side = 1;
    std::vector<std::uint32_t> spans{1};  ///< positions that a hop may pass, ascending, 1 first
    bool wraps = false;                   ///< a ring: the last position is next to the first
};

class GridWiring {
public:
    /// `dimensions` in the order of Graph::dims(): the last one varies fastest. With
    /// `one_express_port` all hops longer than 1 share one port behind the others; no node may then
    /// have more than one of them.
    explicit GridWiring(std::vector<GridDimension> dimensions, bool one_express_port = false)
        : dimensions_(std::move(dimensions)),
          first_(dimensions_.size()),
          one_express_port_(one_express_port) {
        for (std::size_t dim = dimensions_.size(); dim-- > 0;) {
            first_[dim] = port_count_;
            const std::size_t spans = one_express_port ? 1 : dimensions_[dim].spans.size();
            port_count_ += static_cast<PortId>(2 * spans);
        }
        if (one_express_port) ++port_count_;
    }

    const std::vector<GridDimension>& dimensions() const { return dimensions_; }
    std::vector<std::uint32_t> sides() const {
        std::vector<std::uint32_t> sides;
        for (const GridDimension& dimension : dimensions_) sides.push_back(dimension.side);
        return sides;
    }
    /// The local port and those of all hops. Dimensions come fastest-varying first, within one the
    /// hops by span, of each the + direction before the - (hw/TIMING.md, "Numbers").
    PortId port_count() const { return port_count_; }
    PortId port(std::size_t dim, std::size_t span_index, bool minus) const {
        if (one_express_port_ && span_index > 0) return port_count_ - 1;
        return first_[dim] + static_cast<PortId>(2 * span_index + (minus ? 1 : 0));
    }

private:
    std::vector<GridDimension> dimensions_;
    std::vector<PortId> first_;  // per dimension: the port of its shortest + hop
    PortId port_count_ = 1;
    bool one_express_port_;
};

}  // namespace flitscope
