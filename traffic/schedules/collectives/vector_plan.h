// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcasts and reductions as steps in which nodes pass on pieces of a vector: sender, receiver
// and pieces of each move, whether the receiver combines or stores them, and a check that follows
// what every node has contributed to every piece. Combining takes no extra cycles in the hardware:
// node.recv_overhead accounts for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

/// The result at the nodes; each begins with its own vector.
enum class VectorOperation : std::uint8_t {
    kBroadcast,      ///< every node the vector of the root
    kReduce,         ///< the root the vectors of all nodes combined
    kAllreduce,      ///< every node the same
    kReduceScatter,  ///< node n piece n of the vectors of all nodes combined
};

/// Pieces first .. first + count - 1 of the sender's, from one node to another.
struct VectorMove {
    NodeId from = 0;
    NodeId to = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    bool combines = false;  ///< with the receiver's data; otherwise replaces it
};

/// A plan. In every step nodes send data that they had before it.
struct VectorPlan {
    std::string name;
    NodeId nodes = 0;
    std::uint32_t pieces = 1;
    std::vector<std::vector<VectorMove>> steps;
};

/// Lists the errors of a plan for `operation` with `root` (if it has one): pieces that a node does
/// not have, contributions that would count twice or are missing in the end, nodes that send or
/// receive more than one message in a step. Empty when all is well; at most ten findings. Tests
/// check builders with it; runs do not call it.
std::vector<std::string> check_plan(const VectorPlan& plan, VectorOperation operation, NodeId root);

/// Reverses the plan of a broadcast, into a reduction to its root. A node that passed a piece on to
/// others combines their data with its own, and hands the piece to the node that it came from.
VectorPlan reversed(VectorPlan plan);

/// The program of a broadcast whose messages all carry the whole vector, as a plan.
VectorPlan whole_vectors(const Program& broadcast);

/// `bytes` in `pieces` parts that differ by at most one byte, the longer ones first.
std::vector<std::uint64_t> even_pieces(std::uint64_t bytes, std::uint32_t pieces);

/// The plan as a step program whose messages are the moves; `piece_bytes` is the size of every
/// piece. Moves without bytes are left out, unless no piece has any. Throws std::invalid_argument
/// if the numbers of sizes and pieces differ.
Program to_program(const VectorPlan& plan, const std::vector<std::uint64_t>& piece_bytes);

}  // namespace flitscope
