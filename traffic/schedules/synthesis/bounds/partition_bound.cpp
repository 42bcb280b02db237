// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/partition_bound.h"

// Its library would hold one constant.
#define LEMON_ONLY_TEMPLATES
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace flitscope::synthesis {
namespace {

/// Numbers its parts, each given by one vertex, and measures the capacity between them.
Partition partition_of(const CapacityGraph& graph, const std::vector<std::uint32_t>& leader) {
    Partition result;
    std::vector<std::uint32_t> number(graph.vertices, UINT32_MAX);
    for (std::uint32_t v = 0; v < graph.vertices; ++v) {
        if (number[leader[v]] == UINT32_MAX) number[leader[v]] = result.parts++;
        result.part_of.push_back(number[leader[v]]);
    }
    std::uint64_t capacity = 0;
    for (const CapacityGraph::Arc& arc : graph.arcs) {
        if (result.part_of[arc.from] != result.part_of[arc.to]) capacity += arc.capacity;
    }
    result.capacity = std::max<std::uint64_t>(capacity, 1);
    return result;
}

/// The partition whose parts have the least sum of f(X) = share * capacity out of X - 2. Values are
/// given to one vertex after the other, as much as no set that it completes forbids; sets that
/// forbid more are parts, and if they intersect their union is one (Cunningham 1985).
class LeastPartition {
public:
    using Digraph = lemon::SmartDigraph;
    using Capacity = std::int64_t;

    explicit LeastPartition(const CapacityGraph& graph) : graph_(graph), capacity_(digraph_) {
        for (std::uint32_t v = 0; v < graph.vertices + 2; ++v) digraph_.addNode();
        for (const CapacityGraph::Arc& arc : graph.arcs) add(arc.from, arc.to);
        for (std::uint32_t v = 0; v < graph.vertices; ++v) from_source_.push_back(add(source(), v));
        for (std::uint32_t v = 0; v < graph.vertices; ++v) to_sink_.push_back(add(v, sink()));
    }

    Partition find(const Fraction& share) {
        for (std::size_t a = 0; a < graph_.arcs.size(); ++a) {
            capacity_[Digraph::arcFromId(static_cast<int>(a))] =
                static_cast<Capacity>(graph_.arcs[a].capacity * share.numerator);
        }
        const Capacity part = 2 * static_cast<Capacity>(share.denominator);
        // Vertices that have no value yet are outside of all sets.
        for (std::uint32_t v = 0; v < graph_.vertices; ++v) {
            capacity_[from_source_[v]] = 0;
            capacity_[to_sink_[v]] = kUnlimited;
        }
        leader_.resize(graph_.vertices);
        std::iota(leader_.begin(), leader_.end(), 0U);
        Capacity given = 0;  // the sum of the values that are positive
        for (std::uint32_t v = 0; v < graph_.vertices; ++v) {
            capacity_[from_source_[v]] = kUnlimited;
            capacity_[to_sink_[v]] = 0;
            lemon::Preflow<Digraph, Digraph::ArcMap<Capacity>> flow(
                digraph_, capacity_, Digraph::nodeFromId(static_cast<int>(source())),
                Digraph::nodeFromId(static_cast<int>(sink())));
            flow.runMinCut();
            // The source side of the cut is the set: its outgoing capacity, less the values inside.
            const Capacity value = flow.flowValue() - given - part;
            capacity_[from_source_[v]] = std::max<Capacity>(value, 0);
            capacity_[to_sink_[v]] = std::max<Capacity>(-value, 0);
            given += std::max<Capacity>(value, 0);
            for (std::uint32_t u = 0; u < v; ++u) {
                if (flow.minCut(Digraph::nodeFromId(static_cast<int>(u)))) unite(u, v);
            }
        }
        for (std::uint32_t v = 0; v < graph_.vertices; ++v) leader_[v] = leader(v);
        return partition_of(graph_, leader_);
    }

private:
    /// More than any cut.
    static constexpr Capacity kUnlimited = Capacity{1} << 50;

    std::uint32_t source() const { return graph_.vertices; }
    std::uint32_t sink() const { return graph_.vertices + 1; }
    Digraph::Arc add(std::uint32_t from, std::uint32_t to) {
        return digraph_.addArc(Digraph::nodeFromId(static_cast<int>(from)),
                               Digraph::nodeFromId(static_cast<int>(to)));
    }
    std::uint32_t leader(std::uint32_t v) {
        while (leader_[v] != v) v = leader_[v] = leader_[leader_[v]];
        return v;
    }
    void unite(std::uint32_t a, std::uint32_t b) { leader_[leader(a)] = leader(b); }

    const CapacityGraph& graph_;
    Digraph digraph_;
    Digraph::ArcMap<Capacity> capacity_;
    std::vector<Digraph::Arc> from_source_;
    std::vector<Digraph::Arc> to_sink_;
    std::vector<std::uint32_t> leader_;
};

}  // namespace

Partition largest_partition(const CapacityGraph& graph, const Fraction& enough) {
    std::vector<std::uint32_t> alone(graph.vertices);
    std::iota(alone.begin(), alone.end(), 0U);
    Partition best = partition_of(graph, alone);
    LeastPartition search(graph);
    for (Fraction share = enough < best.bound() ? best.bound() : enough;;) {
        Partition next = search.find(share.reduced());
        if (next.parts < 2 || !(share < next.bound())) return best;
        share = next.bound();
        best = std::move(next);
    }
}

}  // namespace flitscope::synthesis
