// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast, allgather and scatter over trees, lines and rings of nodes, as programs in which a
// message is a whole block.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

// Broadcast of `bytes` from `root` to all; a node sends at most one message per step, and only data
// received in an earlier step.

/// Binomial tree over (n - root) mod nodes: in step k the first 2^k nodes inform the next 2^k;
/// ceil(lg nodes) steps.
Program broadcast_binomial(NodeId nodes, NodeId root, std::uint64_t bytes);
/// Along one dimension after the other, the first-routed (fastest-varying) one first. On a line,
/// the holder of an interval sends to the nearest node of the half that it is not in; both halves
/// then continue alike. Messages of a step share no link on meshes and hypercubes; sum over
/// dimensions of ceil(lg side) steps.
Program broadcast_dimension_order(const Graph& graph, NodeId root, std::uint64_t bytes);

// Allgather: every node's block of `bytes` reaches every node.

/// In step k every node sends to its successor the block it received in step k - 1 (its own in
/// step 0); nodes - 1 steps.
Program allgather_ring(NodeId nodes, std::uint64_t bytes);
/// In step k, n exchanges all 2^k blocks it has with n XOR 2^k. Throws std::invalid_argument unless
/// `nodes` is a power of two.
Program allgather_recursive_doubling(NodeId nodes, std::uint64_t bytes);

// Scatter: the root holds a block of `bytes` for each other node.

/// The root sends to root + 1, root + 2, ... (modulo the node count), one per step.
Program scatter_direct(NodeId nodes, NodeId root, std::uint64_t bytes);
/// Halving tree over (n - root) mod nodes: the holder of s blocks keeps the first ceil(s/2) and
/// sends the others in one message to their first node; ceil(lg nodes) steps.
Program scatter_binomial(NodeId nodes, NodeId root, std::uint64_t bytes);

}  // namespace flitscope
