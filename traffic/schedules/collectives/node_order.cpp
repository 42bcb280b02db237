// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/collectives/node_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/topology/graph.h"

namespace flitscope {
namespace {

using Routers = std::vector<RouterId>;

bool has_link(const Graph& graph, RouterId from, RouterId to) {
    for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
        const LinkId link = graph.out_link(from, port);
        if (link != kNoLink && graph.link(link).to == to) return true;
    }
    return false;
}

/// One dimension of the grid: `side` routers, `stride` apart.
struct Line {
    std::uint32_t side;
    std::uint32_t stride;
};

/// Line after line of the first dimension, every second one backwards, and so on.
Routers snake(const std::vector<Line>& lines) {
    Routers routers{RouterId(0)};
    for (const Line& line : lines) {
        Routers longer;
        for (std::uint32_t i = 0; i < line.side; ++i) {
            for (const RouterId router : routers) longer.emplace_back(router + i * line.stride);
            std::reverse(routers.begin(), routers.end());
        }
        routers = std::move(longer);
    }
    return routers;
}

/// Along `rows`, in each of them there or back over all columns but the first, and home over that
/// one. Closed when the number of rows is even, or when the columns are.
Routers comb(const Line& rows, const Routers& columns) {
    Routers routers;
    Routers inner(columns.begin() + 1, columns.end());
    for (std::uint32_t row = 0; row < rows.side; ++row) {
        for (const RouterId column : inner) routers.emplace_back(row * rows.stride + column);
        std::reverse(inner.begin(), inner.end());
    }
    for (std::uint32_t row = rows.side; row-- > 0;) {
        routers.emplace_back(row * rows.stride + columns.front());
    }
    return routers;
}

/// A ring over the routers of `lines`; empty when none is known.
Routers ring(const Graph& graph, const std::vector<Line>& lines) {
    if (lines.size() == 1) {
        const auto [side, stride] = lines.front();
        Routers routers = snake(lines);
        if (has_link(graph, routers.back(), routers.front())) return routers;
        if (side < 3 || !has_link(graph, RouterId(0), RouterId(2 * stride))) return {};
        Routers evens_then_odds;
        for (std::uint32_t i = 0; i < side; i += 2) evens_then_odds.emplace_back(i * stride);
        for (std::uint32_t i = side; i-- > 0;) {
            if (i % 2 != 0) evens_then_odds.emplace_back(i * stride);
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
        const Routers columns = ring(graph, others);
        if (!columns.empty()) return comb(lines[i], columns);
    }
    return {};
}

bool is_linked(const Graph& graph, const Routers& routers) {
    for (std::size_t i = 0; i + 1 < routers.size(); ++i) {
        if (!has_link(graph, routers[i], routers[i + 1])) return false;
    }
    return true;
}

std::vector<NodeId> nodes_of(const Graph& graph, const Routers& routers) {
    std::vector<NodeId> nodes;
    for (const RouterId router : routers) {
        const NodesOfRouter of_router = graph.nodes_at(router);
        nodes.insert(nodes.end(), of_router.begin(), of_router.end());
    }
    return nodes;
}

}  // namespace

NodeOrder linked_order(const Graph& graph) {
    std::vector<Line> lines;
    for (std::size_t dim = graph.dims().size(); dim-- > 0;) {
        if (graph.dims()[dim] > 1) lines.push_back({graph.dims()[dim], graph.stride(dim)});
    }
    NodeOrder order;
    if (!lines.empty() && !graph.has_switches()) {
        Routers routers = ring(graph, lines);
        order.is_closed = !routers.empty() && is_linked(graph, routers) &&
                          has_link(graph, routers.back(), routers.front());
        if (!order.is_closed) routers = snake(lines);
        order.is_linked = is_linked(graph, routers);
        if (order.is_linked) {
            order.nodes = nodes_of(graph, routers);
            return order;
        }
    }
    order.nodes.resize(graph.node_count());
    std::iota(order.nodes.begin(), order.nodes.end(), 0);
    order.is_linked = graph.node_count() == 1 || graph.router_count() == 1;
    return order;
}

std::vector<NodeId> order_from(const NodeOrder& order, NodeId first) {
    std::vector<NodeId> nodes = order.nodes;
    std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), first), nodes.end());
    return nodes;
}

}  // namespace flitscope
