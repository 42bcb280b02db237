// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/relay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>

#include "models/topology/graph.h"
#include "traffic/schedules/synthesis/link_prices.h"
#include "traffic/schedules/synthesis/under_way.h"

namespace flitscope::synthesis {
namespace {

/// Paths that give way to each other.
class PathBalancer {
public:
    PathBalancer(const Task& task, const Neighbours& network, std::uint64_t seed)
        : task_(task),
          network_(network),
          random_(seed),
          prices_(network.links, kHopCost),
          distance_(network.nodes),
          by_(network.nodes) {}

    ChunkPaths balance(ChunkPaths paths, std::uint64_t enough,
                       const std::function<bool()>& goes_on) {
        paths_ = std::move(paths);
        for (const auto& path : paths_) prices_.add(path);
        std::vector<std::size_t> order(paths_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        ChunkPaths best = paths_;
        LinkPrices::Rank best_rank = prices_.rank();
        for (int idle = 0; idle < kIdlePasses && best_rank.most > std::max(enough, perfect());) {
            std::shuffle(order.begin(), order.end(), random_);
            prices_.set_scale(prices_.rank().most);
            std::size_t tried = 0;
            for (const std::size_t chunk : order) {
                const bool asks = goes_on && tried++ % kPathsBetweenQuestions == 0;
                if (asks && !goes_on()) return best;
                if (is_worth_a_try(chunk)) lay_anew(chunk);
            }
            const LinkPrices::Rank now = prices_.rank();
            ++idle;
            if (now < best_rank) {
                if (now.most < best_rank.most) idle = 0;
                best_rank = now;
                best = paths_;
            }
        }
        return best;
    }

private:
    static constexpr int kIdlePasses = 6;
    static constexpr std::size_t kPathsBetweenQuestions = 256;

    /// Lower bound on the fullest link's load for paths with this many hops.
    std::uint64_t perfect() const {
        const std::vector<std::uint64_t>& loads = prices_.loads();
        const std::uint64_t hops = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
        return loads.empty() ? 0 : (hops + loads.size() - 1) / loads.size();
    }

    /// In networks too large to reroute every path, only those over a link that is nearly full.
    bool is_worth_a_try(std::size_t chunk) const {
        constexpr double kMostWork = 3e7;
        if (static_cast<double>(paths_.size()) * network_.nodes <= kMostWork) return true;
        return std::any_of(paths_[chunk].begin(), paths_[chunk].end(), [this](std::uint32_t l) {
            return prices_.load(l) + kNearlyFull >= prices_.scale();
        });
    }
    static constexpr std::uint64_t kNearlyFull = 1;

    static constexpr double kHopCost = 1e-3;

    void lay_anew(std::size_t chunk) {
        prices_.remove(paths_[chunk]);
        find_path(task_.origin(chunk), task_.destination(chunk), paths_[chunk]);
        prices_.add(paths_[chunk]);
    }

    /// Dijkstra's algorithm, up to the destination; keeps `path` if that is out of reach.
    void find_path(NodeId from, NodeId to, std::vector<std::uint32_t>& path) {
        using Reached = std::pair<double, NodeId>;
        std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
        distance_[from] = 0;
        open.emplace(0.0, from);
        while (!open.empty()) {
            const auto [distance, node] = open.top();
            open.pop();
            if (node == to) break;
            if (distance > distance_[node]) continue;
            for (const std::uint32_t l : network_.out[node]) {
                const NodeId next = network_.links[l].to;
                if (distance + prices_.price(l) >= distance_[next]) continue;
                distance_[next] = distance + prices_.price(l);
                by_[next] = l;
                open.emplace(distance_[next], next);
            }
        }
        if (std::isinf(distance_[to])) return;
        path.clear();
        for (NodeId at = to; at != from; at = network_.links[by_[at]].from) path.push_back(by_[at]);
        std::reverse(path.begin(), path.end());
    }

    const Task& task_;
    const Neighbours& network_;
    std::mt19937_64 random_;
    ChunkPaths paths_;
    LinkPrices prices_;
    std::vector<double> distance_;
    std::vector<std::uint32_t> by_;
};

/// Chunks on their way, round by round.
class Relay {
public:
    Relay(const ChunkPaths& paths, const Neighbours& network, std::uint64_t seed)
        : network_(network),
          random_(seed),
          queues_(network.links.size()),
          to_carry_(network.links.size()),
          waiting_(network.links.size()),
          need_(network.links.size()) {
        ways_.reserve(paths.size());
        for (std::uint32_t chunk = 0; chunk < paths.size(); ++chunk) {
            const std::size_t first = hops_.size();
            for (const std::uint32_t l : paths[chunk]) {
                ++to_carry_[l];
                hops_.push_back(l);
            }
            ways_.push_back({first, hops_.size()});
            if (paths[chunk].empty()) continue;
            queues_[paths[chunk].front()].push_back(chunk);
            ++under_way_;
        }
        // For long queues a part is enough, smaller with more work to do: a choice of eight is not
        // much worse than one of all.
        constexpr double kMostWork = 3e8;
        most_looked_at_ = static_cast<std::size_t>(std::clamp(
            kMostWork / static_cast<double>(std::max<std::size_t>(hops_.size(), 1)), 8.0, 64.0));
    }

    std::vector<std::vector<ChunkMove>> rounds() {
        std::vector<std::uint32_t> order(queues_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::vector<std::vector<ChunkMove>> rounds;
        UnderWay<std::uint32_t> chunks(network_);
        while (under_way_ != 0) {
            for (std::uint32_t l = 0; l < queues_.size(); ++l) {
                waiting_[l] = queues_[l].size();
                set_need(l);
            }
            std::shuffle(order.begin(), order.end(), random_);
            std::vector<ChunkMove> round;
            for (const std::uint32_t l : order) {
                if (queues_[l].empty() || !chunks.is_free(l)) continue;
                const std::uint32_t chunk = take_from(l);
                chunks.carry(l, chunk);
                round.push_back(move_over(network_.links[l], chunk));
            }
            for (const std::uint32_t chunk : chunks.end_round()) arrive(chunk);
            round.shrink_to_fit();
            rounds.push_back(std::move(round));
        }
        return rounds;
    }

private:
    /// The part of a chunk's way that is before it, as a range of hops_.
    struct Way {
        std::size_t next = 0;
        std::size_t end = 0;
    };

    /// A link is in need if it has much to carry and little of it waits for it.
    void set_need(std::uint32_t l) {
        const std::uint64_t rounds = to_carry_[l] * network_.links[l].rounds;
        need_[l] = static_cast<double>(rounds) / static_cast<double>(1 + waiting_[l]);
    }

    /// How much the links after the next one need this chunk; the nearer ones count for more.
    double need_of(std::uint32_t chunk) const {
        constexpr std::size_t kFarthest = 8;
        constexpr double kPerHop = 0.7;
        const Way& way = ways_[chunk];
        const std::size_t end = std::min(way.end, way.next + 1 + kFarthest);
        double sum = 0;
        double weight = 1;
        for (std::size_t hop = way.next + 1; hop < end; ++hop) {
            sum += weight * need_[hops_[hop]];
            weight *= kPerHop;
        }
        return sum;
    }

    std::uint32_t take_from(std::uint32_t l) {
        constexpr double kTie = 1e-2 / 4294967296.0;
        std::vector<std::uint32_t>& queue = queues_[l];
        const std::size_t looked_at = std::min(queue.size(), most_looked_at_);
        // For a long queue only a part, from a random start.
        const std::size_t first = looked_at == queue.size() ? 0 : random_() % queue.size();
        std::size_t best = first;
        double most = -1;
        for (std::size_t n = 0; n < looked_at; ++n) {
            const std::size_t i = first + n < queue.size() ? first + n : first + n - queue.size();
            const double rank = need_of(queue[i]) +
                                kTie * static_cast<double>(static_cast<std::uint32_t>(random_()));
            if (rank <= most) continue;
            most = rank;
            best = i;
        }
        const std::uint32_t chunk = queue[best];
        queue[best] = queue.back();
        queue.pop_back();
        --to_carry_[l];
        set_need(l);
        const Way& way = ways_[chunk];
        if (way.next + 1 < way.end) {
            ++waiting_[hops_[way.next + 1]];
            set_need(hops_[way.next + 1]);
        }
        return chunk;
    }

    void arrive(std::uint32_t chunk) {
        Way& way = ways_[chunk];
        if (++way.next == way.end) {
            --under_way_;
        } else {
            queues_[hops_[way.next]].push_back(chunk);
        }
    }

    const Neighbours& network_;
    std::mt19937_64 random_;
    std::vector<std::uint32_t> hops_;                 // links of all paths
    std::vector<Way> ways_;                           // per chunk
    std::vector<std::vector<std::uint32_t>> queues_;  // per link
    std::vector<std::uint64_t> to_carry_;             // per link, from now on
    std::vector<std::uint64_t> waiting_;              // of these, at its start after this round
    std::vector<double> need_;                        // per link
    std::size_t most_looked_at_ = 0;
    std::size_t under_way_ = 0;
};

constexpr std::uint32_t kNoNeighbour = UINT32_MAX;

/// The links of a path with as few of them as possible, if there is one.
std::vector<std::uint32_t> shortest_path(const Neighbours& network, NodeId from, NodeId to) {
    std::vector<std::uint32_t> by(network.nodes, kNoNeighbour);
    std::vector<NodeId> reached{from};
    for (std::size_t i = 0; i < reached.size() && by[to] == kNoNeighbour; ++i) {
        for (const std::uint32_t l : network.out[reached[i]]) {
            const NodeId next = network.links[l].to;
            if (next == from || by[next] != kNoNeighbour) continue;
            by[next] = l;
            reached.push_back(next);
        }
    }
    std::vector<std::uint32_t> path;
    for (NodeId at = to; at != from && by[at] != kNoNeighbour; at = network.links[by[at]].from) {
        path.push_back(by[at]);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace

ChunkPaths balanced_paths(const Task& task, const Neighbours& network, const Graph& graph,
                          const Routing& routing, std::uint64_t enough, std::uint64_t seed,
                          const std::function<bool()>& goes_on) {
    std::vector<std::uint32_t> link_of(graph.link_count(), kNoNeighbour);
    for (std::uint32_t l = 0; l < network.links.size(); ++l) {
        const NeighbourLink& link = network.links[l];
        const LinkId first = graph.out_link(graph.router_of(link.from), link.port);
        const bool is_direct = graph.link(first).to == graph.router_of(link.to);
        if (is_direct) link_of[first] = l;
    }
    ChunkPaths paths(task.chunk_count());
    for (std::uint64_t chunk = 0; chunk < paths.size(); ++chunk) {
        const NodeId from = task.origin(chunk);
        const NodeId to = task.destination(chunk);
        for (const LinkId link : route_links(graph, routing, from, to)) {
            paths[chunk].push_back(link_of[link]);
        }
        const auto& path = paths[chunk];
        if (std::find(path.begin(), path.end(), kNoNeighbour) == path.end()) continue;
        paths[chunk] = shortest_path(network, from, to);  // the route is over a switch
    }
    return PathBalancer(task, network, seed).balance(std::move(paths), enough, goes_on);
}

std::uint64_t largest_load(const ChunkPaths& paths, const Neighbours& network) {
    std::vector<std::uint64_t> load(network.links.size());
    std::uint64_t most = 0;
    for (const auto& path : paths) {
        for (const std::uint32_t l : path) {
            most = std::max(most, load[l] += network.links[l].rounds);
        }
    }
    return most;
}

std::vector<std::vector<ChunkMove>> relay_rounds(const ChunkPaths& paths, const Neighbours& network,
                                                 std::uint64_t seed) {
    return Relay(paths, network, seed).rounds();
}

}  // namespace flitscope::synthesis
