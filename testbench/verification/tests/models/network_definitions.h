// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The networks of the papers by their definitions, as a list of places and the pairs of them that
// are joined: written apart from the wirings in models/topology.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/topology_config.h"
#include "models/config/value_named.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope {

using Sides = std::vector<std::uint32_t>;

inline std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

/// Whether two places along `dim` are joined; `at` is one of the two nodes.
using Joined =
    std::function<bool(std::size_t dim, std::uint32_t a, std::uint32_t b, const Sides& at)>;

/// A network as a list of nodes with places, and the pairs of them that are joined.
struct Definition {
    std::string name;
    TopologyConfig config;
    Sides sides;
    std::vector<std::pair<NodeId, NodeId>> channels;  // first < second
    NodeId nodes = 0;
    bool is_grid = true;           // nodes are places, numbered row-major
    std::vector<NodeId> place_of;  // otherwise: the place of each

    NodeId place(NodeId node) const { return is_grid ? node : place_of[node]; }
    Sides coordinates(NodeId at) const {
        Sides result(sides.size());
        for (std::size_t d = sides.size(); d-- > 0; at /= sides[d]) result[d] = at % sides[d];
        return result;
    }
};

inline Definition define(TopologyConfig config, const Sides& sides, const Joined& joined) {
    Definition result;
    result.config = std::move(config);
    result.sides = sides;
    result.nodes = 1;
    result.name = result.config.kind;
    for (const std::uint32_t side : sides) {
        result.nodes *= side;
        result.name += ' ' + std::to_string(side);
    }
    for (NodeId a = 0; a < result.nodes; ++a) {
        const Sides x = result.coordinates(a);
        for (NodeId b = a + 1; b < result.nodes; ++b) {
            const Sides y = result.coordinates(b);
            std::size_t different = 0;
            std::size_t dim = 0;
            for (std::size_t d = 0; d < sides.size(); ++d) {
                if (x[d] == y[d]) continue;
                ++different;
                dim = d;
            }
            if (different == 1 && joined(dim, x[dim], y[dim], x)) result.channels.push_back({a, b});
        }
    }
    return result;
}

inline TopologyConfig grid(const std::string& kind, const Sides& sides) {
    TopologyConfig config;
    config.kind = kind;
    config.dims = sides;
    return config;
}

inline Definition mesh(const Sides& sides) {
    return define(grid("mesh", sides), sides,
                  [](std::size_t, std::uint32_t a, std::uint32_t b, const Sides&) {
                      return apart(a, b) == 1;
                  });
}

inline Definition torus(const Sides& sides) {
    return define(grid("torus", sides), sides,
                  [&sides](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides&) {
                      return apart(a, b) == 1 || apart(a, b) == sides[d] - 1;
                  });
}

inline Definition ghc(const Sides& sides) {
    return define(grid("ghc", sides), sides,
                  [](std::size_t, std::uint32_t, std::uint32_t, const Sides&) { return true; });
}

inline Definition how(const Sides& sides, const Sides& windows) {
    TopologyConfig config = grid("how", sides);
    config.windows = windows;
    Definition result = define(
        config, sides, [&windows](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides&) {
            return apart(a, b) <= windows[d];
        });
    for (const std::uint32_t window : windows) result.name += " w" + std::to_string(window);
    return result;
}

/// `offsets` of every dimension, besides neighbours.
inline Definition sparse_hamming(const Sides& sides, const std::vector<Sides>& offsets) {
    TopologyConfig config = grid("sparse_hamming", sides);
    config.offsets = offsets;
    Definition result = define(
        config, sides, [&offsets](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides&) {
            const Sides& own = offsets[d];
            return apart(a, b) == 1 || std::count(own.begin(), own.end(), apart(a, b)) == 1;
        });
    for (const Sides& own : offsets) {
        result.name += " o";
        for (const std::uint32_t offset : own) result.name += ' ' + std::to_string(offset);
    }
    return result;
}

inline Definition hypercube(std::uint32_t dimensions) {
    TopologyConfig config;
    config.kind = "hypercube";
    config.dimensions = dimensions;
    const Sides sides(std::max(dimensions, 1U), dimensions == 0 ? 1 : 2);
    return define(config, sides,
                  [](std::size_t, std::uint32_t, std::uint32_t, const Sides&) { return true; });
}

/// Whether the line of `at` along `dim` is one out of every `pitch`.
inline bool one_out_of(std::uint32_t pitch, const Sides& at, std::size_t dim) {
    for (std::size_t d = 0; d < at.size(); ++d) {
        if (d != dim && at[d] % pitch != 0) return false;
    }
    return true;
}

inline TopologyConfig express(const Sides& sides, const std::string& layout, std::uint32_t segment,
                              std::uint32_t levels = 1) {
    TopologyConfig config = grid("express_mesh", sides);
    config.layout = value_named(kExpressLayouts, layout).value();
    config.segment = segment;
    config.levels = levels;
    return config;
}

inline Definition express_mesh(const Sides& sides, const std::string& layout, std::uint32_t segment,
                               std::uint32_t levels = 1) {
    Definition result =
        define(express(sides, layout, segment, levels), sides,
               [&](std::size_t d, std::uint32_t a, std::uint32_t b, const Sides& at) {
                   if (apart(a, b) == 1) return true;
                   const std::uint32_t low = std::min(a, b);
                   if (layout == "shifted") {
                       // Columns jL + 1 and (j + 1)L of a row, rows jL + 2 and (j + 1)L + 1 of a
                       // column.
                       const std::uint32_t shift = d + 1 == sides.size() ? 1 : 2;
                       return apart(a, b) == segment - 1 && low % segment == shift &&
                              one_out_of(segment, at, d);
                   }
                   std::uint32_t length = 1;
                   for (std::uint32_t level = 0; level < levels; ++level) {
                       length *= segment;
                       if (apart(a, b) == length && low % length == 0 &&
                           (layout == "full" || one_out_of(length, at, d))) {
                           return true;
                       }
                   }
                   return false;
               });
    result.name += ' ' + layout + " s" + std::to_string(segment) + " r" + std::to_string(levels);
    return result;
}

/// A sparse express mesh in which the column's links of a terminal belong to a second node.
inline Definition compound(const Sides& sides, std::uint32_t segment) {
    const Definition sparse = express_mesh(sides, "sparse", segment);
    Definition result = sparse;
    result.name += " compound";
    result.config.layout = ExpressLayout::kCompound;
    result.is_grid = false;
    result.channels.clear();
    std::map<NodeId, NodeId> second;
    for (NodeId node = 0; node < sparse.nodes; ++node) result.place_of.push_back(node);
    for (NodeId node = 0; node < sparse.nodes; ++node) {
        const Sides at = sparse.coordinates(node);
        if (at[0] % segment != 0 || at[1] % segment != 0) continue;
        second[node] = result.nodes++;
        result.place_of.push_back(node);
        result.channels.push_back({node, second[node]});
    }
    for (const auto& [a, b] : sparse.channels) {
        const bool in_row = a / sides[1] == b / sides[1];
        const auto end = [&](NodeId n) { return !in_row && second.count(n) ? second[n] : n; };
        result.channels.push_back(std::minmax(end(a), end(b)));
    }
    return result;
}

inline std::vector<Definition> all_definitions() {
    std::vector<Definition> all;
    const std::vector<Sides> shapes = {
        {1},       {2},       {3},       {4},       {7},       {8},          {13},
        {16},      {2, 2},    {2, 3},    {3, 2},    {2, 5},    {3, 3},       {3, 4},
        {4, 3},    {3, 5},    {4, 4},    {2, 8},    {8, 2},    {5, 5},       {1, 9},
        {9, 1},    {4, 5},    {5, 4},    {6, 6},    {4, 7},    {8, 8},       {9, 6},
        {2, 7},    {12, 5},   {1, 1},    {16, 4},   {2, 2, 2}, {2, 2, 3},    {3, 2, 2},
        {2, 3, 4}, {3, 3, 3}, {4, 4, 4}, {2, 5, 3}, {1, 4, 3}, {2, 2, 2, 2}, {3, 2, 3, 2}};
    for (const Sides& sides : shapes) {
        all.push_back(mesh(sides));
        all.push_back(torus(sides));
        all.push_back(ghc(sides));
    }
    for (std::uint32_t n = 0; n <= 8; ++n) all.push_back(hypercube(n));
    for (std::uint32_t p = 2; p <= 14; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) all.push_back(how({p}, {w}));
    }
    for (std::uint32_t p = 3; p <= 8; ++p) {
        for (std::uint32_t w = 1; w < p; ++w) all.push_back(how({p, p}, {w, w}));
    }
    for (const std::uint32_t w : {1, 2, 3}) all.push_back(how({4, 4, 4}, {w, w, w}));
    all.push_back(how({3, 5}, {2, 3}));
    all.push_back(how({5, 3}, {4, 1}));
    all.push_back(how({6, 1, 4}, {2, 1, 3}));
    all.push_back(how({2, 7, 3}, {1, 4, 2}));
    all.push_back(sparse_hamming({5}, {{}}));
    all.push_back(sparse_hamming({2, 2}, {{}, {}}));
    for (const Sides& offsets : std::vector<Sides>{{4}, {2, 5}, {3, 4}, {2, 3, 9}, {10}, {5, 7}}) {
        all.push_back(sparse_hamming({11}, {offsets}));
        all.push_back(sparse_hamming({3, 16}, {{2}, offsets}));
    }
    all.push_back(sparse_hamming({8, 8}, {{3}, {2, 4}}));
    all.push_back(sparse_hamming({4, 1, 6}, {{3}, {}, {2, 5}}));
    for (const char* layout : {"full", "sparse"}) {
        for (std::uint32_t n = 3; n <= 24; n += 3) {
            for (std::uint32_t s = 2; s < n && s <= 8; ++s) {
                all.push_back(express_mesh({n}, layout, s));
            }
        }
        for (const Sides& sides : std::vector<Sides>{{4, 4}, {5, 7}, {7, 5}, {9, 9}, {16, 16}}) {
            for (const std::uint32_t s : {2, 3, 4, 6}) {
                if (s < std::min(sides[0], sides[1])) {
                    all.push_back(express_mesh(sides, layout, s));
                }
            }
        }
        all.push_back(express_mesh({5, 4, 6}, layout, 3));
        all.push_back(express_mesh({4, 4, 4}, layout, 2));
    }
    for (const std::uint32_t s : {4, 5, 6}) {
        all.push_back(express_mesh({16}, "shifted", s));
        all.push_back(express_mesh({16, 16}, "shifted", s));
        all.push_back(express_mesh({9, 14}, "shifted", s));
        all.push_back(compound({16, 16}, s));
        all.push_back(compound({9, 14}, s));
    }
    all.push_back(compound({4, 4}, 2));
    for (const std::uint32_t levels : {1, 2, 3}) {
        all.push_back(express_mesh({16}, "hierarchy", 2, levels));
        all.push_back(express_mesh({16, 16}, "hierarchy", 2, levels));
        all.push_back(express_mesh({11, 17}, "hierarchy", 2, levels));
    }
    all.push_back(express_mesh({10, 10, 10}, "hierarchy", 3, 2));
    return all;
}

inline Graph build(const TopologyConfig& topology) {
    Config config;
    config.fabric.topology = topology;
    return build_topology(config);
}

}  // namespace flitscope
