// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/program/operation_builder.h"
#include "traffic/schedules/kernels/kernels.h"
#include "traffic/schedules/kernels/process_grid.h"

namespace flitscope {
namespace {

using After = OperationBuilder::After;

Program halo(const Graph& graph, const WorkloadConfig& config, std::size_t dimensions) {
    const TrafficConfig& traffic = config.traffic;
    const ProcessGrid grid(graph, dimensions);
    OperationBuilder builder(traffic.schedule, graph.node_count());
    for (NodeId node = 0; node < builder.nodes(); ++node) {
        After before;
        for (std::uint32_t i = 0; i < traffic.iterations; ++i) {
            const After computed = {builder.compute(node, traffic.compute_cycles, before)};
            before = computed;
            for (std::size_t d = 0; d < dimensions; ++d) {
                for (const int step : {1, -1}) {
                    const auto other = traffic.periodic ? grid.periodic_neighbour(node, d, step)
                                                        : grid.neighbour(node, d, step);
                    if (!other) continue;
                    // Each direction has a tag: on a side of two nodes both lead to the same node.
                    const auto tag = static_cast<std::uint32_t>(2 * d + (step > 0 ? 0 : 1));
                    const auto back = static_cast<std::uint32_t>(2 * d + (step > 0 ? 1 : 0));
                    before.push_back(
                        builder.send(node, *other, traffic.message_bytes, tag, computed));
                    before.push_back(builder.receive(node, *other, back, computed));
                }
            }
        }
    }
    return builder.take();
}

}  // namespace

Program halo_2d(const Graph& graph, const WorkloadConfig& config) { return halo(graph, config, 2); }
Program halo_3d(const Graph& graph, const WorkloadConfig& config) { return halo(graph, config, 3); }

std::uint64_t halo_messages(const Graph& graph, const WorkloadConfig& config,
                            std::uint32_t dimensions) {
    return std::uint64_t{config.traffic.iterations} * 2 * dimensions * graph.node_count();
}

Program wavefront(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    const ProcessGrid grid(graph, 2);
    OperationBuilder builder(traffic.schedule, graph.node_count());
    constexpr std::array<std::pair<int, int>, 4> kSweeps = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
    for (NodeId node = 0; node < builder.nodes(); ++node) {
        After before;
        for (std::uint32_t i = 0; i < traffic.iterations; ++i) {
            for (std::uint32_t sweep = 0; sweep < kSweeps.size(); ++sweep) {
                const std::array<int, 2> steps = {kSweeps[sweep].first, kSweeps[sweep].second};
                for (std::uint32_t block = 0; block < traffic.blocks; ++block) {
                    After received = before;
                    for (std::uint32_t d = 0; d < 2; ++d) {
                        const auto from = grid.neighbour(node, d, -steps[d]);
                        if (!from) continue;
                        received.push_back(builder.receive(node, *from, 2 * sweep + d, before));
                    }
                    before = {builder.compute(node, traffic.compute_cycles, received)};
                    for (std::uint32_t d = 0; d < 2; ++d) {
                        const auto to = grid.neighbour(node, d, steps[d]);
                        if (!to) continue;
                        builder.send(node, *to, traffic.message_bytes, 2 * sweep + d, before);
                    }
                }
            }
        }
    }
    return builder.take();
}

std::uint64_t wavefront_messages(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    return std::uint64_t{traffic.iterations} * 4 * 2 * traffic.blocks * graph.node_count();
}

Program fft_transpose(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    const ProcessGrid grid(graph, 2);
    OperationBuilder builder(traffic.schedule, graph.node_count());
    for (NodeId node = 0; node < builder.nodes(); ++node) {
        After before;
        for (std::uint32_t i = 0; i < traffic.iterations; ++i) {
            // Rows are along the dimension that varies fastest.
            for (const std::uint32_t d : {1U, 0U}) {
                const After computed = {builder.compute(node, traffic.compute_cycles, before)};
                before = computed;
                const std::vector<NodeId> line = grid.line(node, d);
                const auto own = grid.position(node, d);
                for (NodeId k = 1; k < line.size(); ++k) {
                    const NodeId to = line[(own + k) % line.size()];
                    const NodeId from = line[(own + line.size() - k) % line.size()];
                    before.push_back(builder.send(node, to, traffic.message_bytes, d, computed));
                    before.push_back(builder.receive(node, from, d, computed));
                }
            }
            before = {builder.compute(node, traffic.compute_cycles, before)};
        }
    }
    return builder.take();
}

std::uint64_t fft_messages(const Graph& graph, const WorkloadConfig& config) {
    const ProcessGrid grid(graph, 2);
    const std::uint64_t others = std::uint64_t{grid.sides()[0]} + grid.sides()[1] - 2;
    return std::uint64_t{config.traffic.iterations} * others * graph.node_count();
}

}  // namespace flitscope
