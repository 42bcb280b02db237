// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A step of training with data, tensor and pipeline parallelism (Narayanan et al. 2021): the nodes
// that share a layer are next to each other, then come the stages of the pipeline, then the
// replicas.
#include <vector>

#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/program/operation_builder.h"
#include "traffic/schedules/kernels/kernels.h"

namespace flitscope {
namespace {

using After = OperationBuilder::After;

/// The purpose of a message; every use of a pair of nodes has its own tag.
enum Tag : std::uint32_t { kActivation, kGradient, kForwardSum, kBackwardSum, kReplicaSum };

class Training {
public:
    Training(const Graph& graph, const WorkloadConfig& config)
        : traffic_(config.traffic),
          builder_(config.traffic.schedule, graph.node_count()),
          tensor_(config.traffic.tensor_ranks),
          stages_(config.traffic.pipeline_stages) {}

    Program build() {
        for (NodeId node = 0; node < builder_.nodes(); ++node) add(node);
        return builder_.take();
    }

private:
    void add(NodeId node) {
        const NodeId stage = node / tensor_ % stages_;
        const bool is_first = stage == 0;
        const bool is_last = stage + 1 == stages_;
        After before;
        for (std::uint32_t i = 0; i < traffic_.iterations; ++i) {
            // All forward, then all backward (GPipe; Huang et al. 2019).
            for (std::uint32_t block = 0; block < traffic_.blocks; ++block) {
                if (!is_first) {
                    before.push_back(builder_.receive(node, node - tensor_, kActivation, before));
                }
                before = {builder_.compute(node, traffic_.compute_cycles, before)};
                before = sum(node, tensor_line(node), traffic_.message_bytes, kForwardSum, before);
                if (!is_last) {
                    before = {builder_.send(node, node + tensor_, traffic_.message_bytes,
                                            kActivation, before)};
                }
            }
            for (std::uint32_t block = 0; block < traffic_.blocks; ++block) {
                if (!is_last) {
                    before.push_back(builder_.receive(node, node + tensor_, kGradient, before));
                }
                // Backward is two products of matrices where forward is one.
                before = {builder_.compute(node, 2 * traffic_.compute_cycles, before)};
                before = sum(node, tensor_line(node), traffic_.message_bytes, kBackwardSum, before);
                if (!is_first) {
                    before = {builder_.send(node, node - tensor_, traffic_.message_bytes, kGradient,
                                            before)};
                }
            }
            before = sum(node, replicas(node), traffic_.gradient_bytes, kReplicaSum, before);
        }
    }

    /// The nodes that share its layers.
    std::vector<NodeId> tensor_line(NodeId node) const {
        std::vector<NodeId> line;
        for (NodeId k = 0; k < tensor_; ++k) line.push_back(node - node % tensor_ + k);
        return line;
    }
    /// The nodes that have the same layers in other replicas.
    std::vector<NodeId> replicas(NodeId node) const {
        const NodeId replica = tensor_ * stages_;
        std::vector<NodeId> line;
        for (NodeId n = node % replica; n < builder_.nodes(); n += replica) line.push_back(n);
        return line;
    }

    /// The part of `node` in an all-reduce round the ring of `line`: pieces are summed on one way
    /// round, and handed out on another (Patarasuk and Yuan 2009).
    After sum(NodeId node, const std::vector<NodeId>& line, std::uint64_t bytes, Tag tag,
              After before) {
        const std::size_t p = line.size();
        std::size_t own = 0;
        while (line[own] != node) ++own;
        for (std::size_t step = 0; step < 2 * (p - 1); ++step) {
            const OperationId sent = builder_.send(
                node, line[(own + 1) % p], piece(bytes, p, own + 2 * p - step), tag, before);
            const OperationId received =
                builder_.receive(node, line[(own + p - 1) % p], tag, before);
            before = {sent, received};
        }
        return before;
    }

    /// Bytes of a piece; pieces differ by at most one byte.
    static std::uint64_t piece(std::uint64_t bytes, std::size_t pieces, std::size_t number) {
        return bytes / pieces + (number % pieces < bytes % pieces ? 1 : 0);
    }

    const TrafficConfig& traffic_;
    OperationBuilder builder_;
    NodeId tensor_;
    NodeId stages_;
};

}  // namespace

Program training_step(const Graph& graph, const WorkloadConfig& config) {
    return Training(graph, config).build();
}

std::uint64_t training_messages(const Graph& graph, const WorkloadConfig& config) {
    const TrafficConfig& traffic = config.traffic;
    const std::uint64_t nodes = graph.node_count();
    const std::uint64_t replicas =
        nodes / (std::uint64_t{traffic.tensor_ranks} * traffic.pipeline_stages);
    const std::uint64_t of_block = 4 * (std::uint64_t{traffic.tensor_ranks} - 1) + 2;
    return traffic.iterations * nodes * (traffic.blocks * of_block + 2 * replicas);
}

}  // namespace flitscope
