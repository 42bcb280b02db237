// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether requests and replies can wait for each other in a circle if nodes accept a limited number
// of requests (hw/TIMING.md, "Requests and replies"; message-dependent deadlock).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// `routing` for the deadlock check, in the virtual networks of all classes, with the dependency of
/// requests to a full node on the departure of a reply from it.
class ReplyDependencies final : public Routing {
public:
    /// For a pattern with `reply_queue`. All arguments must outlive this object.
    ReplyDependencies(const WorkloadConfig& config, const Routing& routing);

    std::string name() const override { return routing_.name(); }
    PathChoice path_choice() const override { return routing_.path_choice(); }
    RouteChoice route(NodeId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override;

private:
    const Routing& routing_;
    std::uint32_t networks_;
    std::uint32_t channels_;  // per node
    /// Networks of requests, each with that of the replies to them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> exchanges_;
};

/// The circle of links, each of whose packets wait for those of the next; empty without a circle,
/// or if nodes accept everything that arrives.
std::vector<VirtualLink> find_reply_cycle(const WorkloadConfig& config, const Graph& graph,
                                          const Routing& routing);

}  // namespace flitscope
