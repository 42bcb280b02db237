// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/exchange_schedules.h"

#include <fmt/format.h>

#include <string>

#include "models/base/powers_of_two.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "models/topology/grid_wiring.h"
#include "traffic/schedules/exchange/aap.h"
#include "traffic/schedules/exchange/bounded_contention.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"
#include "traffic/schedules/kinds/requirements.h"

namespace flitscope {
namespace {

ScheduleBuilder naive_from(NaiveOrder order) {
    return [order](const Graph& graph, const WorkloadConfig& config) {
        return naive(graph.node_count(), config.traffic.message_bytes, order);
    };
}

ScheduleBuilder on_hypercube(AapOrder order) {
    return [order](const Graph& graph, const WorkloadConfig& config) {
        return aap(floor_log2(graph.node_count()), config.traffic.message_bytes, order);
    };
}

Program exchange_of_bounded_contention(const Graph& graph, const WorkloadConfig& config) {
    return bounded_contention(graph, config.traffic.message_bytes, config.traffic.contention);
}

/// Why there is no exchange of bounded contention on the network; empty when there is.
std::string mesh_or_torus_obstacle(const Graph& graph) {
    if (!graph.wiring() || !graph.wiring()->is_mesh_or_torus()) {
        return fmt::format("needs a mesh or a torus, which {} is not", graph.description());
    }
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        if (dimension.wraps && dimension.side % 2 != 0) {
            return fmt::format("needs rings of even length, and {} has one of {}",
                               graph.description(), dimension.side);
        }
    }
    return "";
}

std::optional<Diagnostic> needs_mesh_or_torus(const ScheduleRequest& request) {
    const std::string obstacle = mesh_or_torus_obstacle(request.graph);
    if (obstacle.empty()) return std::nullopt;
    return Diagnostic{request.config.where("traffic.schedule"),
                      fmt::format("{} {}", request.schedule.name, obstacle), "use gen"};
}

}  // namespace

std::vector<ScheduleKind> exchange_schedules() {
    return {
        {"pex",
         "complete exchange: step i pairs n with n XOR i; power-of-two nodes",
         {{"",
           "",
           "Thakur, Choudhary and Fox 1993, 3.1",
           {},
           for_nodes(pex),
           {needs_power_of_two_nodes, needs_few_nodes_by_rule},
           true}}},
        {"pex-gen",
         "complete exchange: PEX of the next power of two, partners missing left out",
         {{"",
           "",
           "Thakur, Choudhary and Fox 1993, 3.2",
           {},
           for_nodes(pex_gen),
           {needs_few_nodes},
           true}}},
        {"pex-gen-shift",
         "complete exchange: PEX-GEN with the nodes in the middle of the range",
         {{"",
           "",
           "Thakur, Choudhary and Fox 1993, 3.3",
           {},
           for_nodes(pex_gen_shift),
           {needs_few_nodes},
           true}}},
        {"gen",
         "complete exchange: step i sends n to n + i modulo the node count",
         {{"",
           "",
           "Thakur, Choudhary and Fox 1993, 3.4",
           {},
           for_nodes(gen),
           {needs_few_nodes_by_rule},
           true}}},
        {"naive",
         "complete exchange: every node sends to all others without waiting",
         {{"from_next",
           "n sends to n + 1, n + 2, ...",
           "Bokhari and Nicol 1996, 6",
           {},
           naive_from(NaiveOrder::kFromNext),
           {needs_few_nodes},
           true},
          {"from_zero",
           "n sends to 0, 1, 2, ...: all begin with the same destinations",
           "Bokhari and Nicol 1996, 6",
           {},
           naive_from(NaiveOrder::kFromZero),
           {needs_few_nodes},
           true}}},
        {"bounded-contention",
         "complete exchange on meshes and tori: at most `contention` messages per link and step",
         {{"",
           "",
           "Scott 1991; Bokhari and Nicol 1996, 4, 5",
           {"contention"},
           exchange_of_bounded_contention,
           {needs_a_node_per_router, needs_mesh_or_torus, needs_few_nodes},
           true}}},
        {"aap",
         "complete exchange on hypercubes in edge-disjoint steps",
         {{"by_size",
           "larger sets of dimensions first",
           "Boppana and Raghavendra 1990, 3.2",
           {},
           on_hypercube(AapOrder::kBySize),
           {needs_a_node_per_router, needs_hypercube, needs_few_nodes},
           true},
          {"interleaved",
           "a set of dimensions and its complement per step: the second set-up overlaps the first "
           "message",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {},
           on_hypercube(AapOrder::kInterleaved),
           {needs_a_node_per_router, needs_hypercube, needs_few_nodes},
           true},
          {"interleaved_small_first",
           "the same with the smaller set of the two first",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {},
           on_hypercube(AapOrder::kInterleavedSmallFirst),
           {needs_a_node_per_router, needs_hypercube, needs_few_nodes},
           true},
          {"interleaved_waiting",
           "all sets without a pause: headers wait on the free prefix of their paths",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {},
           on_hypercube(AapOrder::kInterleavedWaiting),
           {needs_a_node_per_router, needs_hypercube, needs_few_nodes},
           true}}},
        {"recursive-exchange",
         "complete exchange by recursive doubling: lg nodes steps of combined messages",
         {{"",
           "",
           "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, all-to-all",
           {},
           for_nodes(recursive_exchange),
           {needs_power_of_two_nodes}}}},
    };
}

}  // namespace flitscope
