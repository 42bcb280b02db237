// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes that a configuration attaches to the routers of a network: several to each
// (`concentration`), and more to some (`extra_nodes`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/topology/families/topology_families.h"

namespace flitscope {

struct ExtraNode;

/// The key of nodes per router, for TopologyFamily::optional_keys: a family that has it builds one
/// node on each router, and attach_nodes() adds more there. A single number applies to the last
/// dimension; a family with `dims` takes one for each of them.
inline constexpr const char* kConcentration = "concentration";

/// 1 if the family has no concentration; a value above kMaxNodes means that or more.
std::uint64_t nodes_per_router(const TopologyConfig& topology);

/// A finding on `key` if the ports of all routers together, `link_ports` and the local ones each,
/// are more than kMaxFamilyPorts: memory ends long before there are too many nodes.
void check_ports(TopologyFindings& findings, const char* key, std::uint64_t routers,
                 std::uint64_t link_ports, const char* hint);

/// Findings on `concentration` and `extra_nodes` in a network of this size, extra nodes included.
void check_attached_nodes(TopologyFindings& findings, const TopologySize& size);

/// Appends the names of extra nodes to those of all other nodes; one without a name has its number.
void append_names(const std::vector<ExtraNode>& extra_nodes, std::vector<std::string>& names);

/// Attaches all nodes to the routers of a network that has been built or loaded without them, and
/// moves the routers apart to make room. Throws ConfigError with check_attached_nodes(), and for
/// the name of an extra node that the file of a custom graph has already.
void attach_nodes(Graph& graph, const WorkloadConfig& config);

}  // namespace flitscope
