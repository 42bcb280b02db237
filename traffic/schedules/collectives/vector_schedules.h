// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The schedules broadcast, reduce, allreduce and reduce-scatter of a configuration, if they pass on
// pieces of vectors: from the plans of vector_collectives.h to programs.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Maximum pieces of `config.traffic.message_bytes` in a pipeline among `nodes` nodes, such that
/// its messages do not exceed kMaxTransfers, and at most 65536.
std::uint32_t most_pieces(NodeId nodes);

// Each is a program for `config.traffic` (root, message_bytes, pieces) on `graph`. The vector that
// is broadcast or combined has message_bytes, those that are scattered as many for each node.

Program broadcast_scatter_allgather(const Graph& graph, const WorkloadConfig& config);
Program broadcast_scatter_doubling(const Graph& graph, const WorkloadConfig& config);
/// Pieces: traffic.chunks, or if that is 0 the result of best_pieces() for the model with a step of
/// send_overhead + header + piece cycles at injection_bandwidth; after a barrier those of the
/// barrier and recv_overhead as well.
Program broadcast_chain(const Graph& graph, const WorkloadConfig& config);
Program broadcast_tree(const Graph& graph, const WorkloadConfig& config);
Program reduce_binomial(const Graph& graph, const WorkloadConfig& config);
Program reduce_dimension_order(const Graph& graph, const WorkloadConfig& config);
Program reduce_chain(const Graph& graph, const WorkloadConfig& config);
Program allreduce_recursive_doubling(const Graph& graph, const WorkloadConfig& config);
Program allreduce_rabenseifner(const Graph& graph, const WorkloadConfig& config);
Program allreduce_round_a_ring(const Graph& graph, const WorkloadConfig& config);
Program allreduce_reduce_broadcast(const Graph& graph, const WorkloadConfig& config);
Program reduce_scatter_round_a_ring(const Graph& graph, const WorkloadConfig& config);
Program reduce_scatter_recursive_halving(const Graph& graph, const WorkloadConfig& config);

}  // namespace flitscope
