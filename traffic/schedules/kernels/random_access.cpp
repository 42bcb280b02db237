// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/patterns/rng.h"
#include "traffic/program/operation_builder.h"
#include "traffic/schedules/kernels/kernels.h"

namespace flitscope {

Program random_access(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    OperationBuilder builder(traffic.schedule, graph.node_count());
    const NodeId nodes = builder.nodes();
    std::vector<std::uint32_t> received(nodes);
    for (NodeId node = 0; nodes > 1 && node < nodes; ++node) {
        Rng rng(config.seed, node);
        for (std::uint32_t i = 0; i < traffic.iterations; ++i) {
            const auto other = static_cast<NodeId>(rng.below(nodes - 1));
            const NodeId to = other < node ? other : other + 1;
            const OperationId computed = builder.compute(node, traffic.compute_cycles, {});
            builder.send(node, to, traffic.message_bytes, 0, {computed});
            ++received[to];
        }
    }
    // Arrivals are processed concurrently with the node's sends.
    constexpr std::uint16_t kReceiving = 1;
    for (NodeId node = 0; node < nodes; ++node) {
        for (std::uint32_t i = 0; i < received[node]; ++i) {
            builder.receive(node, kAnySource, 0, {}, kReceiving);
        }
    }
    return builder.take();
}

}  // namespace flitscope
