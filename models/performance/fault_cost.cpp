// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/fault_cost.h"

#include <fmt/format.h>

#include <memory>

#include "models/config/workload_config.h"
#include "models/routing/routing_factory.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "models/topology/working_nodes.h"

namespace flitscope {

FaultCost measure_faults(const WorkloadConfig& config, const Graph& graph, const Routing& routing) {
    WorkloadConfig whole = config;
    whole.fabric.routing = "auto";
    const std::unique_ptr<Routing> before = make_routing(whole, graph.whole());
    FaultCost cost;
    cost.dead_channels = dead_channels(graph).size();
    cost.dead_links = dead_links(graph).size();
    cost.dead_nodes = dead_nodes(graph).size();
    if (!graph.places().is_one_each()) cost.dead_routers = dead_routers(graph).size();
    cost.left = measure_routing(graph, routing);
    cost.fault_free_routing = before->name();
    cost.whole = measure_routing(graph.whole(), *before, working_nodes(graph));
    return cost;
}

std::string fault_cost_text(const FaultCost& cost, const Routing& routing) {
    const auto count = [](std::size_t number, const char* what) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    std::string text;
    if (cost.dead_channels != 0) {
        text = fmt::format("{} ({}) dead", count(cost.dead_channels, "channel"),
                           count(cost.dead_links, "link"));
    }
    if (cost.dead_nodes != 0) {
        text += (text.empty() ? "" : ", ") + count(cost.dead_nodes, "node") + " dead";
    }
    if (cost.dead_routers != 0) {
        text += (text.empty() ? "" : ", ") + count(cost.dead_routers, "router") + " dead";
    }
    return fmt::format(
        "{}; paths of {} are {:.3f} hops on average and {} at most, those of {} without the "
        "faults {:.3f} and {} ({:+.1f} %)",
        text, routing.name(), cost.left.mean_hops, cost.left.max_hops, cost.fault_free_routing,
        cost.whole.mean_hops, cost.whole.max_hops, 100 * cost.longer());
}

}  // namespace flitscope
