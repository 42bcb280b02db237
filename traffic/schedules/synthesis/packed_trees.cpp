// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/packed_trees.h"

#include <algorithm>
#include <optional>

#include "traffic/schedules/synthesis/arborescences.h"

namespace flitscope::synthesis {
namespace {

/// Hands out the copies of the trees of one root.
class Copies {
public:
    Copies(const Arborescence* first, const Arborescence* last)
        : first_(first), used_(static_cast<std::size_t>(last - first)) {}

    /// The least used tree (by share), so that all begin at once.
    std::size_t least_used() const {
        std::size_t best = 0;
        for (std::size_t t = 1; t < used_.size(); ++t) {
            if (part(t) < part(best)) best = t;
        }
        return best;
    }
    double part(std::size_t t) const {
        return static_cast<double>(used_[t]) / static_cast<double>(first_[t].copies);
    }
    void use(std::size_t t) { ++used_[t]; }

private:
    const Arborescence* first_;
    std::vector<std::uint32_t> used_;
};

}  // namespace

std::vector<ChunkTrees> packed_trees(const Task& task, const Neighbours& network,
                                     const Neighbours& backwards, std::uint64_t capacity,
                                     std::uint64_t seed) {
    if (task.members.size() < 2) return {};  // no receivers
    const bool combines = task.collective == Collective::kReduceScatter;
    std::vector<RootDemand> roots;
    for (const NodeId node : task.members) {
        if (has_root(task.collective) && node != task.root) continue;
        roots.push_back({node, task.chunks});
    }
    // The bound counts on every flit over a switch, trees on the ways between nodes there.
    std::optional<std::vector<Arborescence>> found;
    while (!(found = pack_arborescences(combines ? backwards : network, task.members, roots,
                                        capacity, seed))) {
        capacity += std::max<std::uint64_t>(capacity / 32, 1);
    }
    const std::vector<Arborescence>& packing = *found;
    std::vector<ChunkTrees> trees;
    trees.reserve(task.chunk_count());
    const Arborescence* first = packing.data();
    const Arborescence* const end = first + packing.size();
    for (const RootDemand& demand : roots) {
        const Arborescence* last = first;
        while (last != end && last->root == demand.root) ++last;
        Copies copies(first, last);
        for (std::uint32_t chunk = 0; chunk < demand.trees; ++chunk) {
            const std::size_t t = copies.least_used();
            ChunkTrees tree;
            tree.root = demand.root;
            tree.begin = copies.part(t) * static_cast<double>(capacity);
            const std::vector<std::uint32_t>& links = first[t].links;
            if (combines) {
                tree.combining.assign(links.rbegin(), links.rend());
            } else {
                tree.spreading = links;
            }
            trees.push_back(std::move(tree));
            copies.use(t);
        }
        first = last;
    }
    return trees;
}

}  // namespace flitscope::synthesis
