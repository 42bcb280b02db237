// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/reduction_trees.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

#include "traffic/schedules/synthesis/link_prices.h"

namespace flitscope::synthesis {
namespace {

/// Hops from each node to the farthest one that it reaches.
std::vector<std::uint32_t> eccentricities(const Neighbours& network,
                                          const std::vector<NodeId>& members) {
    std::vector<std::uint32_t> result(network.nodes);
    std::vector<std::uint32_t> distance(network.nodes);
    std::vector<NodeId> open;
    for (const NodeId from : members) {
        std::fill(distance.begin(), distance.end(), UINT32_MAX);
        open.assign(1, from);
        distance[from] = 0;
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const std::uint32_t l : network.out[open[i]]) {
                const NodeId next = network.links[l].to;
                if (distance[next] != UINT32_MAX) continue;
                distance[next] = distance[open[i]] + 1;
                open.push_back(next);
            }
        }
        result[from] = distance[open.back()];
    }
    return result;
}

/// Whether as many links lead from every node to every other one as back.
bool has_all_reverses(const Neighbours& network) {
    std::vector<std::pair<NodeId, NodeId>> ways;
    std::vector<std::pair<NodeId, NodeId>> reverses;
    for (const NeighbourLink& link : network.links) {
        ways.emplace_back(link.from, link.to);
        reverses.emplace_back(link.to, link.from);
    }
    std::sort(ways.begin(), ways.end());
    std::sort(reverses.begin(), reverses.end());
    return ways == reverses;
}

/// Trees that give way to each other.
class TreeBalancer {
public:
    TreeBalancer(const Task& task, const Neighbours& network, const Neighbours& backwards,
                 std::uint64_t enough, double reach, std::uint64_t seed)
        : task_(task),
          network_(network),
          backwards_(backwards),
          random_(seed),
          enough_(enough),
          trees_(different_trees()),
          prices_(network.links, 0),
          label_(network.nodes),
          way_(network.nodes),
          by_(network.nodes) {
        choose_roots(reach);
    }

    std::vector<ChunkTrees> balance() {
        const std::uint64_t chunks = task_.chunk_count();
        const std::uint64_t enough = (enough_ * trees_.size() + chunks - 1) / chunks;
        std::vector<std::size_t> order(trees_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        // At first as if every link were to carry its share.
        prices_.set_scale(enough);
        for (const std::size_t chunk : order) lay(chunk);
        std::vector<ChunkTrees> best = trees_;
        LinkPrices::Rank best_rank = prices_.rank();
        int left = passes();
        for (int idle = 0; idle < kIdlePasses && left > 0 && best_rank.most > enough; --left) {
            std::shuffle(order.begin(), order.end(), random_);
            prices_.set_scale(prices_.rank().most);
            for (const std::size_t chunk : order) {
                prices_.remove(trees_[chunk].combining);
                prices_.remove(trees_[chunk].spreading);
                lay(chunk);
            }
            const LinkPrices::Rank now = prices_.rank();
            ++idle;
            if (now < best_rank) {
                if (now.most < best_rank.most) idle = 0;
                best_rank = now;
                best = trees_;
            }
        }
        return for_all_chunks(best);
    }

private:
    static constexpr int kIdlePasses = 12;
    static constexpr int kMostPasses = 100;
    static constexpr double kWork = 1.5e7;  // links looked at: about a second

    double work_of_a_tree() const { return 2.0 * static_cast<double>(network_.links.size()); }
    int passes() const {
        const double pass = work_of_a_tree() * static_cast<double>(trees_.size());
        return static_cast<int>(std::clamp(kWork / pass, 3.0, double{kMostPasses}));
    }

    /// As many as can be laid anew often enough to become even; several chunks share a tree if
    /// there are more.
    std::uint64_t different_trees() const {
        constexpr double kFewPasses = 30;
        std::uint64_t count = task_.chunk_count();
        while (count % 2 == 0 &&
               static_cast<double>(count) * work_of_a_tree() * kFewPasses > kWork) {
            count /= 2;
        }
        return count;
    }

    std::vector<ChunkTrees> for_all_chunks(const std::vector<ChunkTrees>& different) const {
        const std::uint64_t chunks = task_.chunk_count();
        std::vector<ChunkTrees> trees;
        trees.reserve(chunks);
        for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
            trees.push_back(different[chunk % different.size()]);
            trees.back().begin = static_cast<double>(enough_) * static_cast<double>(chunk) /
                                 static_cast<double>(chunks);
        }
        return trees;
    }

    /// The nodes from and to which all ways are shortest, in turn: a tree whose links have their
    /// reverse is as good for any root. Otherwise all nodes.
    void choose_roots(double reach) {
        const std::vector<std::uint32_t> from = eccentricities(network_, task_.members);
        const std::vector<std::uint32_t> to = eccentricities(backwards_, task_.members);
        std::uint32_t least = UINT32_MAX;
        for (const NodeId node : task_.members) least = std::min(least, from[node] + to[node]);
        const bool is_any_as_good = has_all_reverses(network_);
        std::vector<NodeId> middle;
        for (const NodeId node : task_.members) {
            if (!is_any_as_good || from[node] + to[node] == least) middle.push_back(node);
        }
        std::shuffle(middle.begin(), middle.end(), random_);
        reach_ = 2 * reach / std::max<std::uint32_t>(least, 1);
        for (std::size_t chunk = 0; chunk < trees_.size(); ++chunk) {
            trees_[chunk].root = middle[chunk % middle.size()];
        }
    }

    void lay(std::size_t chunk) {
        ChunkTrees& trees = trees_[chunk];
        grow(network_, trees.root, trees.spreading);
        prices_.add(trees.spreading);
        grow(backwards_, trees.root, trees.combining);
        std::reverse(trees.combining.begin(), trees.combining.end());
        prices_.add(trees.combining);
    }

    /// A tree from the root over links of `network`. The next node is the cheapest to reach: the
    /// price of the link, plus a share of the way from the root (Alpert et al. 1995, between Prim's
    /// and Dijkstra's algorithm).
    void grow(const Neighbours& network, NodeId root, std::vector<std::uint32_t>& links) {
        using Reached = std::pair<double, std::uint32_t>;  // by the link
        std::fill(label_.begin(), label_.end(), std::numeric_limits<double>::infinity());
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
        links.clear();
        const auto open_links = [&](NodeId node) {
            for (const std::uint32_t l : network.out[node]) {
                const NodeId next = network.links[l].to;
                const double label = prices_.price(l) + reach_ * way_[node];
                if (label >= label_[next]) continue;
                label_[next] = label;
                by_[next] = l;
                open.emplace(label, l);
            }
        };
        constexpr double kInTree = -1;
        label_[root] = kInTree;
        way_[root] = 0;
        open_links(root);
        while (!open.empty()) {
            const std::uint32_t l = open.top().second;
            open.pop();
            const NeighbourLink& link = network.links[l];
            if (label_[link.to] == kInTree || by_[link.to] != l) continue;
            label_[link.to] = kInTree;
            way_[link.to] = way_[link.from] + 1;
            links.push_back(l);
            open_links(link.to);
        }
    }

    const Task& task_;
    const Neighbours& network_;
    const Neighbours& backwards_;
    double reach_ = 0;  // a hop
    std::mt19937_64 random_;
    std::uint64_t enough_;
    std::vector<ChunkTrees> trees_;
    LinkPrices prices_;
    std::vector<double> label_;  // cost of nodes outside of the growing tree
    std::vector<std::uint32_t> way_;
    std::vector<std::uint32_t> by_;
};

}  // namespace

std::vector<ChunkTrees> reduction_trees(const Task& task, const Neighbours& network,
                                        const Neighbours& backwards, std::uint64_t enough,
                                        double reach, std::uint64_t seed) {
    return TreeBalancer(task, network, backwards, enough, reach, seed).balance();
}

}  // namespace flitscope::synthesis
