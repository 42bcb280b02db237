// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Builders: from the topology section of a configuration to a Graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/topology/graph.h"

namespace flitscope {

inline constexpr NodeId kMaxNodes = 1U << 16;  ///< a header flit carries 16-bit node numbers

/// n-dimensional rectangular mesh; sides >= 1, the last entry of `dims` varies fastest.
Graph build_mesh(const std::vector<std::uint32_t>& dims);

/// Binary hypercube of 2^dimensions nodes; node ids differ in bit k along dimension k. Wire lengths
/// are those of a rectangle of nodes in row-major order, 2^ceil(dimensions / 2) columns wide.
Graph build_hypercube(std::uint32_t dimensions);

/// Reads a custom graph, a YAML file:
///
///     nodes: 4
///     links:
///       - {from: 0, to: 1}                       # one direction
///       - {from: 1, to: 2, both: true}           # both directions
///       - {from: 2, to: 3, length: 3, delay: 2}  # wire length in node pitches; delay in cycles
///
/// Ports are numbered per node in the order in which its neighbours first appear in the file. A
/// link without `delay` gets it from the model. Throws ConfigError with every finding (unknown
/// node, duplicate link, link from a node to itself, a node that cannot reach another one); a file
/// that cannot be read is a finding at `named_at`.
Graph load_custom_graph(const std::string& path, const LinkDelayConfig& model,
                        const Location& named_at = {});

/// Sets every link's delay from its length by the configured model (constant or linear).
void apply_link_delay(Graph& graph, const LinkDelayConfig& model);

/// The graph that `config.fabric` describes, delays applied.
Graph build_topology(const Config& config);

struct TopologyKind {
    std::string name;
    std::string summary;
};
const std::vector<TopologyKind>& topology_kinds();

}  // namespace flitscope
