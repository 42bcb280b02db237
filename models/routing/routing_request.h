// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the builders of routings look at: the configuration, the network, and what kind it is.
#pragma once

#include <cstdint>
#include <string>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/families/express_shape.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/graph.h"

namespace flitscope {

/// What a routing is built for: a network, and the keys that concern it.
struct RoutingRequest {
    const WorkloadConfig& config;
    const Graph& graph;
    Spread spread = Spread::kNone;  ///< of a table

    const ExpressShape* express() const { return graph.shape<ExpressShape>(); }
    const FatTreeShape* fat_tree() const { return graph.shape<FatTreeShape>(); }
    const DragonflyShape* dragonfly() const { return graph.shape<DragonflyShape>(); }
    /// Number of virtual channels that a packet may have.
    std::uint32_t virtual_channels() const { return config.fabric.channels_per_class(); }
    bool is_compound() const { return express() != nullptr && express()->is_compound(); }
    bool has_coordinates() const { return graph.wiring().has_value(); }
    /// A fat tree without nodes further up than the lowest stage.
    bool has_nodes_below_a_fat_tree() const {
        if (fat_tree() == nullptr) return false;
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            if (fat_tree()->stage(graph.router_of(node)) != 0) return false;
        }
        return true;
    }
    /// Whether the network has a wiring with `property`.
    bool has(bool (GridWiring::*property)() const) const {
        return graph.wiring() && (*graph.wiring().*property)();
    }
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
        throw ConfigError(config.where("fabric.routing"), what, remedy);
    }
};

}  // namespace flitscope
