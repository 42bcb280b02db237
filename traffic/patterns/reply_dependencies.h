// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether requests and replies can wait for each other cyclically if nodes accept a limited number
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
class Pattern;
struct WorkloadConfig;

/// `routing` for the deadlock check, in the virtual networks of all classes, with the dependency of
/// requests to a full node on the departure of a reply from it: over its injection channel, where
/// the reply may wait behind requests. So two nodes of a router that send each other requests may
/// wait for each other over no link. Injection channels have their numbers in ChannelMap.
class ReplyDependencies final : public Routing {
public:
    /// For a pattern with `reply_queue`. All arguments must outlive this object.
    ReplyDependencies(const WorkloadConfig& config, const Pattern& pattern, const Routing& routing);

    std::string name() const override { return routing_.name(); }
    PathChoice path_choice() const override { return routing_.path_choice(); }
    void visit_dependencies(const Graph& graph, const DependencyVisitor& visit) const override;

private:
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return routing_.route(at, destination);
    }

    const Pattern& pattern_;
    const Routing& routing_;
    std::uint32_t networks_;
    std::uint32_t channels_;  // per network
    /// Networks of requests, each with that of the replies to them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> exchanges_;
};

/// The cycle of links, each of whose packets wait for those of the next, as
/// find_dependency_cycle() gives it; one of injection channels is within a router. Empty without a
/// cycle, or if nodes accept everything that arrives. `pattern` is that of `config`.
std::vector<VirtualLink> find_reply_cycle(const WorkloadConfig& config, const Pattern& pattern,
                                          const Graph& graph, const Routing& routing);

}  // namespace flitscope
