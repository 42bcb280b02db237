// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/tree_collectives.h"

#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/base/powers_of_two.h"
#include "models/topology/graph.h"
#include "traffic/schedules/collectives/ring_rule.h"

namespace flitscope {
namespace {

/// The part of a line or of a virtual numbering that one node still has to serve.
struct Interval {
    NodeId holder = 0;
    NodeId begin = 0;
    NodeId end = 0;  ///< one past the last
};

/// Halves `intervals` until each is a single node. The holder of an interval keeps the half it is
/// in (the first half is the larger one) and hands the other to its nearest node there: emit(round,
/// holder, new holder, size of the half). Returns the number of rounds.
StepId halve(std::vector<Interval> intervals,
             const std::function<void(StepId, NodeId, NodeId, NodeId)>& emit) {
    StepId round = 0;
    for (;; ++round) {
        std::vector<Interval> next;
        bool split = false;
        for (const Interval& it : intervals) {
            if (it.end - it.begin <= 1) {
                next.push_back(it);
                continue;
            }
            split = true;
            const NodeId middle = it.begin + (it.end - it.begin + 1) / 2;
            const Interval low{it.holder < middle ? it.holder : middle - 1, it.begin, middle};
            const Interval high{it.holder < middle ? middle : it.holder, middle, it.end};
            const Interval& given = it.holder < middle ? high : low;
            emit(round, it.holder, given.holder, given.end - given.begin);
            next.push_back(low);
            next.push_back(high);
        }
        if (!split) return round;
        intervals = std::move(next);
    }
}

}  // namespace

Program broadcast_binomial(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("broadcast", nodes, nodes);
    StepId step = 0;
    for (std::uint64_t informed = 1; informed < nodes; informed *= 2, ++step) {
        for (std::uint64_t v = 0; v < informed && v + informed < nodes; ++v) {
            program.send(static_cast<NodeId>((v + root) % nodes),
                         static_cast<NodeId>((v + informed + root) % nodes), bytes, step);
        }
    }
    return program;
}

Program broadcast_dimension_order(const Graph& graph, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("broadcast", graph.node_count(), graph.node_count());
    std::vector<NodeId> informed = {root};
    StepId step = 0;
    for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
        const NodeId side = graph.dims()[dim];
        const NodeId stride = graph.stride(dim);
        // Every informed node has the root's coordinate here and serves its own line.
        const NodeId at = graph.coordinate(graph.router_of(root), dim);
        std::vector<NodeId> reached;
        for (const NodeId node : informed) {
            const NodeId origin = node - at * stride;
            for (NodeId i = 0; i < side; ++i) reached.push_back(origin + i * stride);
        }
        step += halve({{at, 0, side}}, [&](StepId round, NodeId from, NodeId to, NodeId) {
            for (const NodeId node : informed) {
                const NodeId origin = node - at * stride;
                program.send(origin + from * stride, origin + to * stride, bytes, step + round);
            }
        });
        informed = std::move(reached);
    }
    return program;
}

Program allgather_ring(NodeId nodes, std::uint64_t bytes) {
    std::vector<NodeId> order(nodes);
    std::iota(order.begin(), order.end(), 0);
    return program_by_rule("allgather", std::make_shared<RingRule>(order, nodes - 1), bytes);
}

Program allgather_recursive_doubling(NodeId nodes, std::uint64_t bytes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("recursive doubling needs a power-of-two number of nodes");
    }
    Program program = empty_program("allgather", nodes, 0);
    StepId step = 0;
    for (std::uint64_t held = 1; held < nodes; held *= 2, ++step) {
        for (NodeId n = 0; n < nodes; ++n) {
            program.send(n, static_cast<NodeId>(n ^ held), held * bytes, step);
        }
    }
    return program;
}

Program scatter_direct(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("scatter", nodes, nodes);
    for (std::uint64_t i = 1; i < nodes; ++i) {
        program.send(root, static_cast<NodeId>((root + i) % nodes), bytes,
                     static_cast<StepId>(i - 1));
    }
    return program;
}

Program scatter_binomial(NodeId nodes, NodeId root, std::uint64_t bytes) {
    Program program = empty_program("scatter", nodes, nodes);
    if (nodes == 0) return program;
    const auto real = [&](NodeId v) {
        return static_cast<NodeId>((std::uint64_t{v} + root) % nodes);
    };
    halve({{0, 0, nodes}}, [&](StepId round, NodeId from, NodeId to, NodeId size) {
        program.send(real(from), real(to), size * bytes, round);
    });
    return program;
}

}  // namespace flitscope
