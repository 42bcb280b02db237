// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing of routers with per-link endpoint ports (hw/TIMING.md, "Port models"): from an
// injection channel to its link, from a link to its ejection channel, between links as usual.
#pragma once

#include <string>

#include "models/base/types.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"

namespace flitscope::hw {

class EndpointRouting final : public Routing {
public:
    /// `graph` and `between`, which fixes its paths, must outlive the routing.
    EndpointRouting(const Graph& graph, const Routing& between)
        : Routing(graph.shared_places()), graph_(graph), between_(between) {}

    std::string name() const override { return between_.name(); }
    PathChoice path_choice() const override { return PathChoice::kPerPacket; }

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return between_.route(at, destination);
    }
    RouteChoice hop(const RouteQuery& query) const override {
        if (query.in_port >= graph_.port_count()) {
            const PortId port = query.in_port - graph_.endpoint_port(0);
            const RouteChoice usual = between_.route(query.at, query.destination);
            // Another link than the usual one leads to the destination itself.
            return usual.port == port ? usual : RouteChoice{port, kAllVirtualChannels};
        }
        if (query.at == router_of(query.destination)) return {graph_.endpoint_port(query.in_port)};
        return between_.route(query.at, query.destination);
    }

    const Graph& graph_;
    const Routing& between_;
};

}  // namespace flitscope::hw
