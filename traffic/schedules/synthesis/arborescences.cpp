// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/arborescences.h"

// Its library would hold one constant.
#define LEMON_ONLY_TEMPLATES
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <queue>
#include <random>
#include <tuple>
#include <utility>

namespace flitscope::synthesis {
namespace {

using Digraph = lemon::SmartDigraph;
using Capacity = std::int64_t;

/// No sum of capacities is as large.
constexpr Capacity kUnlimited = Capacity{1} << 48;

/// Trees of one root that are alike as far as they have grown.
struct Growing {
    Arborescence tree;
    std::vector<std::uint32_t> depth;  // per node in the tree, else kOutside
    std::vector<bool> refused;         // links that would leave too little for the other trees
    static constexpr std::uint32_t kOutside = UINT32_MAX;

    bool has(NodeId node) const { return depth[node] != kOutside; }
    std::size_t size() const { return tree.links.size() + 1; }
};

/// The remaining link capacity, and the trees still to be packed into it. It suffices (Frank) if
/// for every set of nodes the links that enter it have room for all trees that have no node in it.
/// Whether it still does with a link x -> y in a tree is a maximum flow to y, from a source that
/// supplies x, and the nodes of each other tree together with one unit per copy.
class Packing {
public:
    Packing(const Neighbours& network, const std::vector<NodeId>& members,
            const std::vector<RootDemand>& roots, std::uint64_t capacity, std::uint64_t seed)
        : network_(network),
          members_(members),
          whole_(capacity),
          random_(seed),
          supply_(network.nodes),
          capacity_(digraph_) {
        for (NodeId node = 0; node < network.nodes; ++node) digraph_.addNode();
        for (const NeighbourLink& link : network.links) {
            left_.push_back(static_cast<Capacity>(capacity / link.rounds));
            capacity_[arc(link.from, link.to)] = left_.back();
        }
        source_ = Digraph::id(digraph_.addNode());
        for (NodeId node = 0; node < network.nodes; ++node) {
            supplies_.push_back(arc(static_cast<std::uint32_t>(source_), node));
        }
        for (const RootDemand& demand : roots) {
            supply_[demand.root] += demand.trees;
            owed_ += demand.trees;
        }
        for (NodeId node = 0; node < network.nodes; ++node) {
            capacity_[supplies_[node]] = supply_[node];
        }
    }

    /// All trees of a root, grown together so that none is left with only the detours. False if
    /// they do not exist.
    bool grow(const RootDemand& demand) {
        supply_[demand.root] -= demand.trees;
        owed_ -= demand.trees;
        capacity_[supplies_[demand.root]] = supply_[demand.root];
        growing_.clear();
        open_ = {};
        for (std::uint64_t rest = demand.trees; rest != 0;) {
            const std::uint64_t copies = std::min(rest, whole_);
            if (copies == 0) return false;
            Growing begun;
            begun.tree.root = demand.root;
            begun.tree.copies = static_cast<std::uint32_t>(copies);
            begun.depth.assign(network_.nodes, Growing::kOutside);
            begun.depth[demand.root] = 0;
            begun.refused.assign(network_.links.size(), false);
            begin(std::move(begun));
            rest -= copies;
        }
        while (!open_.empty()) {
            const Candidate next = open_.top();
            open_.pop();
            extend(next.tree, next.link);
        }
        for (std::size_t t = 0; t < growing_.size(); ++t) {
            if (growing_[t].size() != members_.size()) return false;
            packed_.push_back(std::move(growing_[t].tree));
        }
        return true;
    }

    std::vector<Arborescence> take() { return std::move(packed_); }

private:
    /// A link out of a tree; those near the root come first.
    struct Candidate {
        std::uint32_t depth = 0;
        std::uint32_t noise = 0;
        std::uint32_t tree = 0;
        std::uint32_t link = 0;
        bool operator<(const Candidate& other) const {
            return std::tie(depth, noise, tree, link) >
                   std::tie(other.depth, other.noise, other.tree, other.link);
        }
    };

    Digraph::Arc arc(std::uint32_t from, std::uint32_t to) {
        return digraph_.addArc(Digraph::nodeFromId(static_cast<int>(from)),
                               Digraph::nodeFromId(static_cast<int>(to)));
    }

    void begin(Growing tree) {
        const auto number = static_cast<std::uint32_t>(growing_.size());
        if (number == copies_.size()) {
            const Digraph::Node vertex = digraph_.addNode();
            copies_.push_back(arc(static_cast<std::uint32_t>(source_),
                                  static_cast<std::uint32_t>(Digraph::id(vertex))));
            reached_.emplace_back();
            for (NodeId node = 0; node < network_.nodes; ++node) {
                reached_.back().push_back(
                    arc(static_cast<std::uint32_t>(Digraph::id(vertex)), node));
            }
        }
        capacity_[copies_[number]] = tree.tree.copies;
        for (NodeId node = 0; node < network_.nodes; ++node) {
            capacity_[reached_[number][node]] = tree.has(node) ? kUnlimited : 0;
        }
        owed_in_growing_ += tree.tree.copies;
        growing_.push_back(std::move(tree));
        for (const NodeId node : members_) {
            if (growing_.back().has(node)) open_links(number, node);
        }
    }

    void open_links(std::uint32_t number, NodeId node) {
        const Growing& tree = growing_[number];
        for (const std::uint32_t l : network_.out[node]) {
            if (tree.has(network_.links[l].to) || tree.refused[l]) continue;
            open_.push({tree.depth[node], static_cast<std::uint32_t>(random_()), number, l});
        }
    }

    /// Adds the link to as many of the copies as can have it. The others continue without it, as a
    /// separate tree; if none can, none ever will.
    void extend(std::uint32_t number, std::uint32_t l) {
        const NeighbourLink& link = network_.links[l];
        if (growing_[number].has(link.to) || left_[l] == 0) return;
        const Capacity copies = std::min<Capacity>(room(number, l), growing_[number].tree.copies);
        growing_[number].refused[l] = true;
        if (copies <= 0) return;
        const auto rest = static_cast<std::uint32_t>(growing_[number].tree.copies - copies);
        Growing others;
        if (rest != 0) {
            others = growing_[number];
            others.tree.copies = rest;
            growing_[number].tree.copies = static_cast<std::uint32_t>(copies);
            capacity_[copies_[number]] = copies;
            owed_in_growing_ -= rest;
        }
        Growing& tree = growing_[number];
        tree.tree.links.push_back(l);
        tree.depth[link.to] = tree.depth[link.from] + 1;
        capacity_[reached_[number][link.to]] = kUnlimited;
        left_[l] -= copies;
        capacity_[Digraph::arcFromId(static_cast<int>(l))] = left_[l];
        open_links(number, link.to);
        if (rest != 0) begin(std::move(others));
        finish_if_spanning(number);
    }

    void finish_if_spanning(std::uint32_t number) {
        const Growing& tree = growing_[number];
        if (tree.size() != members_.size()) return;
        owed_in_growing_ -= tree.tree.copies;
        capacity_[copies_[number]] = 0;
    }

    /// How many copies of the tree can have the link.
    Capacity room(std::uint32_t number, std::uint32_t l) {
        const NeighbourLink& link = network_.links[l];
        const Capacity own = growing_[number].tree.copies;
        capacity_[copies_[number]] = 0;
        capacity_[supplies_[link.from]] = kUnlimited;
        lemon::Preflow<Digraph, Digraph::ArcMap<Capacity>> flow(
            digraph_, capacity_, Digraph::nodeFromId(source_),
            Digraph::nodeFromId(static_cast<int>(link.to)));
        flow.runMinCut();
        capacity_[copies_[number]] = own;
        capacity_[supplies_[link.from]] = supply_[link.from];
        return std::min(left_[l], flow.flowValue() - (owed_ + owed_in_growing_ - own));
    }

    const Neighbours& network_;
    const std::vector<NodeId>& members_;
    std::uint64_t whole_;
    std::mt19937_64 random_;
    std::vector<Capacity> left_;    // per link
    std::vector<Capacity> supply_;  // per node: trees that have not begun
    Capacity owed_ = 0;             // their sum
    Capacity owed_in_growing_ = 0;
    Digraph digraph_;
    Digraph::ArcMap<Capacity> capacity_;
    int source_ = 0;
    std::vector<Digraph::Arc> supplies_;              // from the source to each node
    std::vector<Digraph::Arc> copies_;                // to the vertex of each tree that grows
    std::vector<std::vector<Digraph::Arc>> reached_;  // from there to the nodes
    std::vector<Growing> growing_;
    std::priority_queue<Candidate> open_;
    std::vector<Arborescence> packed_;
};

}  // namespace

std::optional<std::vector<Arborescence>> pack_arborescences(const Neighbours& network,
                                                            const std::vector<NodeId>& members,
                                                            const std::vector<RootDemand>& roots,
                                                            std::uint64_t capacity,
                                                            std::uint64_t seed) {
    Packing packing(network, members, roots, capacity, seed);
    for (const RootDemand& demand : roots) {
        if (!packing.grow(demand)) return std::nullopt;
    }
    return packing.take();
}

}  // namespace flitscope::synthesis
