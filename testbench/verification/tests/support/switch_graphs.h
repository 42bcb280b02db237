// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Custom graphs of routers with several nodes each, which have many equal paths.
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
#include "models/topology/node_places.h"

namespace flitscope {

using Channel = std::pair<std::uint32_t, std::uint32_t>;  ///< the routers at its ends

/// With links both ways between the ends of each channel; ports in the order of the channels. The
/// first routers have `each` nodes.
inline Graph graph_of_channels(NodeId nodes, std::uint32_t routers,
                               const std::vector<Channel>& channels, std::uint32_t each = 1) {
    std::vector<PortId> used(routers, 0);
    for (const auto& [a, b] : channels) {
        ++used[a];
        ++used[b];
    }
    Graph graph("custom", {routers}, 1 + *std::max_element(used.begin(), used.end()));
    used.assign(routers, 1);
    for (const auto& [a, b] : channels) {
        Link link;
        link.from = RouterId(a);
        link.to = RouterId(b);
        link.from_port = used[a]++;
        link.to_port = used[b]++;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    std::vector<RouterId> places;
    for (NodeId node = 0; node < nodes; ++node) places.emplace_back(node / each);
    graph.attach(NodePlaces(places, routers), {nodes});
    return graph;
}

/// Leaves with nodes, all joined to all spines.
inline Graph clos(std::uint32_t leaves, std::uint32_t spines, std::uint32_t each) {
    std::vector<Channel> channels;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
        for (std::uint32_t spine = 0; spine < spines; ++spine) {
            channels.emplace_back(leaf, leaves + spine);
        }
    }
    return graph_of_channels(leaves * each, leaves + spines, channels, each);
}

/// A k-ary n-tree (Petrini and Vanneschi 1997).
inline Graph tree_of_switches(std::uint32_t arity, std::uint32_t height) {
    std::uint32_t per_stage = 1;
    for (std::uint32_t stage = 1; stage < height; ++stage) per_stage *= arity;
    std::vector<Channel> channels;
    std::uint32_t weight = 1;
    for (std::uint32_t stage = 0; stage + 1 < height; ++stage, weight *= arity) {
        for (std::uint32_t place = 0; place < per_stage; ++place) {
            const std::uint32_t first = place - place / weight % arity * weight;
            for (std::uint32_t digit = 0; digit < arity; ++digit) {
                channels.emplace_back(stage * per_stage + place,
                                      (stage + 1) * per_stage + first + digit * weight);
            }
        }
    }
    return graph_of_channels(per_stage * arity, height * per_stage, channels, arity);
}

/// Along rows through lower ports than along columns: the lowest port is dimension order.
inline Graph mesh_of_switches(std::uint32_t rows, std::uint32_t columns, std::uint32_t each) {
    std::vector<Channel> channels;
    const auto at = [&](std::uint32_t row, std::uint32_t column) { return row * columns + column; };
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 1; column < columns; ++column) {
            channels.emplace_back(at(row, column - 1), at(row, column));
        }
    }
    for (std::uint32_t row = 1; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            channels.emplace_back(at(row - 1, column), at(row, column));
        }
    }
    return graph_of_channels(rows * columns * each, rows * columns, channels, each);
}

/// A ring of switches with chords drawn at random, up to `degree` channels between switches each.
inline Graph random_switches(std::uint32_t switches, std::uint32_t degree, std::uint32_t each,
                             std::uint32_t seed) {
    std::mt19937 draw(seed);
    std::vector<std::uint32_t> used(switches, 2);
    std::set<Channel> joined;
    for (std::uint32_t i = 0; i < switches; ++i) joined.insert(std::minmax(i, (i + 1) % switches));
    for (std::uint32_t tries = 0; tries < 40 * switches; ++tries) {
        const auto a = static_cast<std::uint32_t>(draw() % switches);
        const auto b = static_cast<std::uint32_t>(draw() % switches);
        if (a == b || used[a] == degree || used[b] == degree) continue;
        if (!joined.insert(std::minmax(a, b)).second) continue;
        ++used[a];
        ++used[b];
    }
    return graph_of_channels(switches * each, switches, {joined.begin(), joined.end()}, each);
}

}  // namespace flitscope
