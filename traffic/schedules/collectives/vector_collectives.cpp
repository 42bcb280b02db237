// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/vector_collectives.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/base/powers_of_two.h"

namespace flitscope {
namespace {

/// Nodes by rank.
using Ranks = std::vector<NodeId>;

struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

VectorPlan empty_plan(const char* name, NodeId nodes, std::uint32_t pieces) {
    VectorPlan plan;
    plan.name = name;
    plan.nodes = nodes;
    plan.pieces = pieces;
    return plan;
}

void require_power_of_two(NodeId nodes) {
    if (!is_power_of_two(nodes)) {
        throw std::invalid_argument("recursive halving needs a power-of-two number of nodes");
    }
}

/// Rank 0 has all pieces, one per rank; in the end rank r has piece r. The holder of a range keeps
/// its first half, the larger one, and hands over the other.
void scatter(VectorPlan& plan, const Ranks& ranks) {
    std::vector<Range> held{{0, static_cast<std::uint32_t>(ranks.size())}};
    while (held.size() < ranks.size()) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        std::vector<Range> halves;
        for (const Range& range : held) {
            const std::uint32_t kept = (range.count + 1) / 2;
            halves.push_back({range.first, kept});
            if (kept == range.count) continue;
            const Range given{range.first + kept, range.count - kept};
            halves.push_back(given);
            step.push_back({ranks[range.first], ranks[given.first], given.first, given.count});
        }
        held = std::move(halves);
    }
}

/// Rank r begins with piece_of(r) and passes on received pieces.
template <typename PieceOf>
void ring_allgather(VectorPlan& plan, const Ranks& ranks, PieceOf piece_of) {
    const auto p = static_cast<std::uint32_t>(ranks.size());
    for (std::uint32_t k = 0; k + 1 < p; ++k) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (std::uint32_t r = 0; r < p; ++r) {
            step.push_back({ranks[r], ranks[(r + 1) % p], piece_of((r + p - k) % p)});
        }
    }
}

/// Rank r ends with piece_of(r) combined: the piece begins at the next rank and goes round.
template <typename PieceOf>
void ring_reduce_scatter(VectorPlan& plan, const Ranks& ranks, PieceOf piece_of) {
    const auto p = static_cast<std::uint32_t>(ranks.size());
    for (std::uint32_t k = 0; k + 1 < p; ++k) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (std::uint32_t r = 0; r < p; ++r) {
            const std::uint32_t owner = (r + 2 * p - 1 - k) % p;
            step.push_back({ranks[r], ranks[(r + 1) % p], piece_of(owner), 1, true});
        }
    }
}

/// Every rank hands half of its range to the rank that differs in the bit and combines the other:
/// the first half if its own bit is 0. `bits` are the steps.
void halve(VectorPlan& plan, const Ranks& ranks, const std::vector<std::uint32_t>& bits,
           std::vector<Range>& owned) {
    for (const std::uint32_t bit : bits) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (std::uint32_t r = 0; r < ranks.size(); ++r) {
            const std::uint32_t half = owned[r].count / 2;
            const bool keeps_second = (r & bit) != 0;
            const std::uint32_t given = owned[r].first + (keeps_second ? 0 : half);
            step.push_back({ranks[r], ranks[r ^ bit], given, half, true});
            owned[r] = {owned[r].first + (keeps_second ? half : 0), half};
        }
    }
}

/// Every rank sends its range to the rank that differs in the bit, whose range is next to it.
void gather(VectorPlan& plan, const Ranks& ranks, const std::vector<std::uint32_t>& bits,
            std::vector<Range>& owned) {
    for (const std::uint32_t bit : bits) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        const std::vector<Range> before = owned;
        for (std::uint32_t r = 0; r < ranks.size(); ++r) {
            step.push_back({ranks[r], ranks[r ^ bit], before[r].first, before[r].count});
            owned[r].first = std::min(before[r].first, before[r ^ bit].first);
            owned[r].count = 2 * before[r].count;
        }
    }
}

/// 1, 2, 4, ... below `ranks`.
std::vector<std::uint32_t> rising_bits(std::size_t ranks) {
    std::vector<std::uint32_t> bits;
    for (std::uint32_t bit = 1; bit < ranks; bit *= 2) bits.push_back(bit);
    return bits;
}

std::vector<std::uint32_t> falling_bits(std::size_t ranks) {
    std::vector<std::uint32_t> bits = rising_bits(ranks);
    std::reverse(bits.begin(), bits.end());
    return bits;
}

/// A power of two of ranks among any number of nodes: among the first 2 x `extra` nodes the odd
/// ones also represent their neighbour.
struct Folding {
    NodeId extra = 0;
    Ranks ranks;

    explicit Folding(NodeId nodes) {
        const NodeId kept = nodes == 0 ? 0 : NodeId{1} << floor_log2(nodes);
        extra = nodes - kept;
        for (NodeId r = 0; r < kept; ++r) ranks.push_back(r < extra ? 2 * r + 1 : r + extra);
    }

    void fold(VectorPlan& plan) const {
        if (extra == 0) return;
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (NodeId i = 0; i < extra; ++i) {
            step.push_back({2 * i, 2 * i + 1, 0, plan.pieces, true});
        }
    }
    void unfold(VectorPlan& plan) const {
        if (extra == 0) return;
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (NodeId i = 0; i < extra; ++i) step.push_back({2 * i + 1, 2 * i, 0, plan.pieces});
    }
};

/// Adds a tree over ranks begin .. end - 1, whose root `begin` receives piece j in step
/// arrival + 2 j (the step after it is arrival + 1 + 2 j).
void add_tree(VectorPlan& plan, const Ranks& ranks, std::uint32_t begin, std::uint32_t end,
              std::int64_t arrival) {
    const std::uint32_t others = end - begin - 1;
    if (others == 0) return;
    const std::uint32_t middle = begin + 1 + (others + 1) / 2;
    const auto serve = [&](std::uint32_t child, std::int64_t first) {
        for (std::uint32_t piece = 0; piece < plan.pieces; ++piece) {
            const auto step = static_cast<std::size_t>(first + 2 * std::int64_t{piece});
            if (plan.steps.size() <= step) plan.steps.resize(step + 1);
            plan.steps[step].push_back({ranks[begin], ranks[child], piece});
        }
    };
    serve(begin + 1, arrival + 1);
    add_tree(plan, ranks, begin + 1, middle, arrival + 1);
    if (middle == end) return;
    serve(middle, arrival + 2);
    add_tree(plan, ranks, middle, end, arrival + 2);
}

}  // namespace

VectorPlan scatter_ring_allgather(const NodeOrder& order, NodeId root) {
    const Ranks ranks = order_from(order, root);
    const auto nodes = static_cast<NodeId>(ranks.size());
    VectorPlan plan = empty_plan("broadcast", nodes, nodes);
    scatter(plan, ranks);
    ring_allgather(plan, ranks, [](std::uint32_t rank) { return rank; });
    return plan;
}

VectorPlan scatter_doubling(NodeId nodes, NodeId root) {
    require_power_of_two(nodes);
    Ranks ranks;
    std::vector<Range> owned;
    for (NodeId r = 0; r < nodes; ++r) {
        ranks.push_back(r ^ root);
        owned.push_back({r, 1});
    }
    VectorPlan plan = empty_plan("broadcast", nodes, nodes);
    scatter(plan, ranks);
    gather(plan, ranks, rising_bits(nodes), owned);
    return plan;
}

VectorPlan pipelined_chain(const NodeOrder& order, NodeId root, std::uint32_t pieces) {
    const Ranks ranks = order_from(order, root);
    VectorPlan plan = empty_plan("broadcast", static_cast<NodeId>(ranks.size()), pieces);
    if (ranks.size() < 2) return plan;
    plan.steps.resize(ranks.size() + pieces - 2);
    for (std::size_t hop = 0; hop + 1 < ranks.size(); ++hop) {
        for (std::uint32_t piece = 0; piece < pieces; ++piece) {
            plan.steps[hop + piece].push_back({ranks[hop], ranks[hop + 1], piece});
        }
    }
    return plan;
}

VectorPlan pipelined_tree(const NodeOrder& order, NodeId root, std::uint32_t pieces) {
    const Ranks ranks = order_from(order, root);
    VectorPlan plan = empty_plan("broadcast", static_cast<NodeId>(ranks.size()), pieces);
    add_tree(plan, ranks, 0, plan.nodes, -1);
    return plan;
}

std::uint32_t best_pieces(std::uint64_t busy, std::uint64_t depth, double per_message,
                          double per_vector, std::uint32_t most) {
    const auto time = [&](double pieces) {
        return (static_cast<double>(busy) * (pieces - 1) + static_cast<double>(depth)) *
               (per_message + per_vector / pieces);
    };
    if (depth <= busy || most <= 1) return 1;
    const double best = std::sqrt(static_cast<double>(depth - busy) * per_vector /
                                  (static_cast<double>(busy) * std::max(per_message, 1e-9)));
    const double below = std::clamp(std::floor(best), 1.0, static_cast<double>(most));
    const double above = std::min(below + 1, static_cast<double>(most));
    return static_cast<std::uint32_t>(time(below) <= time(above) ? below : above);
}

VectorPlan allreduce_doubling(NodeId nodes) {
    const Folding folding(nodes);
    VectorPlan plan = empty_plan("allreduce", nodes, 1);
    folding.fold(plan);
    for (const std::uint32_t bit : rising_bits(folding.ranks.size())) {
        std::vector<VectorMove>& step = plan.steps.emplace_back();
        for (std::uint32_t r = 0; r < folding.ranks.size(); ++r) {
            step.push_back({folding.ranks[r], folding.ranks[r ^ bit], 0, 1, true});
        }
    }
    folding.unfold(plan);
    return plan;
}

VectorPlan allreduce_halving_doubling(NodeId nodes) {
    const Folding folding(nodes);
    const auto pieces = static_cast<std::uint32_t>(folding.ranks.size());
    VectorPlan plan = empty_plan("allreduce", nodes, pieces);
    std::vector<Range> owned(pieces, Range{0, pieces});
    folding.fold(plan);
    halve(plan, folding.ranks, rising_bits(pieces), owned);
    gather(plan, folding.ranks, falling_bits(pieces), owned);
    folding.unfold(plan);
    return plan;
}

VectorPlan allreduce_ring(const NodeOrder& order) {
    const auto nodes = static_cast<NodeId>(order.nodes.size());
    const auto piece_of = [](std::uint32_t rank) { return rank; };
    VectorPlan plan = empty_plan("allreduce", nodes, nodes);
    ring_reduce_scatter(plan, order.nodes, piece_of);
    ring_allgather(plan, order.nodes, piece_of);
    return plan;
}

VectorPlan allreduce_both(VectorPlan reduce, const VectorPlan& broadcast) {
    reduce.name = "allreduce";
    reduce.steps.insert(reduce.steps.end(), broadcast.steps.begin(), broadcast.steps.end());
    return reduce;
}

VectorPlan reduce_scatter_ring(const NodeOrder& order) {
    const auto nodes = static_cast<NodeId>(order.nodes.size());
    VectorPlan plan = empty_plan("reduce-scatter", nodes, nodes);
    ring_reduce_scatter(plan, order.nodes, [&](std::uint32_t rank) { return order.nodes[rank]; });
    return plan;
}

VectorPlan reduce_scatter_halving(NodeId nodes) {
    require_power_of_two(nodes);
    Ranks ranks(nodes);
    std::iota(ranks.begin(), ranks.end(), 0);
    VectorPlan plan = empty_plan("reduce-scatter", nodes, nodes);
    std::vector<Range> owned(nodes, Range{0, nodes});
    halve(plan, ranks, falling_bits(nodes), owned);
    return plan;
}

}  // namespace flitscope
