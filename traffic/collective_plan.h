// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective operations as steps in which nodes hand blocks to their neighbours: who sends which
// block over which channel, and a check that follows every block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/topology/graph.h"
#include "traffic/program.h"

namespace flitscope {

enum class Collective : std::uint8_t {
    kOneToAll,              ///< one block, from a root to every node
    kAllToAll,              ///< a block of every node to every node
    kOneToAllPersonalized,  ///< a block for each other node, from a root
    kAllToAllPersonalized,  ///< a block for each other node, from every node
};

/// What a node can send in one step (Ziavras, Section 4); it can receive over all channels.
enum class PortModel : std::uint8_t {
    kOneOutput = 1,    ///< over one channel
    kSameValue = 2,    ///< over several channels, the same block
    kIndependent = 3,  ///< over all channels, different blocks
};

inline constexpr NodeId kEveryone = UINT32_MAX;

/// What a block is: where it comes from, and whom it is for.
struct Block {
    NodeId source = 0;
    NodeId destination = kEveryone;

    friend bool operator==(const Block& a, const Block& b) {
        return a.source == b.source && a.destination == b.destination;
    }
};

/// One block over one channel, from a node to a neighbour.
struct BlockMove {
    NodeId from = 0;
    NodeId to = 0;
    Block block;
};

/// In every step nodes send what they held before it.
struct CollectivePlan {
    std::string name;
    NodeId nodes = 0;
    std::vector<std::vector<BlockMove>> steps;
};

/// What is wrong with a plan for `collective` from `root` (where it has one) on `graph`: moves
/// between nodes without a link, blocks that a node does not hold, channels that carry two blocks
/// in a step, nodes that send more than `ports` allows, blocks that do not arrive. Empty when all
/// is well; at most ten findings.
std::vector<std::string> check_plan(const CollectivePlan& plan, const Graph& graph,
                                    Collective collective, NodeId root, PortModel ports);

/// The plan as a program whose messages are the moves, `bytes` each.
Program to_program(const CollectivePlan& plan, std::uint64_t bytes);

}  // namespace flitscope
