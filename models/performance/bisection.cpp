// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/bisection.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <utility>

#include "models/performance/channels.h"
#include "models/performance/concentration.h"
#include "models/topology/families/fat_tree_shape.h"
#include "models/topology/working_nodes.h"

namespace flitscope {
namespace {

using Order = std::vector<RouterId>;

Order routers_sorted_by_position(const Graph& graph, bool by_column) {
    Order order;
    for (RouterId router; router < graph.router_count(); ++router) order.push_back(router);
    std::stable_sort(order.begin(), order.end(), [&](RouterId a, RouterId b) {
        const Position& p = graph.position(a);
        const Position& q = graph.position(b);
        return by_column ? std::tie(p.column, p.row) < std::tie(q.column, q.row)
                         : std::tie(p.row, p.column) < std::tie(q.row, q.column);
    });
    return order;
}

/// Routers in row-major order of `first`, then of the other dimensions by falling side.
Order routers_in_row_major_order(const Graph& graph, std::size_t first) {
    std::vector<std::size_t> dims(graph.dims().size());
    std::iota(dims.begin(), dims.end(), std::size_t{0});
    std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
        if (a == first || b == first) return a == first && b != first;
        return graph.dims()[a] > graph.dims()[b];
    });
    Order order(1);
    for (const std::size_t dim : dims) {
        Order longer;
        longer.reserve(order.size() * graph.dims()[dim]);
        for (const RouterId router : order) {
            for (std::uint32_t at = 0; at < graph.dims()[dim]; ++at) {
                longer.emplace_back(router + at * graph.stride(dim));
            }
        }
        order = std::move(longer);
    }
    return order;
}

/// Dimensions that are wired alike have equal cuts, so one of each is enough.
std::vector<std::size_t> different_dimensions(const Graph& graph) {
    std::vector<std::size_t> chosen;
    for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
        // Dead links and nodes differ between them.
        const auto is_alike = [&](std::size_t other) {
            if (graph.has_faults() || graph.dims()[dim] != graph.dims()[other]) return false;
            const auto& wired = graph.wiring()->dimensions();
            return wired[dim].spans == wired[other].spans;
        };
        if (std::none_of(chosen.begin(), chosen.end(), is_alike)) chosen.push_back(dim);
    }
    return chosen;
}

/// How many routers from the front have as nearly half of the living nodes as possible; if several
/// numbers have, the least.
std::size_t first_half(const Graph& graph, const Order& order) {
    const std::int64_t nodes = graph.working_node_count();
    std::int64_t least = nodes;  // difference of the halves
    std::int64_t before = 0;
    std::size_t half = 0;
    for (std::size_t i = 0; i < order.size() && least > 0; ++i) {
        before += working_nodes_at(graph, order[i]);
        const std::int64_t difference = std::abs(2 * before - nodes);
        if (difference >= least) continue;
        least = difference;
        half = i + 1;
    }
    return half;
}

std::vector<Order> canonical_orders(const Graph& graph) {
    std::vector<Order> orders;
    if (!graph.wiring()) {
        for (const bool by_column : {false, true}) {
            orders.push_back(routers_sorted_by_position(graph, by_column));
        }
        return orders;
    }
    for (const std::size_t dim : different_dimensions(graph)) {
        orders.push_back(routers_in_row_major_order(graph, dim));
    }
    return orders;
}

// ---- Which cuts are minimal ---------------------------------------------------------------------

/// A line of 1-D windows up to these sizes has no cut into halves below the one in its middle:
/// topology_cost_test.cpp enumerates them.
constexpr std::uint32_t kEnumeratedSide = 16;
constexpr std::uint32_t kEnumeratedLongSide = 32;
constexpr std::size_t kEnumeratedWindow = 8;

/// The nodes on the side of a cut that has fewer.
NodeId smaller_half(const Graph& graph, const NodeCut& cut) {
    NodeId upper = 0;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        upper += cut.upper[graph.router_of(node)] ? 1 : 0;
    }
    return std::min(upper, graph.node_count() - upper);
}

std::string proof_of_minimum(const Graph& graph, const HalvesCut& cut) {
    if (graph.has_faults() || !has_equal_concentration(graph)) return "";
    if (graph.shape<FatTreeShape>() != nullptr && cut.channels == smaller_half(graph, cut)) {
        return "every permutation has disjoint paths";  // Leiserson 1985
    }
    constexpr const char* kProducts = "Arjona Aroca and Fernandez Anta 2014";
    if (!graph.wiring() || !graph.wiring()->has_equal_places()) return "";
    bool chains = true;
    bool rings = true;
    bool complete = true;
    std::vector<GridDimension> lines;
    for (const GridDimension& line : graph.wiring()->dimensions()) {
        if (line.side == 1) continue;
        lines.push_back(line);
        chains = chains && line.spans.size() == 1 && !line.wraps;
        rings = rings && line.wraps;
        complete = complete && line.spans.size() == line.side - 1 && !line.wraps;
    }
    if (chains || rings) return kProducts;
    if (complete) {
        // The second eigenvalue of the Laplacian is the smallest radix k: no cut into halves has
        // fewer than kN/4 channels (Fiedler 1975). In one dimension every cut has as many.
        const auto smallest = std::min_element(
            lines.begin(), lines.end(),
            [](const GridDimension& a, const GridDimension& b) { return a.side < b.side; });
        if (lines.size() == 1) return "all cuts of a complete graph into halves are equal";
        if (smallest->side % 2 == 0) return "second eigenvalue of the Laplacian";
    }
    const bool enumerated =
        lines.size() == 1 && graph.wiring()->has_equal_windows() &&
        (lines[0].side <= kEnumeratedSide ||
         (lines[0].side <= kEnumeratedLongSide && lines[0].spans.size() <= kEnumeratedWindow));
    return enumerated ? "enumeration of all halves" : "";
}

}  // namespace

double NodeCut::capacity_from(const Graph& graph, bool upper_side) const {
    double flits = 0;
    for (const Link& link : graph.links()) {
        const bool crosses = upper[link.from] == upper_side && upper[link.to] != upper_side;
        if (crosses) flits += 1.0 / link.rate_cycles;
    }
    return flits;
}

std::uint64_t NodeCut::most_links() const { return std::max(up, down); }

NodeCut cut_around(const Graph& graph, std::vector<bool> upper) {
    NodeCut cut;
    for (const Link& link : graph.links()) {
        if (upper[link.from] == upper[link.to]) continue;
        ++(upper[link.from] ? cut.down : cut.up);
    }
    cut.upper = std::move(upper);
    return cut;
}

NodeCut middle_cut(const Graph& graph) {
    std::vector<bool> upper(graph.router_count());
    // Across the longest dimension the cut is smallest; the first of equals is the slowest-varying
    // (in a hypercube the top address bit).
    const auto longest = std::max_element(graph.dims().begin(), graph.dims().end());
    if (longest == graph.dims().end()) return cut_around(graph, std::move(upper));
    if (graph.has_switches()) return cut_into_halves(graph);
    const auto dim = static_cast<std::size_t>(longest - graph.dims().begin());
    for (RouterId router; router < graph.router_count(); ++router) {
        upper[router] = graph.coordinate(router, dim) >= *longest / 2;
    }
    return cut_around(graph, std::move(upper));
}

HalvesCut cut_into_halves(const Graph& graph) {
    const std::vector<LinkId> channels = channel_links(graph);
    HalvesCut best;
    for (const Order& order : canonical_orders(graph)) {
        HalvesCut cut;
        cut.upper.assign(graph.router_count(), true);
        const std::size_t lower = first_half(graph, order);
        for (std::size_t i = 0; i < lower; ++i) cut.upper[order[i]] = false;
        for (const LinkId id : channels) {
            const Link& link = graph.link(id);
            if (cut.upper[link.from] != cut.upper[link.to]) ++cut.channels;
        }
        if (best.upper.empty() || cut.channels < best.channels) best = std::move(cut);
    }
    static_cast<NodeCut&>(best) = cut_around(graph, std::move(best.upper));
    best.proof = proof_of_minimum(graph, best);
    return best;
}

}  // namespace flitscope
