// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/length_bounds.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <queue>
#include <utility>

namespace flitscope::synthesis {
namespace {

/// Shortest ways from one vertex after the other.
template <class Length>
class ShortestWays {
public:
    explicit ShortestWays(const CapacityGraph& graph)
        : graph_(graph),
          first_(graph.vertices + 2),
          distance_(graph.vertices),
          by_(graph.vertices) {
        for (const CapacityGraph::Arc& arc : graph.arcs) ++first_[arc.from + 2];
        for (std::size_t v = 2; v < first_.size(); ++v) first_[v] += first_[v - 1];
        arcs_.resize(graph.arcs.size());
        for (std::uint32_t a = 0; a < graph.arcs.size(); ++a) {
            arcs_[first_[graph.arcs[a].from + 1]++] = a;
        }
    }

    static constexpr Length unreached() { return std::numeric_limits<Length>::max(); }

    void search(std::uint32_t from, const std::vector<Length>& lengths) {
        using Reached = std::pair<Length, std::uint32_t>;
        std::fill(distance_.begin(), distance_.end(), unreached());
        settled_.clear();
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
        distance_[from] = 0;
        open.emplace(Length{0}, from);
        while (!open.empty()) {
            const auto [distance, vertex] = open.top();
            open.pop();
            if (distance > distance_[vertex]) continue;
            settled_.push_back(vertex);
            for (std::uint32_t i = first_[vertex]; i < first_[vertex + 1]; ++i) {
                const std::uint32_t a = arcs_[i];
                const std::uint32_t next = graph_.arcs[a].to;
                if (distance + lengths[a] >= distance_[next]) continue;
                distance_[next] = distance + lengths[a];
                by_[next] = a;
                open.emplace(distance_[next], next);
            }
        }
    }

    Length distance(std::uint32_t to) const { return distance_[to]; }

    /// Adds to every arc how many members its shortest ways lead to.
    void add_flows(std::uint32_t from, const std::vector<bool>& is_member,
                   std::vector<double>& flows) {
        below_.assign(graph_.vertices, 0);
        for (auto vertex = settled_.rbegin(); vertex != settled_.rend(); ++vertex) {
            if (*vertex == from) break;
            if (is_member[*vertex]) below_[*vertex] += 1;
            flows[by_[*vertex]] += below_[*vertex];
            below_[graph_.arcs[by_[*vertex]].from] += below_[*vertex];
        }
    }

private:
    const CapacityGraph& graph_;
    std::vector<std::uint32_t> first_;  // range of a vertex in arcs_
    std::vector<std::uint32_t> arcs_;
    std::vector<Length> distance_;
    std::vector<std::uint32_t> by_;
    std::vector<std::uint32_t> settled_;
    std::vector<double> below_;
};

/// Lengths as whole numbers, which give the bound without rounding.
std::vector<std::uint64_t> whole(const std::vector<double>& lengths) {
    constexpr double kLongest = 1 << 16;
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    std::vector<std::uint64_t> result;
    result.reserve(lengths.size());
    for (const double length : lengths) {
        result.push_back(static_cast<std::uint64_t>(length / longest * kLongest + 0.5));
    }
    return result;
}

}  // namespace

ArcLengths with_bound(const CapacityGraph& graph, std::vector<std::uint64_t> lengths) {
    ArcLengths result{std::move(lengths), {}};
    std::uint64_t volume = 0;
    for (std::size_t a = 0; a < graph.arcs.size(); ++a) {
        volume += graph.arcs[a].capacity * result.lengths[a];
    }
    std::uint64_t distances = 0;
    ShortestWays<std::uint64_t> ways(graph);
    for (const NodeId from : graph.members) {
        ways.search(from, result.lengths);
        for (const NodeId to : graph.members) {
            if (ways.distance(to) == ways.unreached()) return result;
            distances += ways.distance(to);
        }
    }
    if (volume != 0) result.bound = Fraction{distances, volume}.reduced();
    return result;
}

ArcLengths best_lengths(const CapacityGraph& graph, const std::vector<std::vector<bool>>& cuts,
                        const Fraction& enough, std::uint32_t rounds) {
    ArcLengths best = with_bound(graph, std::vector<std::uint64_t>(graph.arcs.size(), 1));
    const auto offer = [&](std::vector<std::uint64_t> lengths) {
        ArcLengths other = with_bound(graph, std::move(lengths));
        if (best.bound < other.bound) best = std::move(other);
    };
    for (const std::vector<bool>& inside : cuts) {
        std::vector<std::uint64_t> lengths;
        for (const CapacityGraph::Arc& arc : graph.arcs) {
            lengths.push_back(inside[arc.from] && !inside[arc.to] ? 1 : 0);
        }
        offer(std::move(lengths));
    }
    std::vector<bool> is_member(graph.vertices);
    for (const NodeId member : graph.members) is_member[member] = true;
    std::vector<double> lengths(graph.arcs.size(), 1.0);
    std::vector<double> flows(graph.arcs.size());
    std::vector<double> best_found;
    double best_value = 0;
    ShortestWays<double> ways(graph);
    for (std::uint32_t round = 0; round < rounds && best.bound < enough; ++round) {
        std::fill(flows.begin(), flows.end(), 0.0);
        double distances = 0;
        for (const NodeId from : graph.members) {
            ways.search(from, lengths);
            for (const NodeId to : graph.members) distances += ways.distance(to);
            ways.add_flows(from, is_member, flows);
        }
        double volume = 0;
        double fullest = 0;
        for (std::size_t a = 0; a < flows.size(); ++a) {
            const auto capacity = static_cast<double>(graph.arcs[a].capacity);
            volume += capacity * lengths[a];
            flows[a] /= capacity;
            fullest = std::max(fullest, flows[a]);
        }
        if (distances / volume > best_value) {
            best_value = distances / volume;
            best_found = lengths;
        }
        // Full arcs become longer, at first by much.
        const double step = 0.5 / (1.0 + 0.05 * round);
        for (std::size_t a = 0; a < flows.size(); ++a) lengths[a] *= 1 + step * flows[a] / fullest;
        const double longest = *std::max_element(lengths.begin(), lengths.end());
        for (double& length : lengths) length /= longest;
        const bool is_last = round + 1 == rounds;
        if ((is_last || round % 16 == 15) && !best_found.empty()) offer(whole(best_found));
    }
    return best;
}

}  // namespace flitscope::synthesis
