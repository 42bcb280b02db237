// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/task/collective.h"

#include <cstddef>

namespace flitscope::synthesis {

const std::vector<CollectiveName>& collective_names() {
    static const std::vector<CollectiveName> kNames = {
        {Collective::kAllToAll, "all_to_all", "every node sends a block to every other one"},
        {Collective::kAllGather, "all_gather", "every node gets the blocks of all"},
        {Collective::kReduceScatter, "reduce_scatter", "node n gets block n of all, combined"},
        {Collective::kAllReduce, "all_reduce", "every node gets the vectors of all, combined"},
        {Collective::kBroadcast, "broadcast", "every node gets the block of the root"},
        {Collective::kScatter, "scatter", "every node receives its own block from the root"},
    };
    return kNames;
}

std::optional<Collective> collective_named(const std::string& name) {
    for (const CollectiveName& known : collective_names()) {
        if (name == known.name) return known.collective;
    }
    return std::nullopt;
}

const char* name_of(Collective collective) {
    return collective_names()[static_cast<std::size_t>(collective)].name;
}

std::uint64_t Task::blocks() const {
    const std::uint64_t count = members.size();
    switch (collective) {
        case Collective::kAllToAll:
            return count == 0 ? 0 : count * (count - 1);
        case Collective::kAllGather:
        case Collective::kReduceScatter:
        case Collective::kAllReduce:
            return count;
        case Collective::kBroadcast:
            return 1;
        case Collective::kScatter:
            return count == 0 ? 0 : count - 1;
    }
    return 0;
}

NodeId Task::origin(std::uint64_t chunk) const {
    const std::uint64_t block = chunk / chunks;
    switch (collective) {
        case Collective::kAllToAll:
            return members[block / (members.size() - 1)];
        case Collective::kAllGather:
        case Collective::kReduceScatter:
        case Collective::kAllReduce:
            return members[block];
        case Collective::kBroadcast:
        case Collective::kScatter:
            return root;
    }
    return root;
}

NodeId Task::destination(std::uint64_t chunk) const {
    const std::uint64_t block = chunk / chunks;
    switch (collective) {
        case Collective::kAllToAll: {
            const std::uint64_t source = block / (members.size() - 1);
            const std::uint64_t place = block % (members.size() - 1);
            return members[place < source ? place : place + 1];
        }
        case Collective::kReduceScatter:
            return members[block];
        case Collective::kScatter:
            return members[members[block] < root ? block : block + 1];
        case Collective::kAllGather:
        case Collective::kAllReduce:
        case Collective::kBroadcast:
            return kEverybody;
    }
    return kEverybody;
}

std::uint64_t Task::chunk_bytes(std::uint64_t chunk) const {
    // A vector is cut as a whole, a block for itself.
    const bool is_vector = collective == Collective::kAllReduce;
    const std::uint64_t pieces = is_vector ? chunk_count() : chunks;
    const std::uint64_t piece = is_vector ? chunk : chunk % chunks;
    return bytes / pieces + (piece < bytes % pieces ? 1 : 0);
}

}  // namespace flitscope::synthesis
