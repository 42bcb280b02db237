// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Builders: from the topology section of a configuration, or its parameters, to a Graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {

class Graph;
struct FabricConfig;
struct LinkDelayConfig;
struct TopologyConfig;
struct WorkloadConfig;

// Sides and radices count routers, in the order of their numbers: the last one varies fastest; each
// >= 1. Wires are as long as the places of their ends are apart (Graph::site). Every router has
// one node, except in fat trees.

/// n-dimensional rectangular mesh.
Graph build_mesh(const std::vector<std::uint32_t>& sides);

/// n-dimensional torus (k-ary n-cube); a side of 2 has one link, not two. `folded` lays every ring
/// out flat, with wires of at most two places, instead of one wire back over the whole side.
Graph build_torus(const std::vector<std::uint32_t>& sides, bool folded = false);

/// Generalized hypercube: routers whose addresses differ in one digit are neighbours.
Graph build_ghc(const std::vector<std::uint32_t>& radices);

/// Highly overlapping windows (Ziavras, Section 2): along dimension d every router is joined to all
/// that are at most windows[d] places away; 1 <= windows[d] < sides[d], or 1 if the side is 1.
Graph build_how(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& windows);

/// Sparse Hamming graph (Iff et al. 2023): a mesh, and along dimension d further links wherever
/// routers are as far apart as an entry of offsets[d]; 1 < offsets[d][0] < ... < sides[d].
Graph build_sparse_hamming(const std::vector<std::uint32_t>& sides,
                           const std::vector<std::vector<std::uint32_t>>& offsets);

/// Mesh with express links (Cheung and Lau): reads dims, segment, layout and levels, in the ranges
/// that require_topology() checks (topology_families.h).
Graph build_express_mesh(const TopologyConfig& config);

/// Binary hypercube of 2^dimensions routers; their numbers differ in bit k along dimension k.
Graph build_hypercube(std::uint32_t dimensions);

/// k-ary n-tree (Petrini and Vanneschi 1997): `height` stages of switches, the lowest with
/// arity^height nodes, `arity` on each; arity >= 2, height >= 1.
Graph build_fat_tree(std::uint32_t arity, std::uint32_t height);

/// Dragonfly (Kim et al. 2008) in the palmtree arrangement: groups of routers,
/// 2 <= groups <= group_size x global_links + 1, global_links < groups.
Graph build_dragonfly(std::uint32_t groups, std::uint32_t group_size, std::uint32_t global_links);

/// Reads a custom graph from a file whose extension selects its format (CUSTOM_GRAPHS.md). Links
/// without a delay get it from `fabric.link_delay`; a width must be `fabric.flit_bits`. Throws
/// ConfigError with every finding (unknown router, duplicate link, port used twice, a router that
/// cannot reach another one); a file that cannot be read is a finding at `named_at`. `clock_ns`
/// matters only for physical wires.
Graph load_custom_graph(const std::string& path, const FabricConfig& fabric, double clock_ns = 1,
                        const Location& named_at = {});

/// Sets every link's length in mm from the sites of its ends, and its delay by the configured
/// model, in cycles of `clock_ns`.
void apply_link_delay(Graph& graph, const LinkDelayConfig& model, double clock_ns);

/// The graph that `config.fabric` describes, all nodes on their routers, delays and rates applied.
/// Throws ConfigError if its topology has findings, if nodes of a port model are not one on each
/// router, if slow links are not supported (require_rates_supported()), or if wires are physical
/// and too slow for the clock, or of a router whose figures have not been filled in
/// (resolve_synthesized()).
Graph build_topology(const WorkloadConfig& config);

}  // namespace flitscope
