// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `fabric.topology`: the network.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flitscope {

/// fabric.topology.layout: which lines of an express mesh have express links.
enum class ExpressLayout : std::uint8_t {
    kFull,       ///< in every line
    kSparse,     ///< in one line out of every `segment`
    kShifted,    ///< there, but shifted to keep the degree at 5
    kCompound,   ///< there, with terminals of two nodes of degree 5
    kHierarchy,  ///< in levels
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kExpressLayouts{ExpressLayout::kFull, ExpressLayout::kSparse,
                                            ExpressLayout::kShifted, ExpressLayout::kCompound,
                                            ExpressLayout::kHierarchy};

/// The word that configurations and reports have for a value.
std::string name_of(ExpressLayout layout);

/// A node in addition to those that all routers of a network have: a memory controller.
struct ExtraNode {
    std::string name;  ///< may be empty
    std::uint32_t router = 0;
};

struct TopologyConfig {
    std::string kind;                    ///< a name of topology_families()
    std::vector<std::uint32_t> dims;     ///< grids: routers per dimension, the last varies fastest
    bool folded = false;                 ///< torus: rings laid out flat
    std::uint32_t dimensions = 0;        ///< hypercube: 2^dimensions routers
    std::vector<std::uint32_t> windows;  ///< how: one for all dimensions, or one for each
    /// sparse_hamming: lengths of the links beyond 1; one list for all dimensions, or one for each.
    std::vector<std::vector<std::uint32_t>> offsets;
    std::uint32_t segment = 0;                    ///< express_mesh: length of express links
    ExpressLayout layout = ExpressLayout::kFull;  ///< express_mesh
    std::uint32_t levels = 1;                     ///< hierarchy of express_mesh: levels of links
    /// Nodes per router: along each dimension of a grid, or one number; empty: 1.
    std::vector<std::uint32_t> concentration;
    std::vector<ExtraNode> extra_nodes;  ///< numbered after the others, in this order
    std::string file;  ///< custom: graph file, resolved against the config's folder
    /// The keys of only one family, by name (TopologyFamily::parameters).
    std::map<std::string, std::uint32_t> parameters;

    /// The one of that name; 0 if not set.
    std::uint32_t parameter(const std::string& name) const {
        const auto it = parameters.find(name);
        return it == parameters.end() ? 0 : it->second;
    }
};

}  // namespace flitscope
