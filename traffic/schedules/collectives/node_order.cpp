// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/node_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/topology/graph.h"

namespace flitscope {
namespace {

using Nodes = std::vector<NodeId>;

bool has_link(const Graph& graph, NodeId from, NodeId to) {
    for (PortId port = 1; port < graph.port_count(); ++port) {
        const LinkId link = graph.out_link(from, port);
        if (link != kNoLink && graph.link(link).to == to) return true;
    }
    return false;
}

/// One dimension of the grid: `side` nodes, `stride` apart.
struct Line {
    std::uint32_t side;
    NodeId stride;
};

/// Line after line of the first dimension, every second one backwards, and so on.
Nodes snake(const std::vector<Line>& lines) {
    Nodes nodes{0};
    for (const Line& line : lines) {
        Nodes longer;
        for (std::uint32_t i = 0; i < line.side; ++i) {
            for (const NodeId node : nodes) longer.push_back(node + i * line.stride);
            std::reverse(nodes.begin(), nodes.end());
        }
        nodes = std::move(longer);
    }
    return nodes;
}

/// Along `rows`, in each of them there or back over all columns but the first, and home over that
/// one. Closed when the number of rows is even, or when the columns are.
Nodes comb(const Line& rows, const Nodes& columns) {
    Nodes nodes;
    Nodes inner(columns.begin() + 1, columns.end());
    for (std::uint32_t row = 0; row < rows.side; ++row) {
        for (const NodeId column : inner) nodes.push_back(row * rows.stride + column);
        std::reverse(inner.begin(), inner.end());
    }
    for (std::uint32_t row = rows.side; row-- > 0;) {
        nodes.push_back(row * rows.stride + columns.front());
    }
    return nodes;
}

/// A ring over the nodes of `lines`; empty when none is known.
Nodes ring(const Graph& graph, const std::vector<Line>& lines) {
    if (lines.size() == 1) {
        const auto [side, stride] = lines.front();
        Nodes nodes = snake(lines);
        if (has_link(graph, nodes.back(), nodes.front())) return nodes;
        if (side < 3 || !has_link(graph, 0, 2 * stride)) return {};
        Nodes evens_then_odds;
        for (std::uint32_t i = 0; i < side; i += 2) evens_then_odds.push_back(i * stride);
        for (std::uint32_t i = side; i-- > 0;) {
            if (i % 2 != 0) evens_then_odds.push_back(i * stride);
        }
        return evens_then_odds;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::vector<Line> others = lines;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        if (lines[i].side % 2 == 0) return comb(lines[i], snake(others));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::vector<Line> others = lines;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const Nodes columns = ring(graph, others);
        if (!columns.empty()) return comb(lines[i], columns);
    }
    return {};
}

bool is_linked(const Graph& graph, const Nodes& nodes) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        if (!has_link(graph, nodes[i], nodes[i + 1])) return false;
    }
    return true;
}

}  // namespace

NodeOrder linked_order(const Graph& graph) {
    std::vector<Line> lines;
    std::uint64_t places = 1;
    for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
        places *= graph.dims()[dim];
        if (graph.dims()[dim] > 1) lines.push_back({graph.dims()[dim], graph.stride(dim)});
    }
    NodeOrder order;
    // If some of the places are switches, which neither send nor receive, nodes do not form a grid.
    if (!lines.empty() && places == graph.endpoint_count()) {
        order.nodes = ring(graph, lines);
        order.is_closed = !order.nodes.empty() && is_linked(graph, order.nodes) &&
                          has_link(graph, order.nodes.back(), order.nodes.front());
        if (!order.is_closed) order.nodes = snake(lines);
        order.is_linked = is_linked(graph, order.nodes);
        if (order.is_linked) return order;
    }
    order.nodes.resize(graph.endpoint_count());
    std::iota(order.nodes.begin(), order.nodes.end(), 0);
    order.is_linked = graph.endpoint_count() == 1;
    return order;
}

std::vector<NodeId> order_from(const NodeOrder& order, NodeId first) {
    std::vector<NodeId> nodes = order.nodes;
    std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), first), nodes.end());
    return nodes;
}

}  // namespace flitscope
