// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/computations/grid_computations.h"
#include "traffic/computations/semigroup.h"
#include "traffic/computations/value_operations.h"

namespace flitscope {
namespace {

[[noreturn]] void refuse(const WorkloadConfig& config, const std::string& key,
                         const std::string& what, const std::string& remedy) {
    throw ConfigError(config.where(key), what, remedy);
}

/// The network as lines, each of which can be walked by itself.
ComputationGrid require_lines(const WorkloadConfig& config, const Graph& graph,
                              const std::string& who, const std::string& key) {
    auto grid = ComputationGrid::of(graph);
    if (grid) return *std::move(grid);
    if (graph.shape<ExpressShape>() != nullptr) {
        refuse(config, key,
               fmt::format("{} needs express links in every line, which {} does not have", who,
                           graph.description()),
               key == "traffic.algorithm" ? "use submeshes, or fabric.topology.layout: full"
                                          : "use fabric.topology.layout: full");
    }
    refuse(config, "traffic.schedule",
           fmt::format("{} needs nodes in lines, which {} does not have", who, graph.description()),
           "use a mesh, torus, HOW, generalized hypercube, hypercube or express mesh");
}

void require_plane(const WorkloadConfig& config, const Graph& graph, const ComputationGrid& grid) {
    if (grid.dims() == 2) return;
    refuse(
        config, "traffic.schedule",
        fmt::format("{} needs rows and columns, and {} has {} dimension{}", config.traffic.schedule,
                    graph.description(), grid.dims(), grid.dims() == 1 ? "" : "s"),
        "give fabric.topology.dims two sides");
}

/// An algorithm on express links of sparse and full layouts of two dimensions.
const ExpressShape& require_submesh_rows(const WorkloadConfig& config, const Graph& graph,
                                         const ExpressShape& shape) {
    if (shape.sides.size() == 2 && shape.joins_terminals()) return shape;
    refuse(config, "traffic.algorithm",
           fmt::format("algorithm {} is for the sparse and the full layout of two dimensions, not "
                       "for {}",
                       config.traffic.algorithm, graph.description()),
           "use submeshes");
}

const ExpressShape& require_express_mesh(const WorkloadConfig& config, const Graph& graph) {
    if (const auto* const shape = graph.shape<ExpressShape>()) return *shape;
    refuse(config, "traffic.algorithm",
           fmt::format("algorithm {} needs an express mesh, which {} is not",
                       config.traffic.algorithm, graph.description()),
           "use rows");
}

bool has_few_lines(const Graph& graph) {
    const auto* const shape = graph.shape<ExpressShape>();
    return shape != nullptr && shape->layout != ExpressLayout::kFull;
}

using SemigroupAlgorithm = SemigroupPlan (*)(const WorkloadConfig&, const Graph&, const Operator&);

SemigroupPlan rows(const WorkloadConfig& config, const Graph& graph, const Operator& combine) {
    const char* const key =
        config.traffic.algorithm.empty() ? "traffic.schedule" : "traffic.algorithm";
    return semigroup_by_rows(require_lines(config, graph, "algorithm rows", key), combine);
}

SemigroupPlan submeshes(const WorkloadConfig& config, const Graph& graph, const Operator& combine) {
    return semigroup_by_submeshes(require_express_mesh(config, graph), combine);
}

template <bool kAsPrinted>
SemigroupPlan submesh_rows(const WorkloadConfig& config, const Graph& graph,
                           const Operator& combine) {
    const ExpressShape& shape = require_express_mesh(config, graph);
    return semigroup_by_submesh_rows(require_submesh_rows(config, graph, shape), combine,
                                     kAsPrinted);
}

/// Chooses by the network the algorithm that the user leaves open.
SemigroupPlan rows_or_submeshes(const WorkloadConfig& config, const Graph& graph,
                                const Operator& combine) {
    return (has_few_lines(graph) ? submeshes : rows)(config, graph, combine);
}

template <SemigroupAlgorithm kAlgorithm>
Computation semigroup_by(const WorkloadConfig& config, const Graph& graph) {
    const ValueOperation& operation = value_operation(config.traffic.operation);
    SemigroupPlan semigroup = kAlgorithm(config, graph, operation.combine);
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

Computation prefix_of_lines(const WorkloadConfig& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    const ComputationGrid grid = require_lines(config, graph, traffic.schedule, "traffic.schedule");
    return prefix(grid, value_operation(traffic.operation), traffic.values_per_node, config.seed);
}

Computation median_of_lines(const WorkloadConfig& config, const Graph& graph) {
    const std::string& name = config.traffic.schedule;
    return median(require_lines(config, graph, name, "traffic.schedule"), config.seed);
}

/// A computation on rows and columns.
template <Computation (*kCompute)(const ComputationGrid&, std::uint64_t)>
Computation of_plane(const WorkloadConfig& config, const Graph& graph) {
    const std::string& name = config.traffic.schedule;
    const ComputationGrid grid = require_lines(config, graph, name, "traffic.schedule");
    require_plane(config, graph, grid);
    return kCompute(grid, config.seed);
}

/// Names as in computation_schedules.cpp; a schedule whose algorithm is left open has a separate
/// row.
struct NamedComputation {
    const char* schedule;
    const char* algorithm;
    Computation (*compute)(const WorkloadConfig&, const Graph&);
};

constexpr NamedComputation kComputations[] = {
    {"semigroup", "", semigroup_by<rows_or_submeshes>},
    {"semigroup", "rows", semigroup_by<rows>},
    {"semigroup", "submeshes", semigroup_by<submeshes>},
    {"semigroup", "row_major", semigroup_by<submesh_rows<false>>},
    {"semigroup", "row_major_printed", semigroup_by<submesh_rows<true>>},
    {"prefix", "", prefix_of_lines},
    {"median-row", "", of_plane<median_row>},
    {"median", "", median_of_lines},
    {"closest-neighbour", "", of_plane<closest_neighbour>},
};

}  // namespace

std::string semigroup_default(const Graph& graph) {
    return has_few_lines(graph) ? "submeshes" : "rows";
}

Computation build_computation(const WorkloadConfig& config, const Graph& graph) {
    const TrafficConfig& traffic = config.traffic;
    for (const NamedComputation& known : kComputations) {
        if (traffic.schedule == known.schedule && traffic.algorithm == known.algorithm) {
            return known.compute(config, graph);
        }
    }
    throw std::logic_error(
        fmt::format("no computation {} {}", traffic.schedule, traffic.algorithm));
}

}  // namespace flitscope
