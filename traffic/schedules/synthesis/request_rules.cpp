// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/request_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/config/node_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/schedules/synthesis/neighbours.h"

namespace flitscope::synthesis {
namespace {

/// The nodes that `from` reaches over links to neighbours, itself included.
std::size_t reached(const Neighbours& network, NodeId from) {
    std::vector<bool> seen(network.nodes);
    std::vector<NodeId> open{from};
    seen[from] = true;
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const std::uint32_t l : network.out[open[i]]) {
            const NodeId next = network.links[l].to;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return open.size();
}

/// More chunks than bytes: rounds would be empty, and wait for each other all the same.
std::optional<Diagnostic> chunk_obstacle(const SynthesisRequest& request, const Graph& graph,
                                         const Location& where) {
    const std::uint64_t most = most_chunks_with_bytes(request, graph);
    if (request.chunks <= most) return std::nullopt;
    const bool is_vector = request.collective == Collective::kAllReduce;
    const std::string pieces =
        is_vector ? fmt::format("{} blocks of {}", graph.working_node_count(), request.chunks)
                  : fmt::format("{}", request.chunks);
    return Diagnostic{where,
                      fmt::format("a {} of {} byte{} cannot be cut into {} chunks",
                                  is_vector ? "vector" : "block", request.bytes,
                                  request.bytes == 1 ? "" : "s", pieces),
                      fmt::format("every chunk has at least one byte: at most {} chunk{} per block",
                                  most, most == 1 ? "" : "s")};
}

}  // namespace

bool is_connected(const Graph& graph, const Routing& routing) {
    const Neighbours network(graph, routing);
    const std::size_t all = graph.working_node_count();
    for (NodeId node = 0; node < network.nodes; ++node) {
        // There and back from any one of them.
        if (graph.is_alive(node)) {
            return reached(network, node) == all && reached(network.backwards(), node) == all;
        }
    }
    return true;
}

bool goes_straight(const SynthesisRequest& request, const Graph& graph) {
    return has_one_destination(request.collective) && !graph.has_per_link_endpoints();
}

std::uint64_t most_chunks_with_bytes(const SynthesisRequest& request, const Graph& graph) {
    const bool is_vector = request.collective == Collective::kAllReduce;
    const std::uint64_t blocks =
        is_vector ? std::max<std::size_t>(graph.working_node_count(), 1) : 1;
    return std::max<std::uint64_t>(request.bytes / blocks, 1);
}

std::optional<Diagnostic> obstacle(const SynthesisRequest& request, const WorkloadConfig& config,
                                   const Graph& graph, const Routing& routing,
                                   const RequestPlaces& where) {
    const char* name = name_of(request.collective);
    const bool is_flow = has_one_destination(request.collective);
    const bool combines = request.method == Method::kCombining;
    if (request.method != Method::kAuto && !combines &&
        (request.method == Method::kFlow) != is_flow) {
        return Diagnostic{
            where.method,
            fmt::format("method {} does not find schedules of {}", name_of(request.method), name),
            fmt::format("use {} or combining", is_flow ? "flow" : "matching, trees")};
    }
    if (combines && request.chunks > 1) {
        return Diagnostic{where.method, "method combining sends several blocks in a message, whole",
                          "leave --chunks away, or use another method"};
    }
    if (auto finding = chunk_obstacle(request, graph, where.chunks)) return finding;
    if (config.fabric.switches_circuits()) {
        return Diagnostic{config.where("fabric.switching"),
                          "no schedules are found for circuits, whose paths are set up one by one",
                          "use wormhole, or a schedule for circuits: aap"};
    }
    if (config.node.port_model != PortModel::kSingle &&
        config.node.port_model != PortModel::kIndependent) {
        return Diagnostic{config.where("node.port_model"),
                          fmt::format("no schedules are found for port_model {}",
                                      name_of(config.node.port_model)),
                          "set node.port_model: independent or single"};
    }
    if (request.method == Method::kTrees && config.node.port_model == PortModel::kSingle) {
        return Diagnostic{where.method,
                          "on trees, nodes forward chunks over several links at a time, and with "
                          "port_model single they have one channel",
                          "use matching, or set node.port_model: independent"};
    }
    if (routing.path_choice() != PathChoice::kFixed) {
        return Diagnostic{config.where("fabric.routing"),
                          fmt::format("messages of a round must not meet, and routing {} does not "
                                      "say which links they take",
                                      routing.name()),
                          "use a routing whose paths are fixed, such as dimension_order"};
    }
    const bool is_root = request.root < graph.node_count() && graph.is_alive(request.root);
    if (has_root(request.collective) && !is_root) {
        const bool is_dead = request.root < graph.node_count();
        return Diagnostic{
            where.root,
            fmt::format("root {} {}", request.root, is_dead ? "has failed" : "does not exist"),
            is_dead ? "name a working node"
                    : fmt::format("nodes are 0 .. {}", graph.node_count() - 1)};
    }
    const bool may_combine = combines || (request.method == Method::kAuto && request.chunks <= 1);
    if (may_combine || goes_straight(request, graph) || is_connected(graph, routing)) {
        return std::nullopt;
    }
    return Diagnostic{where.collective,
                      fmt::format("{} is passed on from neighbour to neighbour, and in {} not "
                                  "every node reaches every other one so",
                                  name, graph.description()),
                      "use a network whose routers have a node each, method combining, or a "
                      "schedule of flitscope list"};
}

}  // namespace flitscope::synthesis
