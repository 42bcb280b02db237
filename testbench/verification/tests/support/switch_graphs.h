// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Custom graphs of switches with several nodes each, which have many equal paths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

using Channel = std::pair<NodeId, NodeId>;

/// With links both ways between the ends of each channel; ports in the order of the channels.
inline Graph graph_of_channels(NodeId nodes, NodeId routers, const std::vector<Channel>& channels) {
    std::vector<PortId> used(routers, 0);
    for (const auto& [a, b] : channels) {
        ++used[a];
        ++used[b];
    }
    Graph graph("custom", {routers}, 1 + *std::max_element(used.begin(), used.end()));
    used.assign(routers, 1);
    for (const auto& [a, b] : channels) {
        Link link;
        link.from = a;
        link.to = b;
        link.from_port = used[a]++;
        link.to_port = used[b]++;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    graph.set_endpoint_count(nodes);
    return graph;
}

/// Channels from every node to its switch, `each` per switch.
inline std::vector<Channel> nodes_on_switches(NodeId switches, NodeId each) {
    std::vector<Channel> channels;
    const NodeId nodes = switches * each;
    for (NodeId node = 0; node < nodes; ++node) channels.emplace_back(node, nodes + node / each);
    return channels;
}

/// Leaves with nodes, all joined to all spines.
inline Graph clos(NodeId leaves, NodeId spines, NodeId each) {
    const NodeId nodes = leaves * each;
    std::vector<Channel> channels = nodes_on_switches(leaves, each);
    for (NodeId leaf = 0; leaf < leaves; ++leaf) {
        for (NodeId spine = 0; spine < spines; ++spine) {
            channels.emplace_back(nodes + leaf, nodes + leaves + spine);
        }
    }
    return graph_of_channels(nodes, nodes + leaves + spines, channels);
}

/// A k-ary n-tree (Petrini and Vanneschi 1997).
inline Graph tree_of_switches(NodeId arity, NodeId height) {
    NodeId per_stage = 1;
    for (NodeId stage = 1; stage < height; ++stage) per_stage *= arity;
    const NodeId nodes = per_stage * arity;
    std::vector<Channel> channels = nodes_on_switches(per_stage, arity);
    NodeId weight = 1;
    for (NodeId stage = 0; stage + 1 < height; ++stage, weight *= arity) {
        for (NodeId place = 0; place < per_stage; ++place) {
            const NodeId first = place - place / weight % arity * weight;
            for (NodeId digit = 0; digit < arity; ++digit) {
                channels.emplace_back(nodes + stage * per_stage + place,
                                      nodes + (stage + 1) * per_stage + first + digit * weight);
            }
        }
    }
    return graph_of_channels(nodes, nodes + height * per_stage, channels);
}

/// Along rows through lower ports than along columns: the lowest port is dimension order.
inline Graph mesh_of_switches(NodeId rows, NodeId columns, NodeId each) {
    const NodeId nodes = rows * columns * each;
    std::vector<Channel> channels = nodes_on_switches(rows * columns, each);
    const auto at = [&](NodeId row, NodeId column) { return nodes + row * columns + column; };
    for (NodeId row = 0; row < rows; ++row) {
        for (NodeId column = 1; column < columns; ++column) {
            channels.emplace_back(at(row, column - 1), at(row, column));
        }
    }
    for (NodeId row = 1; row < rows; ++row) {
        for (NodeId column = 0; column < columns; ++column) {
            channels.emplace_back(at(row - 1, column), at(row, column));
        }
    }
    return graph_of_channels(nodes, nodes + rows * columns, channels);
}

/// A ring of switches with chords drawn at random, up to `degree` channels between switches each.
inline Graph random_switches(NodeId switches, std::uint32_t degree, NodeId each,
                             std::uint32_t seed) {
    std::mt19937 draw(seed);
    const NodeId nodes = switches * each;
    std::vector<Channel> channels = nodes_on_switches(switches, each);
    std::vector<std::uint32_t> used(switches, 2);
    std::set<Channel> joined;
    for (NodeId i = 0; i < switches; ++i) joined.insert(std::minmax(i, (i + 1) % switches));
    for (std::uint32_t tries = 0; tries < 40 * switches; ++tries) {
        const NodeId a = draw() % switches;
        const NodeId b = draw() % switches;
        if (a == b || used[a] == degree || used[b] == degree) continue;
        if (!joined.insert(std::minmax(a, b)).second) continue;
        ++used[a];
        ++used[b];
    }
    for (const auto& [a, b] : joined) channels.emplace_back(nodes + a, nodes + b);
    return graph_of_channels(nodes, nodes + switches, channels);
}

}  // namespace flitscope
