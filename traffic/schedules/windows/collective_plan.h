// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective operations as steps in which nodes hand blocks to their neighbours: the block and
// channel of each move, and a check that follows every block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/node_config.h"
#include "traffic/program/program.h"

namespace flitscope {

class Graph;

enum class Collective : std::uint8_t {
    kOneToAll,              ///< one block, from a root to every node
    kAllToAll,              ///< a block of every node to every node
    kOneToAllPersonalized,  ///< a block for each other node, from a root
    kAllToAllPersonalized,  ///< a block for each other node, from every node
};

/// Every block is for one node.
constexpr bool is_personalized(Collective collective) {
    return collective == Collective::kOneToAllPersonalized ||
           collective == Collective::kAllToAllPersonalized;
}
constexpr bool has_root(Collective collective) {
    return collective == Collective::kOneToAll || collective == Collective::kOneToAllPersonalized;
}

inline constexpr NodeId kEveryone = UINT32_MAX;

/// A block: its origin and its destination.
struct Block {
    NodeId source = 0;
    NodeId destination = kEveryone;

    friend bool operator==(const Block& a, const Block& b) {
        return a.source == b.source && a.destination == b.destination;
    }
};

/// The move of one block over one channel, from a node to a neighbour.
struct BlockMove {
    NodeId from = 0;
    NodeId to = 0;
    Block block;
};

/// A plan. In every step nodes send blocks that they held before it.
struct CollectivePlan {
    std::string name;
    NodeId nodes = 0;
    std::vector<std::vector<BlockMove>> steps;
};

/// Lists the errors of a plan for `collective` from `root` (if it has one) on `graph`: moves
/// between nodes without a link, blocks that a node does not hold, channels that carry two blocks
/// in a step, nodes that send more in it than `ports` allows, blocks that do not arrive. Empty when
/// all is well; at most ten findings. Tests check builders with it; runs do not call it.
std::vector<std::string> check_plan(const CollectivePlan& plan, const Graph& graph,
                                    Collective collective, NodeId root, PortModel ports);

/// The plan as a program whose messages are the moves, `bytes` each: store and forward, step by
/// step. Moves of one block by one node in one step are copies; with per-link endpoints, messages
/// name the port of the link that they take.
Program to_program(const CollectivePlan& plan, std::uint64_t bytes, const Graph& graph);

/// The plan with every move of a block in the step in which its sender first sends that block: one
/// transmission over all channels, for interfaces that send one value at a time.
CollectivePlan sent_at_once(const CollectivePlan& plan);

/// The plan as a timed program in which blocks flow through the nodes (wormhole, as the paper has
/// it): every message but those of a block's own node streams the message that brings the block. A
/// node sends in the order of the steps, without waiting for them.
Program to_streaming_program(const CollectivePlan& plan, std::uint64_t bytes, const Graph& graph);

}  // namespace flitscope
