// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/kinds/schedule_kind.h"

#include <utility>

#include "models/config/workload_config.h"
#include "models/topology/graph.h"

namespace flitscope {

ScheduleBuilder for_nodes(std::function<Program(NodeId nodes, std::uint64_t bytes)> build) {
    return [build = std::move(build)](const Graph& graph, const WorkloadConfig& config) {
        return build(graph.node_count(), config.traffic.message_bytes);
    };
}

ScheduleBuilder from_root(
    std::function<Program(NodeId nodes, NodeId root, std::uint64_t bytes)> build) {
    return [build = std::move(build)](const Graph& graph, const WorkloadConfig& config) {
        return build(graph.node_count(), config.traffic.root, config.traffic.message_bytes);
    };
}

}  // namespace flitscope
