// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/collective_schedules.h"

#include <fmt/format.h>

#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/schedules/collectives/tree_collectives.h"
#include "traffic/schedules/collectives/vector_schedules.h"
#include "traffic/schedules/kinds/requirements.h"

namespace flitscope {
namespace {

Program dimension_order_broadcast(const Graph& graph, const WorkloadConfig& config) {
    return broadcast_dimension_order(graph, config.traffic.root, config.traffic.message_bytes);
}

/// Requires room for hops x pieces messages.
std::optional<Diagnostic> needs_pieces_that_fit(const ScheduleRequest& request) {
    const NodeId nodes = request.graph.node_count();
    const std::uint32_t pieces = request.config.traffic.chunks;
    if (pieces <= most_pieces(nodes)) {
        const std::uint64_t hops = std::max<NodeId>(nodes, 1) - 1;
        return needs_room_for(request, hops * pieces, "");
    }
    return Diagnostic{
        request.config.where("traffic.chunks"),
        fmt::format("{} chunks among {} nodes are too many", pieces, nodes),
        fmt::format("at most {}, or 0 to have the number chosen", most_pieces(nodes))};
}

}  // namespace

std::vector<ScheduleKind> collective_schedules() {
    return {
        {"broadcast",
         "root to all",
         {{"binomial",
           "the nodes informed double in every step; any network",
           "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"},
           from_root(broadcast_binomial),
           {needs_root}},
          {"dimension_order",
           "halving along one dimension after the other, links of a step disjoint on meshes; the "
           "spanning binomial tree of a hypercube",
           "McKinley et al. 1994; Barnett et al. 1996; Johnsson and Ho 1989",
           {"root"},
           dimension_order_broadcast,
           {needs_a_node_per_router, needs_grid, needs_root}},
          {"scatter_allgather",
           "binomial scatter, then the pieces round a ring; any network",
           "Barnett et al. 1994; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"},
           broadcast_scatter_allgather,
           {needs_root, needs_few_nodes}},
          {"scatter_doubling",
           "binomial scatter, then recursive doubling; power-of-two nodes",
           "Barnett et al. 1994; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"},
           broadcast_scatter_doubling,
           {needs_power_of_two_nodes, needs_root}},
          {"pipelined_chain",
           "`chunks` chunks along a chain of links, pipelined; any network",
           "Watts and van de Geijn 1995; Patarasuk, Yuan and Faraj 2008",
           {"root", "chunks"},
           broadcast_chain,
           {needs_root, needs_pieces_that_fit}},
          {"pipelined_tree",
           "`chunks` chunks down a binary tree; any network",
           "Patarasuk, Yuan and Faraj 2008",
           {"root", "chunks"},
           broadcast_tree,
           {needs_root, needs_pieces_that_fit}}}},
        {"reduce",
         "the vectors of all nodes combined at the root",
         {{"binomial",
           "the nodes that have not handed theirs over halve in every step; any network",
           "Thakur, Rabenseifner and Gropp 2005, reduce; Chan et al. 2007",
           {"root"},
           reduce_binomial,
           {needs_root}},
          {"dimension_order",
           "the broadcast of that name backwards, links of a step disjoint on meshes",
           "Barnett et al. 1996; Johnsson and Ho 1989",
           {"root"},
           reduce_dimension_order,
           {needs_a_node_per_router, needs_grid, needs_root}},
          {"pipelined_chain",
           "`chunks` chunks along a chain of links to the root; any network",
           "Watts and van de Geijn 1995",
           {"root", "chunks"},
           reduce_chain,
           {needs_root, needs_pieces_that_fit}}}},
        {"allreduce",
         "the vectors of all nodes combined at every node",
         {{"recursive_doubling",
           "exchange of whole vectors with n XOR 2^k; any network",
           "Thakur, Rabenseifner and Gropp 2005, reduce and allreduce",
           {},
           allreduce_recursive_doubling},
          {"rabenseifner",
           "recursive halving, then recursive doubling; any network",
           "Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005, reduce and allreduce",
           {},
           allreduce_rabenseifner},
          {"ring",
           "reduce-scatter, then allgather round a ring of links; any network",
           "Patarasuk and Yuan 2009",
           {},
           allreduce_round_a_ring,
           {needs_few_nodes_for_pieces}},
          {"reduce_broadcast",
           "binomial reduction, then binomial broadcast; any network",
           "Chan et al. 2007",
           {"root"},
           allreduce_reduce_broadcast,
           {needs_root}}}},
        {"reduce-scatter",
         "block n of the vectors of all nodes combined at node n",
         {{"ring",
           "every block once round a ring of links; any network",
           "Patarasuk and Yuan 2009",
           {},
           reduce_scatter_round_a_ring,
           {needs_few_nodes_by_rule}},
          {"recursive_halving",
           "exchange of halves with n XOR 2^k; power-of-two nodes",
           "Thakur, Rabenseifner and Gropp 2005, reduce-scatter",
           {},
           reduce_scatter_recursive_halving,
           {needs_power_of_two_nodes}}}},
        {"allgather",
         "all to all, one block each",
         {{"ring",
           "each passes on to its successor what it received; any network",
           "Thakur, Rabenseifner and Gropp 2005, allgather; Patarasuk and Yuan 2009",
           {},
           for_nodes(allgather_ring),
           {needs_few_nodes_by_rule}},
          {"recursive_doubling",
           "exchange with n XOR 2^k of all blocks held; power-of-two nodes",
           "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, allgather",
           {},
           for_nodes(allgather_recursive_doubling),
           {needs_power_of_two_nodes}}}},
        {"scatter",
         "root sends each node its block",
         {{"direct",
           "one message per step to each node; any network",
           "Johnsson and Ho 1989",
           {"root"},
           from_root(scatter_direct),
           {needs_root},
           true},
          {"binomial",
           "the holder of blocks hands half of them on; any network",
           "Johnsson and Ho 1989; Barnett et al. 1994",
           {"root"},
           from_root(scatter_binomial),
           {needs_root}}}},
    };
}

}  // namespace flitscope
