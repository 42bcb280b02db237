// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "traffic/computations/grid_computations.h"
#include "traffic/computations/semigroup.h"
#include "traffic/computations/value_operations.h"

namespace flitscope {
namespace {

bool is_express(const Graph& graph) { return graph.kind() == "express_mesh"; }

ExpressShape express_shape(const TopologyConfig& topology) {
    return {topology.dims, topology.segment, topology.layout, topology.levels};
}

[[noreturn]] void refuse(const Config& config, const std::string& key, const std::string& what,
                         const std::string& remedy) {
    throw ConfigError(config.where(key), what, remedy);
}

/// The network as lines, each of which can be walked by itself.
ComputationGrid require_lines(const Config& config, const Graph& graph, const std::string& who,
                              const std::string& key) {
    auto grid = ComputationGrid::of(graph);
    if (grid) return *std::move(grid);
    if (is_express(graph)) {
        refuse(config, key,
               fmt::format("{} needs express links in every line, which {} does not have", who,
                           graph.description()),
               key == "traffic.algorithm" ? "use submeshes, or fabric.topology.layout: full"
                                          : "use fabric.topology.layout: full");
    }
    refuse(config, "traffic.schedule",
           fmt::format("{} needs nodes that stand in lines, which {} does not have", who,
                       graph.description()),
           "use a mesh, torus, HOW, generalized hypercube, hypercube or express mesh");
}

void require_plane(const Config& config, const Graph& graph, const ComputationGrid& grid) {
    if (grid.dims() == 2) return;
    refuse(
        config, "traffic.schedule",
        fmt::format("{} needs rows and columns, and {} has {} dimension{}", config.traffic.schedule,
                    graph.description(), grid.dims(), grid.dims() == 1 ? "" : "s"),
        "give fabric.topology.dims two sides");
}

SemigroupPlan semigroup_plan(const Config& config, const Graph& graph, const Operator& combine) {
    const TopologyConfig& topology = config.fabric.topology;
    std::string algorithm = config.traffic.algorithm;
    if (algorithm.empty()) {
        algorithm =
            is_express(graph) && topology.layout != ExpressLayout::kFull ? "submeshes" : "rows";
    }
    if (algorithm == "rows") {
        const char* const key =
            config.traffic.algorithm.empty() ? "traffic.schedule" : "traffic.algorithm";
        return semigroup_by_rows(require_lines(config, graph, "algorithm rows", key), combine);
    }
    if (!is_express(graph)) {
        refuse(config, "traffic.algorithm",
               fmt::format("algorithm {} needs an express mesh, which {} is not", algorithm,
                           graph.description()),
               "use rows");
    }
    if (algorithm == "submeshes") {
        return semigroup_by_submeshes(express_shape(topology), combine);
    }
    const bool fits = topology.dims.size() == 2 && (topology.layout == ExpressLayout::kSparse ||
                                                    topology.layout == ExpressLayout::kFull);
    if (!fits) {
        refuse(config, "traffic.algorithm",
               fmt::format("algorithm {} is for the sparse and the full layout of two dimensions, "
                           "not for {}",
                           algorithm, graph.description()),
               "use submeshes");
    }
    return semigroup_by_submesh_rows(express_shape(topology), combine,
                                     algorithm == "row_major_printed");
}

Computation semigroup(const Config& config, const Graph& graph) {
    const ValueOperation& operation = value_operation(config.traffic.operation);
    SemigroupPlan semigroup = semigroup_plan(config, graph, operation.combine);
    const std::uint32_t per_node = config.traffic.values_per_node;
    Computation result;
    result.plan = std::move(semigroup.plan);
    result.initial = Registers(result.plan.nodes, result.plan.registers);
    result.text = operation.text;
    Value all;
    std::uint64_t count = 0;
    for (const NodeId node : semigroup.sequence) {
        Value& own = result.initial.at(node, semigroup.id);
        for (std::uint32_t i = 0; i < per_node; ++i) {
            const Value next = operation.draw(config.seed, count++);
            own = operation.combine(own, next);
            all = operation.combine(all, next);
        }
    }
    result.name = fmt::format("semigroup {} of {} values", operation.name, count);
    result.expected.push_back({semigroup.result_node, semigroup.result, all});
    return result;
}

}  // namespace

Computation build_computation(const Config& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    if (traffic.schedule == "semigroup") return semigroup(config, graph);
    const ComputationGrid grid = require_lines(config, graph, traffic.schedule, "traffic.schedule");
    if (traffic.schedule == "prefix") {
        return prefix(grid, value_operation(traffic.operation), traffic.values_per_node,
                      config.seed);
    }
    if (traffic.schedule == "median") return median(grid, config.seed);
    require_plane(config, graph, grid);
    if (traffic.schedule == "median-row") return median_row(grid, config.seed);
    return closest_neighbour(grid, config.seed);
}

}  // namespace flitscope
