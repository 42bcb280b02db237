// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The broadcasts and reductions that message-passing libraries use today, as plans: for any number
// of nodes unless stated otherwise. In every step a node sends at most one message and receives at
// most one. Literature: Thakur, Rabenseifner and Gropp 2005, "Optimization of collective
// communication operations in MPICH"; Chan, Heimlich, Purkayastha and van de Geijn 2007,
// "Collective communication: theory, practice, and experience".
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "traffic/schedules/collectives/node_order.h"
#include "traffic/schedules/collectives/vector_plan.h"

namespace flitscope {

/// Scatter and allgather: the root hands out the vector in as many pieces as there are nodes,
/// halving the rest, then all nodes pass pieces on round a ring. `order` is the ring. ceil(lg
/// nodes) + nodes - 1 steps; every node sends about twice the vector.
VectorPlan scatter_ring_allgather(const NodeOrder& order, NodeId root);
/// Scatter, then allgather by recursive doubling: 2 lg nodes steps. Rank r is node r XOR root, so
/// that on a hypercube all messages go to neighbours. Throws std::invalid_argument unless `nodes`
/// is a power of two.
VectorPlan scatter_doubling(NodeId nodes, NodeId root);
/// The vector in pieces along the order from the root on: piece j crosses hop h in step h + j, so a
/// node passes on piece j while it receives piece j + 1. nodes + pieces - 2 steps.
VectorPlan pipelined_chain(const NodeOrder& order, NodeId root, std::uint32_t pieces);
/// Pipelined broadcast down a binary tree: a node hands every piece to the next one in the order,
/// which serves the first half of the nodes below it, then to the first node of the other half. 2
/// (pieces - 1) steps and about 2 lg nodes more.
VectorPlan pipelined_tree(const NodeOrder& order, NodeId root, std::uint32_t pieces);

/// The number of pieces with which a pipeline takes the least time by the model
///
///     T(P) = (busy (P - 1) + depth) (per_message + per_vector / P)
///
/// of `depth` steps for the first piece and `busy` more for each of the others: one of the two
/// integers next to sqrt((depth - busy) per_vector / (busy per_message)), 1 .. `most`.
std::uint32_t best_pieces(std::uint64_t busy, std::uint64_t depth, double per_message,
                          double per_vector, std::uint32_t most);

/// Whole vectors with n XOR 2^k in step k, both combine. If the number of nodes is not a power of
/// two, the excess nodes hand their vector to a neighbour before, and receive the result after.
VectorPlan allreduce_doubling(NodeId nodes);
/// Rabenseifner: recursive halving, nearest partners first with half of the vector, then the pieces
/// back by recursive doubling. Other numbers of nodes as above.
VectorPlan allreduce_halving_doubling(NodeId nodes);
/// Reduce-scatter round a ring, then allgather round the same: 2 (nodes - 1) steps of one piece.
VectorPlan allreduce_ring(const NodeOrder& order);
/// `reduce` and `broadcast`, one after the other.
VectorPlan allreduce_both(VectorPlan reduce, const VectorPlan& broadcast);

/// Piece n goes round the ring to node n, combined at every node: nodes - 1 steps.
VectorPlan reduce_scatter_ring(const NodeOrder& order);
/// Reduce-scatter by recursive halving: with n XOR nodes / 2 first, half of the rest in every step;
/// lg nodes steps. Throws std::invalid_argument unless `nodes` is a power of two.
VectorPlan reduce_scatter_halving(NodeId nodes);

}  // namespace flitscope
