// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether requests and replies can wait for each other cyclically if nodes accept a limited number
// of requests (hw/TIMING.md, "Requests and replies"; message-dependent deadlock).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct FabricConfig;

/// Which requests there are, and the replies to them.
struct Exchanges {
    /// Classes of requests, each with that of the replies to them.
    std::vector<std::pair<MessageClass, MessageClass>> classes;
    /// Whether nodes take a limited number of requests.
    std::function<bool(NodeId node)> may_refuse;
    /// Whether a node sends requests to another one of the same router.
    std::function<bool(NodeId from, NodeId to)> sends;
    /// Whether requests to the node may come over a link to its router, and whether messages of the
    /// class of its replies may leave it over a link from there. Empty: over any.
    std::function<bool(NodeId node, LinkId link)> enters = {};
    std::function<bool(NodeId node, LinkId link)> leaves = {};
};

/// `routing` for the deadlock check, in the virtual networks of all classes, with the dependency of
/// requests to a full node on the departure of a reply from it: over its injection channel, where
/// the reply may wait behind requests. So two nodes of a router that send each other requests may
/// wait for each other over no link. Injection channels have their numbers in ChannelMap.
class ReplyDependencies final : public Routing {
public:
    /// `routing` must outlive this object.
    ReplyDependencies(const FabricConfig& fabric, Exchanges exchanges, const Routing& routing);

    std::string name() const override { return routing_.name(); }
    PathChoice path_choice() const override { return routing_.path_choice(); }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override;

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }

    const Routing& routing_;
    Exchanges exchanges_;
    std::uint32_t networks_;
    std::uint32_t channels_;  // per network
};

}  // namespace flitscope
