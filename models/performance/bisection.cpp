// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/bisection.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "models/performance/channels.h"
#include "models/topology/families/fat_tree_shape.h"

namespace flitscope {
namespace {

using Order = std::vector<NodeId>;

Order nodes_sorted_by_position(const Graph& graph, bool by_column) {
    Order order(graph.node_count());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
        const Position& p = graph.position(a);
        const Position& q = graph.position(b);
        return by_column ? std::tie(p.column, p.row) < std::tie(q.column, q.row)
                         : std::tie(p.row, p.column) < std::tie(q.row, q.column);
    });
    return order;
}

/// Nodes in row-major order of `first`, then of the other dimensions by falling side.
Order nodes_in_row_major_order(const Graph& graph, std::size_t first) {
    std::vector<std::size_t> dims(graph.dims().size());
    std::iota(dims.begin(), dims.end(), std::size_t{0});
    std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
        if (a == first || b == first) return a == first && b != first;
        return graph.dims()[a] > graph.dims()[b];
    });
    Order order{0};
    for (const std::size_t dim : dims) {
        Order longer;
        longer.reserve(order.size() * graph.dims()[dim]);
        for (const NodeId node : order) {
            for (std::uint32_t at = 0; at < graph.dims()[dim]; ++at) {
                longer.push_back(node + at * graph.stride(dim));
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

std::vector<Order> canonical_orders(const Graph& graph) {
    std::vector<Order> orders;
    if (!graph.wiring()) {
        for (const bool by_column : {false, true}) {
            orders.push_back(nodes_sorted_by_position(graph, by_column));
        }
        return orders;
    }
    for (const std::size_t dim : different_dimensions(graph)) {
        orders.push_back(nodes_in_row_major_order(graph, dim));
    }
    return orders;
}

// ---- Which cuts are minimal ---------------------------------------------------------------------

/// A line of 1-D windows up to these sizes has no cut into halves below the one in its middle:
/// topology_cost_test.cpp enumerates them.
constexpr std::uint32_t kEnumeratedSide = 16;
constexpr std::uint32_t kEnumeratedLongSide = 32;
constexpr std::size_t kEnumeratedWindow = 8;

std::string proof_of_minimum(const Graph& graph, std::uint64_t channels) {
    if (graph.has_faults()) return "";
    if (graph.shape<FatTreeShape>() != nullptr && channels == graph.endpoint_count() / 2) {
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
        lines.size() == 1 &&
        (lines[0].side <= kEnumeratedSide ||
         (lines[0].side <= kEnumeratedLongSide && lines[0].spans.size() <= kEnumeratedWindow));
    return enumerated ? "enumeration of all halves" : "";
}

}  // namespace

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
    std::vector<bool> upper(graph.node_count());
    // Across the longest dimension the cut is smallest; the first of equals is the slowest-varying
    // (in a hypercube the top address bit).
    const auto longest = std::max_element(graph.dims().begin(), graph.dims().end());
    if (longest == graph.dims().end()) return cut_around(graph, std::move(upper));
    if (graph.has_switches()) return cut_into_halves(graph);
    const auto dim = static_cast<std::size_t>(longest - graph.dims().begin());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        upper[node] = graph.coordinate(node, dim) >= *longest / 2;
    }
    return cut_around(graph, std::move(upper));
}

HalvesCut cut_into_halves(const Graph& graph) {
    const std::vector<LinkId> channels = channel_links(graph);
    HalvesCut best;
    for (const Order& order : canonical_orders(graph)) {
        HalvesCut cut;
        cut.upper.resize(graph.node_count());
        NodeId left = graph.living_endpoints() / 2;  // nodes still missing in the first half
        for (const NodeId node : order) {
            cut.upper[node] = left == 0;
            if (left > 0 && node < graph.endpoint_count() && graph.is_alive(node)) --left;
        }
        for (const LinkId id : channels) {
            const Link& link = graph.link(id);
            if (cut.upper[link.from] != cut.upper[link.to]) ++cut.channels;
        }
        if (best.upper.empty() || cut.channels < best.channels) best = std::move(cut);
    }
    static_cast<NodeCut&>(best) = cut_around(graph, std::move(best.upper));
    best.proof = proof_of_minimum(graph, best.channels);
    return best;
}

}  // namespace flitscope
