// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/vector_schedules.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/config/packet_format.h"
#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/schedules/collectives/node_order.h"
#include "traffic/schedules/collectives/ring_rule.h"
#include "traffic/schedules/collectives/tree_collectives.h"
#include "traffic/schedules/collectives/vector_collectives.h"
#include "traffic/schedules/collectives/vector_plan.h"

namespace flitscope {
namespace {

using Pipeline = VectorPlan (*)(const NodeOrder&, NodeId, std::uint32_t);

/// message_bytes is the whole vector.
Program of_vectors(const VectorPlan& plan, const WorkloadConfig& config) {
    return to_program(plan, even_pieces(config.traffic.message_bytes, plan.pieces));
}

/// message_bytes is the piece of a node.
Program of_blocks(const VectorPlan& plan, const WorkloadConfig& config) {
    return to_program(plan, std::vector<std::uint64_t>(plan.pieces, config.traffic.message_bytes));
}

/// The pieces with which steps `busy` after each other take the least time.
std::uint32_t pieces_of(const WorkloadConfig& config, NodeId nodes, std::uint64_t busy,
                        std::uint64_t depth) {
    const TrafficConfig& traffic = config.traffic;
    if (traffic.chunks != 0) return traffic.chunks;
    const PacketFormat format = config.packet_format();
    const double cycles_per_flit =
        static_cast<double>(config.node.injection_bandwidth.denominator) /
        config.node.injection_bandwidth.numerator;
    const double header = format.header_flits;
    const double flits =
        std::max(static_cast<double>(format.message_flits(traffic.message_bytes)) - header, 1.0);
    double per_message = config.node.send_overhead + header * cycles_per_flit;
    if (traffic.barrier) {
        const BarrierCost cost{traffic.barrier->per_doubling, traffic.barrier->fixed};
        per_message += config.node.recv_overhead + static_cast<double>(cost.cycles(nodes));
    }
    const auto most =
        static_cast<std::uint32_t>(std::min(flits, static_cast<double>(most_pieces(nodes))));
    return best_pieces(busy, depth, per_message, flits * cycles_per_flit, most);
}

VectorPlan pipelined(Pipeline pipeline, std::uint64_t busy, const Graph& graph,
                     const WorkloadConfig& config) {
    const NodeOrder order = linked_order(graph);
    const NodeId root = config.traffic.root;
    const std::uint64_t depth = pipeline(order, root, 1).steps.size();
    return pipeline(order, root, pieces_of(config, graph.node_count(), busy, depth));
}

VectorPlan binomial(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    return whole_vectors(
        broadcast_binomial(graph.node_count(), traffic.root, traffic.message_bytes));
}

/// A broadcast backwards.
Program reduction(VectorPlan broadcast, const WorkloadConfig& config) {
    VectorPlan plan = reversed(std::move(broadcast));
    plan.name = "reduce";
    return of_vectors(plan, config);
}

}  // namespace

std::uint32_t most_pieces(NodeId nodes) {
    const std::uint64_t hops = std::max<std::uint64_t>(nodes, 2) - 1;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(kMaxTransfers / hops, 65536));
}

Program broadcast_scatter_allgather(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(scatter_ring_allgather(linked_order(graph), config.traffic.root), config);
}

Program broadcast_scatter_doubling(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(scatter_doubling(graph.node_count(), config.traffic.root), config);
}

Program broadcast_chain(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(pipelined(pipelined_chain, 1, graph, config), config);
}

Program broadcast_tree(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(pipelined(pipelined_tree, 2, graph, config), config);
}

Program reduce_binomial(const Graph& graph, const WorkloadConfig& config) {
    return reduction(binomial(graph, config), config);
}

Program reduce_dimension_order(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    return reduction(
        whole_vectors(broadcast_dimension_order(graph, traffic.root, traffic.message_bytes)),
        config);
}

Program reduce_chain(const Graph& graph, const WorkloadConfig& config) {
    return reduction(pipelined(pipelined_chain, 1, graph, config), config);
}

Program allreduce_recursive_doubling(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(allreduce_doubling(graph.node_count()), config);
}

Program allreduce_rabenseifner(const Graph& graph, const WorkloadConfig& config) {
    return of_vectors(allreduce_halving_doubling(graph.node_count()), config);
}

Program allreduce_round_a_ring(const Graph& graph, const WorkloadConfig& config) {
    const NodeOrder order = linked_order(graph);
    const auto nodes = static_cast<std::uint32_t>(order.nodes.size());
    const std::uint64_t bytes = config.traffic.message_bytes;
    // Pieces of several lengths are listed.
    if (bytes % nodes != 0) return of_vectors(allreduce_ring(order), config);
    auto rule = std::make_shared<RingRule>(order.nodes, 2 * (nodes - 1));
    return program_by_rule("allreduce", std::move(rule), bytes / nodes);
}

Program allreduce_reduce_broadcast(const Graph& graph, const WorkloadConfig& config) {
    const VectorPlan broadcast = binomial(graph, config);
    return of_vectors(allreduce_both(reversed(broadcast), broadcast), config);
}

Program reduce_scatter_round_a_ring(const Graph& graph, const WorkloadConfig& config) {
    const NodeOrder order = linked_order(graph);
    const auto nodes = static_cast<std::uint32_t>(order.nodes.size());
    return program_by_rule("reduce-scatter", std::make_shared<RingRule>(order.nodes, nodes - 1),
                           config.traffic.message_bytes);
}

Program reduce_scatter_recursive_halving(const Graph& graph, const WorkloadConfig& config) {
    return of_blocks(reduce_scatter_halving(graph.node_count()), config);
}

}  // namespace flitscope
