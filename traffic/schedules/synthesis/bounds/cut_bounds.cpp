// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/bounds/cut_bounds.h"

// Its library would hold one constant.
#define LEMON_ONLY_TEMPLATES
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace flitscope::synthesis {
namespace {

/// Maximum flows in a capacity graph, with supplies from or demands to an extra vertex.
class FlowSolver {
public:
    using Digraph = lemon::SmartDigraph;
    using Capacity = std::int64_t;

    explicit FlowSolver(const CapacityGraph& graph) : graph_(graph), capacity_(digraph_) {
        digraph_.reserveNode(static_cast<int>(graph.vertices + 1));
        for (std::uint32_t v = 0; v <= graph.vertices; ++v) digraph_.addNode();
        for (const CapacityGraph::Arc& arc : graph.arcs) add(arc.from, arc.to);
        for (const NodeId member : graph.members) from_source_.push_back(add(extra(), member));
        for (const NodeId member : graph.members) to_sink_.push_back(add(member, extra()));
    }

    /// The vertex in addition to those of the graph.
    std::uint32_t extra() const { return graph_.vertices; }

    /// Arcs of the graph carry `scale` times their capacity; the extra vertex supplies each member,
    /// or drains it, by this much.
    void set(std::uint64_t scale, std::uint64_t supply, std::uint64_t demand) {
        for (std::size_t a = 0; a < graph_.arcs.size(); ++a) {
            capacity_[Digraph::arcFromId(static_cast<int>(a))] =
                static_cast<Capacity>(graph_.arcs[a].capacity * scale);
        }
        for (const Digraph::Arc arc : from_source_) capacity_[arc] = static_cast<Capacity>(supply);
        for (const Digraph::Arc arc : to_sink_) capacity_[arc] = static_cast<Capacity>(demand);
    }
    void set_supply(std::size_t member, std::uint64_t supply) {
        capacity_[from_source_[member]] = static_cast<Capacity>(supply);
    }
    void set_demand(std::size_t member, std::uint64_t demand) {
        capacity_[to_sink_[member]] = static_cast<Capacity>(demand);
    }

    /// The value of the flow; `inside` becomes the vertices on the source's side of a least cut.
    std::uint64_t solve(std::uint32_t source, std::uint32_t sink, std::vector<bool>& inside) {
        lemon::Preflow<Digraph, Digraph::ArcMap<Capacity>> preflow(
            digraph_, capacity_, Digraph::nodeFromId(static_cast<int>(source)),
            Digraph::nodeFromId(static_cast<int>(sink)));
        preflow.runMinCut();
        inside.assign(graph_.vertices, false);
        for (std::uint32_t v = 0; v < graph_.vertices; ++v) {
            inside[v] = preflow.minCut(Digraph::nodeFromId(static_cast<int>(v)));
        }
        return static_cast<std::uint64_t>(preflow.flowValue());
    }

private:
    Digraph::Arc add(std::uint32_t from, std::uint32_t to) {
        return digraph_.addArc(Digraph::nodeFromId(static_cast<int>(from)),
                               Digraph::nodeFromId(static_cast<int>(to)));
    }

    const CapacityGraph& graph_;
    Digraph digraph_;
    Digraph::ArcMap<Capacity> capacity_;
    std::vector<Digraph::Arc> from_source_;
    std::vector<Digraph::Arc> to_sink_;
};

/// Keeps the cut with the largest bound.
class LargestCut {
public:
    LargestCut(const Task& task, const CapacityGraph& graph) : task_(task), graph_(graph) {}

    /// Whether it is larger than those before.
    bool offer(std::vector<bool> inside) {
        Cut cut;
        cut.demand = demand_of(task_, graph_, inside);
        cut.capacity = capacity_of(graph_, inside);
        cut.inside = std::move(inside);
        if (cut.demand == 0) return false;
        if (cut.capacity == 0) is_unreachable_ = true;
        if (is_unreachable_ || (best_ && !(best_->bound() < cut.bound()))) return false;
        best_ = std::move(cut);
        return true;
    }
    Fraction bound() const { return best_->bound().reduced(); }
    std::optional<Cut> take() {
        if (is_unreachable_) return std::nullopt;
        return std::move(best_);
    }
    bool is_unreachable() const { return is_unreachable_; }

private:
    const Task& task_;
    const CapacityGraph& graph_;
    std::optional<Cut> best_;
    bool is_unreachable_ = false;
};

std::vector<bool> single(const CapacityGraph& graph, std::uint32_t vertex, bool inside) {
    std::vector<bool> set(graph.vertices, !inside);
    set[vertex] = inside;
    return set;
}

/// Members that are to get a block of every other member: the bound rises from cut to cut until all
/// of it can flow in time (Newton's method, discrete).
void gather_cuts(const CapacityGraph& graph, LargestCut& largest) {
    for (const NodeId sink : graph.members) largest.offer(single(graph, sink, false));
    FlowSolver flows(graph);
    std::vector<bool> inside;
    for (std::size_t m = 0; m < graph.members.size(); ++m) {
        while (!largest.is_unreachable()) {
            const Fraction bound = largest.bound();
            flows.set(bound.numerator, bound.denominator, 0);
            flows.set_supply(m, 0);
            flows.solve(flows.extra(), graph.members[m], inside);
            if (!largest.offer(inside)) break;
        }
    }
}

/// The same for a root with a block for every other member.
void scatter_cuts(const Task& task, const CapacityGraph& graph, LargestCut& largest) {
    largest.offer(single(graph, task.root, true));
    for (const NodeId sink : graph.members) largest.offer(single(graph, sink, false));
    FlowSolver flows(graph);
    std::vector<bool> inside;
    const auto root = static_cast<std::size_t>(
        std::lower_bound(graph.members.begin(), graph.members.end(), task.root) -
        graph.members.begin());
    while (!largest.is_unreachable()) {
        const Fraction bound = largest.bound();
        flows.set(bound.numerator, 0, bound.denominator);
        flows.set_demand(root, 0);
        flows.solve(task.root, flows.extra(), inside);
        if (!largest.offer(inside)) break;
    }
}

/// Every least cut between a member and the others, in one direction or both.
void pair_cuts(const CapacityGraph& graph, NodeId from, bool both_ways, LargestCut& largest) {
    FlowSolver flows(graph);
    flows.set(1, 0, 0);
    std::vector<bool> inside;
    for (const NodeId member : graph.members) {
        if (member == from) continue;
        flows.solve(from, member, inside);
        largest.offer(inside);
        if (!both_ways) continue;
        flows.solve(member, from, inside);
        largest.offer(inside);
    }
}

/// The cuts of the graph backwards are those of this one, inside out.
std::optional<Cut> inside_out(const Task& task, const CapacityGraph& graph,
                              std::optional<Cut> cut) {
    if (!cut) return cut;
    cut->inside.flip();
    cut->demand = demand_of(task, graph, cut->inside);
    cut->capacity = capacity_of(graph, cut->inside);
    return cut;
}

}  // namespace

std::uint64_t demand_of(const Task& task, const CapacityGraph& graph,
                        const std::vector<bool>& inside) {
    const auto within = static_cast<std::uint64_t>(std::count_if(
        graph.members.begin(), graph.members.end(), [&](NodeId member) { return inside[member]; }));
    const std::uint64_t without = graph.members.size() - within;
    if (within == 0 || without == 0) return 0;
    switch (task.collective) {
        case Collective::kAllToAll:
            return within * without;
        case Collective::kAllGather:
            return within;
        case Collective::kReduceScatter:
            return without;
        case Collective::kAllReduce:
            return 1;
        case Collective::kBroadcast:
            return inside[task.root] ? 1 : 0;
        case Collective::kScatter:
            return inside[task.root] ? without : 0;
    }
    return 0;
}

std::uint64_t capacity_of(const CapacityGraph& graph, const std::vector<bool>& inside) {
    std::uint64_t sum = 0;
    for (const CapacityGraph::Arc& arc : graph.arcs) {
        if (inside[arc.from] && !inside[arc.to]) sum += arc.capacity;
    }
    return sum;
}

std::optional<Cut> largest_cut(const Task& task, const CapacityGraph& graph) {
    if (graph.members.size() < 2) return std::nullopt;
    LargestCut largest(task, graph);
    switch (task.collective) {
        case Collective::kAllToAll:
            return std::nullopt;
        case Collective::kAllGather:
            gather_cuts(graph, largest);
            break;
        case Collective::kReduceScatter: {
            Task backwards = task;
            backwards.collective = Collective::kAllGather;
            return inside_out(task, graph, largest_cut(backwards, graph.backwards()));
        }
        case Collective::kAllReduce:
            pair_cuts(graph, graph.members.front(), true, largest);
            break;
        case Collective::kBroadcast:
            pair_cuts(graph, task.root, false, largest);
            break;
        case Collective::kScatter:
            scatter_cuts(task, graph, largest);
            break;
    }
    return largest.take();
}

}  // namespace flitscope::synthesis
