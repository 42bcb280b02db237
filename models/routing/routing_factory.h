// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From the routing key of a configuration to a routing function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/routing/routing.h"

namespace flitscope {

/// Corrects the coordinates one dimension after the other, the fastest-varying first: XY routing
/// on a mesh, e-cube (lowest differing bit first) on a binary hypercube. Minimal, deadlock-free.
std::unique_ptr<Routing> make_dimension_order(const Graph& graph);

/// A table of shortest paths, for any graph; among equals the lowest port. Not deadlock-free in
/// general: the channel-dependency check decides.
std::unique_ptr<Routing> make_shortest_path(const Graph& graph);

/// The routing that `config.fabric.routing` names; "auto" is dimension_order on meshes and
/// hypercubes and shortest_path on custom graphs. Throws ConfigError when the two do not fit.
std::unique_ptr<Routing> make_routing(const Config& config, const Graph& graph);

struct RoutingKind {
    std::string name;
    std::string summary;
};
const std::vector<RoutingKind>& routing_kinds();

}  // namespace flitscope
