// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective operations for which schedules are found: the initial and final data of each node,
// and the cut of the message into chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope::synthesis {

enum class Collective : std::uint8_t {
    kAllToAll,       ///< every node has a block for every other one
    kAllGather,      ///< every node gets the block of every other one
    kReduceScatter,  ///< node n gets block n of all nodes, combined
    kAllReduce,      ///< every node gets the vectors of all, combined
    kBroadcast,      ///< every node gets the block of the root
    kScatter,        ///< the root has a block for every other node
};

/// The name of each on the command line, and its effect.
struct CollectiveName {
    Collective collective;
    const char* name;
    const char* summary;
};
const std::vector<CollectiveName>& collective_names();
std::optional<Collective> collective_named(const std::string& name);
const char* name_of(Collective collective);

/// Every block is for one node.
constexpr bool has_one_destination(Collective c) {
    return c == Collective::kAllToAll || c == Collective::kScatter;
}
/// Messages carry values, which receivers combine with their own.
constexpr bool reduces(Collective c) {
    return c == Collective::kReduceScatter || c == Collective::kAllReduce;
}
constexpr bool has_root(Collective c) {
    return c == Collective::kBroadcast || c == Collective::kScatter;
}

/// A collective among some of the nodes 0 .. nodes - 1 of a network: those that are alive.
struct Task {
    Collective collective = Collective::kAllGather;
    NodeId nodes = 0;             ///< nodes of the network
    std::vector<NodeId> members;  ///< that take part, ascending
    NodeId root = 0;              ///< a member, for collectives with a root
    std::uint32_t chunks = 1;     ///< per block, >= 1
    std::uint64_t bytes = 0;      ///< per block; with kAllReduce of the whole vector

    /// Blocks: every one is cut into `chunks` chunks, numbered block by block.
    std::uint64_t blocks() const;
    std::uint64_t chunk_count() const { return blocks() * chunks; }
    /// The node that has a chunk at first; in reductions every member has a part of it.
    NodeId origin(std::uint64_t chunk) const;
    /// The node that needs a chunk in the end, or kEverybody.
    static constexpr NodeId kEverybody = UINT32_MAX;
    NodeId destination(std::uint64_t chunk) const;
    /// Payload of a chunk: those of a block, or of the vector, differ by at most a byte.
    std::uint64_t chunk_bytes(std::uint64_t chunk) const;
};

}  // namespace flitscope::synthesis
