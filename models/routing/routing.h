// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which output a packet asks for. A routing function is a pure function of where a packet is and
// where it goes, so the same object serves the simulators, the bounds and the deadlock check.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "models/types.h"

namespace flitscope {

/// What a head flit asks of its router: an output port, and the virtual channels of that output
/// that it may be given (bit v = virtual channel v).
struct RouteChoice {
    PortId port = kLocalPort;
    std::uint8_t virtual_channels = 0xff;
};

class Routing {
public:
    virtual ~Routing() = default;

    virtual std::string name() const = 0;

    /// The choice at node `at` for a packet to `destination`; the port is kLocalPort exactly when
    /// the two are equal.
    virtual RouteChoice route(NodeId at, NodeId destination) const = 0;

    /// Calls `visit(a, b)` for pairs of links such that a packet may hold link `a` while it waits
    /// for link `b`: every pair that can occur, possibly more, possibly repeated. The default
    /// follows every destination, nodes^2 route() calls; override it where the turns of the
    /// algorithm are known.
    using DependencyVisitor = std::function<void(LinkId holds, LinkId wants)>;
    virtual void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const;
};

/// The links of the route from `source` to `destination`, in order (empty when they are equal).
/// Throws std::logic_error when the route does not arrive within node_count() hops.
std::vector<LinkId> route_links(const Graph& graph, const Routing& routing, NodeId source,
                                NodeId destination);

}  // namespace flitscope
