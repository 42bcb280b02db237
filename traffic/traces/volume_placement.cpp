// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/volume_placement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "models/base/metis_cut.h"
#include "models/performance/distances.h"
#include "models/topology/graph.h"
#include "models/topology/working_nodes.h"

namespace flitscope {
namespace {

/// The graph whose vertices are to be cut in halves: neighbours with weights.
using Neighbours = std::vector<std::vector<std::pair<std::uint32_t, std::int32_t>>>;

/// Hops between the routers of nodes, both ways the same or the longer of the two.
class Hops {
public:
    explicit Hops(const Graph& graph) : nodes_(graph.node_count()) {
        all_.reserve(std::size_t{nodes_} * nodes_);
        DistanceSearch search(graph, Way::kFrom);
        for (NodeId from = 0; from < nodes_; ++from) {
            const std::vector<std::uint32_t>& distances = search.distances(graph.router_of(from));
            for (NodeId to = 0; to < nodes_; ++to) {
                const std::uint32_t hops = distances[graph.router_of(to)];
                all_.push_back(static_cast<std::uint16_t>(std::min(hops, kFar)));
            }
        }
    }

    std::uint16_t operator()(NodeId a, NodeId b) const {
        return std::max(all_[std::size_t{a} * nodes_ + b], all_[std::size_t{b} * nodes_ + a]);
    }

private:
    static constexpr std::uint32_t kFar = UINT16_MAX;

    NodeId nodes_;
    std::vector<std::uint16_t> all_;
};

/// Cuts vertices in two parts, the second of `second` vertices, with little weight between them.
/// True: in the second part.
std::vector<bool> cut(const Neighbours& graph, std::size_t second) {
    const std::size_t count = graph.size();
    std::vector<bool> part(count);
    if (second == 0) return part;
    if (second == count) return std::vector<bool>(count, true);
    MetisGraph wanted;
    for (const auto& list : graph) {
        for (const auto& [vertex, weight] : list) {
            wanted.to.push_back(static_cast<std::int32_t>(vertex));
            wanted.edge_weights.push_back(weight);
        }
        wanted.first.push_back(static_cast<std::int32_t>(wanted.to.size()));
    }
    if (!wanted.to.empty()) {
        const auto share = static_cast<float>(static_cast<double>(second) / count);
        const std::vector<std::int32_t> found = metis_cut(std::move(wanted), 2, {1 - share, share});
        for (std::size_t v = 0; v < count; ++v) part[v] = found[v] != 0;
    }
    // METIS keeps to the sizes roughly; we need them exactly.
    auto has = static_cast<std::size_t>(std::count(part.begin(), part.end(), true));
    while (has != second) {
        const bool from = has > second;
        std::size_t best = count;
        std::int64_t best_gain = 0;
        for (std::size_t v = 0; v < count; ++v) {
            if (part[v] != from) continue;
            std::int64_t gain = 0;
            for (const auto& [other, weight] : graph[v]) {
                gain += part[other] == from ? -std::int64_t{weight} : std::int64_t{weight};
            }
            if (best != count && gain <= best_gain) continue;
            best = v;
            best_gain = gain;
        }
        part[best] = !from;
        has += from ? std::size_t(-1) : 1;
    }
    return part;
}

class Placement {
public:
    Placement(RankId ranks, const RankVolumes& volumes, const Graph& graph)
        : graph_(graph), hops_(graph), partners_(ranks), region_(ranks), node_of_(ranks) {
        // METIS counts in 32 bits; the weight lost is less than a billionth of all.
        double total = 1;
        for (const auto& [pair, bytes] : volumes.of_pairs()) total += static_cast<double>(bytes);
        for (const auto& [pair, bytes] : volumes.of_pairs()) {
            constexpr double kAll = 1 << 29;
            const double weight = std::ceil(static_cast<double>(bytes) / total * kAll);
            partners_[pair.first].emplace_back(pair.second, static_cast<std::int32_t>(weight));
            partners_[pair.second].emplace_back(pair.first, static_cast<std::int32_t>(weight));
        }
    }

    std::vector<NodeId> place() {
        std::vector<NodeId> nodes = working_nodes(graph_);
        std::vector<RankId> ranks(node_of_.size());
        std::iota(ranks.begin(), ranks.end(), RankId{0});
        const std::size_t rooms = nodes.size();
        for (RankId rank : ranks) region_[rank] = nodes[rooms / 2];
        divide(ranks, nodes);
        improve(nodes);
        return node_of_;
    }

private:
    void divide(const std::vector<RankId>& ranks, const std::vector<NodeId>& nodes) {
        if (ranks.empty()) return;
        if (nodes.size() == 1) {
            node_of_[ranks.front()] = nodes.front();
            return;
        }
        const std::vector<bool> side_of_node = cut_nodes(nodes);
        std::vector<NodeId> side[2];
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            side[side_of_node[i] ? 1 : 0].push_back(nodes[i]);
        }
        const std::size_t second = std::max(ranks.size() * side[1].size() / nodes.size(),
                                            ranks.size() - std::min(ranks.size(), side[0].size()));
        const std::vector<bool> side_of_rank = cut(graph_of(ranks), second);
        std::vector<RankId> half[2];
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            half[side_of_rank[i] ? 1 : 0].push_back(ranks[i]);
        }
        const NodeId middle[2] = {side[0][side[0].size() / 2], side[1][side[1].size() / 2]};
        const bool can_swap = half[0].size() <= side[1].size() && half[1].size() <= side[0].size();
        if (can_swap && outside(half[0], middle[1]) + outside(half[1], middle[0]) <
                            outside(half[0], middle[0]) + outside(half[1], middle[1])) {
            std::swap(half[0], half[1]);
        }
        for (const int h : {0, 1}) {
            for (const RankId rank : half[h]) region_[rank] = middle[h];
        }
        for (const int h : {0, 1}) divide(half[h], side[h]);
    }

    /// By METIS if every router has nodes; if switches are between them, by which of two distant
    /// nodes is nearer.
    std::vector<bool> cut_nodes(const std::vector<NodeId>& nodes) const {
        const std::size_t second = nodes.size() / 2;
        if (!graph_.has_switches()) {
            std::map<NodeId, std::uint32_t> number;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                number.emplace(nodes[i], static_cast<std::uint32_t>(i));
            }
            Neighbours graph(nodes.size());
            const auto join = [&](std::size_t i, RouterId router, std::int32_t weight) {
                for (const NodeId node : graph_.nodes_at(router)) {
                    const auto to = number.find(node);
                    if (to == number.end() || to->second == i) continue;
                    graph[i].emplace_back(to->second, weight);
                    graph[to->second].emplace_back(static_cast<std::uint32_t>(i), weight);
                }
            };
            // The nodes of a router hold together more than those of neighbours.
            const auto together = static_cast<std::int32_t>(graph_.port_count());
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const RouterId router = graph_.router_of(nodes[i]);
                join(i, router, together);
                for (PortId port = graph_.local_ports(); port < graph_.port_count(); ++port) {
                    const LinkId id = graph_.out_link(router, port);
                    if (id != kNoLink && graph_.link(id).to != router) {
                        join(i, graph_.link(id).to, 1);
                    }
                }
            }
            for (auto& list : graph) {
                std::sort(list.begin(), list.end());
                list.erase(std::unique(list.begin(), list.end()), list.end());
            }
            return cut(graph, second);
        }
        const auto farthest = [&](NodeId from) {
            return *std::max_element(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
                return hops_(from, a) < hops_(from, b);
            });
        };
        const NodeId one = farthest(nodes.front());
        const NodeId other = farthest(one);
        std::vector<std::size_t> order(nodes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const auto lean = [&](NodeId node) { return hops_(one, node) - hops_(other, node); };
            return lean(nodes[a]) < lean(nodes[b]);
        });
        std::vector<bool> part(nodes.size());
        for (std::size_t i = nodes.size() - second; i < nodes.size(); ++i) part[order[i]] = true;
        return part;
    }

    Neighbours graph_of(const std::vector<RankId>& ranks) const {
        std::map<RankId, std::uint32_t> number;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            number.emplace(ranks[i], static_cast<std::uint32_t>(i));
        }
        Neighbours graph(ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            for (const auto& [partner, weight] : partners_[ranks[i]]) {
                const auto to = number.find(partner);
                if (to != number.end()) graph[i].emplace_back(to->second, weight);
            }
        }
        return graph;
    }

    /// Traffic of the ranks to ranks outside the set, weighted by the way from `at`; those in the
    /// set are in the same region, so they count the same wherever that is.
    std::int64_t outside(const std::vector<RankId>& ranks, NodeId at) const {
        std::int64_t sum = 0;
        for (const RankId rank : ranks) {
            for (const auto& [partner, weight] : partners_[rank]) {
                if (region_[partner] == region_[rank]) continue;
                sum += std::int64_t{weight} * hops_(at, region_[partner]);
            }
        }
        return sum;
    }

    /// The cost of a rank's ways if it were at `at`, and all others in their places.
    std::int64_t cost(RankId rank, NodeId at) const {
        std::int64_t sum = 0;
        for (const auto& [partner, weight] : partners_[rank]) {
            sum += std::int64_t{weight} * hops_(at, node_of_[partner]);
        }
        return sum;
    }

    /// Per node the others of its router and, of all others, those nearest to it.
    std::vector<std::vector<NodeId>> neighbourhoods(const std::vector<NodeId>& nodes) const {
        std::vector<std::vector<NodeId>> near(graph_.node_count());
        for (const NodeId node : nodes) {
            std::uint16_t least = UINT16_MAX;
            for (const NodeId to : nodes) {
                const std::uint16_t hops = hops_(node, to);
                if (hops != 0) least = std::min(least, hops);
            }
            for (const NodeId to : nodes) {
                if (to != node && hops_(node, to) <= least) near[node].push_back(to);
            }
        }
        return near;
    }

    /// Ranks change places with neighbours of their partners, or take free places, while ways
    /// become shorter. A rank with many partners has many such neighbours, and so have these: if
    /// all send to all, a round looks at ranks^3 ways. So the work has a limit, at which the ranks
    /// stay in place.
    void improve(const std::vector<NodeId>& nodes) {
        constexpr int kMostRounds = 20;
        constexpr std::uint64_t kMostWays = std::uint64_t{1} << 30;  // looked at: seconds
        const auto count = static_cast<RankId>(node_of_.size());
        rank_at_.assign(graph_.node_count(), kNobody);
        for (RankId rank = 0; rank < count; ++rank) rank_at_[node_of_[rank]] = rank;
        const std::vector<std::vector<NodeId>> near = neighbourhoods(nodes);
        tried_by_.assign(graph_.node_count(), kNobody);
        weight_to_.assign(count, 0);
        ways_ = 0;
        bool is_better = true;
        for (int round = 0; is_better && round < kMostRounds; ++round) {
            is_better = false;
            for (RankId rank = 0; rank < count; ++rank) {
                if (ways_ > kMostWays) return;
                const NodeId from = node_of_[rank];
                const NodeId best = best_place(rank, near);
                if (best == from) continue;
                is_better = true;
                const RankId other = rank_at_[best];
                std::swap(rank_at_[from], rank_at_[best]);
                node_of_[rank] = best;
                if (other != kNobody) node_of_[other] = from;
            }
            std::fill(tried_by_.begin(), tried_by_.end(), kNobody);
        }
    }

    /// The place next to one of its partners at which ways become the shortest if the rank changes
    /// places with the rank there, or its own place.
    NodeId best_place(RankId rank, const std::vector<std::vector<NodeId>>& near) {
        const NodeId from = node_of_[rank];
        for (const auto& [partner, weight] : partners_[rank]) weight_to_[partner] += weight;
        const std::int64_t here = cost(rank, from);
        tried_by_[from] = rank;
        ways_ += 1 + partners_[rank].size();
        std::int64_t best_gain = 0;
        NodeId best = from;
        for (const auto& [partner, weight] : partners_[rank]) {
            for (const NodeId to : near[node_of_[partner]]) {
                if (std::exchange(tried_by_[to], rank) == rank) continue;
                const RankId other = rank_at_[to];
                std::int64_t gain = here - cost(rank, to);
                ways_ += partners_[rank].size();
                if (other != kNobody) {
                    gain += cost(other, to) - cost(other, from);
                    ways_ += 2 * partners_[other].size();
                    // The length of the way between the two is unchanged.
                    gain -= 2 * weight_to_[other] * hops_(from, to);
                }
                if (gain <= best_gain) continue;
                best_gain = gain;
                best = to;
            }
        }
        for (const auto& [partner, weight] : partners_[rank]) weight_to_[partner] = 0;
        return best;
    }

    static constexpr RankId kNobody = UINT32_MAX;

    const Graph& graph_;
    Hops hops_;
    std::vector<std::vector<std::pair<RankId, std::int32_t>>> partners_;
    std::vector<NodeId> region_;  // a node in the middle of the rank's future region
    std::vector<NodeId> node_of_;
    // While places are changed:
    std::vector<RankId> rank_at_;          // per node, or kNobody
    std::vector<RankId> tried_by_;         // per node, the last rank that looked at it in a round
    std::vector<std::int64_t> weight_to_;  // per rank, seen from the one that looks
    std::uint64_t ways_ = 0;               // that have been looked at
};

}  // namespace

void RankVolumes::add(RankId a, RankId b, std::uint64_t bytes) {
    if (a != b && bytes != 0) bytes_[std::minmax(a, b)] += bytes;
}

RankVolumes volumes_of(const Trace& trace) {
    RankVolumes volumes;
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) {
        for (const TraceOperation& operation : trace.ranks[rank].operations) {
            if (operation.kind != Operation::Kind::kSend) continue;
            volumes.add(rank, operation.peer, operation.amount);
        }
    }
    return volumes;
}

std::vector<NodeId> place_by_volume(RankId ranks, const RankVolumes& volumes, const Graph& graph) {
    return Placement(ranks, volumes, graph).place();
}

}  // namespace flitscope
