// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/attached_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/base/node_finder.h"
#include "models/config/topology_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/grid.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

using Block = std::vector<std::uint32_t>;
constexpr const char* kExtraNodes = "extra_nodes";

bool has_concentration(const TopologyConfig& topology) {
    const TopologyFamily* const family = find_topology_family(topology.kind);
    return family != nullptr && family->reads(kConcentration) && !topology.concentration.empty();
}

/// Nodes of a router along each of `dims` dimensions.
Block router_block(const TopologyConfig& topology, std::size_t dims) {
    if (has_concentration(topology) && topology.concentration.size() == dims) {
        return topology.concentration;
    }
    Block block(dims, 1);
    block.back() = static_cast<std::uint32_t>(nodes_per_router(topology));
    return block;
}

std::uint64_t most_local_ports(const TopologyConfig& topology) {
    std::map<std::uint32_t, std::uint64_t> extras;
    std::uint64_t most = 0;
    for (const ExtraNode& node : topology.extra_nodes) {
        most = std::max(most, ++extras[node.router]);
    }
    return nodes_per_router(topology) + most;
}

// ---- Checks -------------------------------------------------------------------------------------

/// `nodes` as a block in `dims` dimensions, as near to a cube as its prime factors allow.
Block compact_block(std::uint64_t nodes, std::size_t dims) {
    Block primes;
    for (std::uint64_t factor = 2; nodes > 1; ++factor) {
        for (; nodes % factor == 0; nodes /= factor) {
            primes.push_back(static_cast<std::uint32_t>(factor));
        }
    }
    Block block(dims, 1);
    for (std::size_t i = primes.size(); i-- > 0;) {
        *std::min_element(block.begin(), block.end()) *= primes[i];
    }
    std::sort(block.begin(), block.end());
    return block;
}

void check_block(TopologyFindings& findings) {
    const TopologyConfig& topology = findings.topology();
    const std::size_t dims =
        find_topology_family(topology.kind)->reads("dims") ? topology.dims.size() : 1;
    const std::size_t numbers = topology.concentration.size();
    const std::uint64_t nodes = nodes_per_router(topology);
    if (!has_concentration(topology) || numbers == dims || nodes == 1) return;
    if (dims == 1) {
        findings.fail(kConcentration,
                      fmt::format("'{}' is one number here, found {}", kConcentration, numbers),
                      fmt::format("write {}, the nodes of each router", nodes));
        return;
    }
    Block along(dims, 1);
    along.back() = static_cast<std::uint32_t>(nodes);
    const Block compact = compact_block(std::min<std::uint64_t>(nodes, kMaxNodes), dims);
    std::string hint = fmt::format("write [{}]", fmt::join(compact, ", "));
    if (compact != along) {
        hint += fmt::format(", or [{}] along the last dimension", fmt::join(along, ", "));
    }
    findings.fail(kConcentration,
                  fmt::format("'{}' needs a number for each of the {} dimensions, found {}",
                              kConcentration, dims, numbers),
                  std::move(hint));
}

void check_extra_nodes(TopologyFindings& findings, std::uint64_t routers) {
    for (const ExtraNode& node : findings.topology().extra_nodes) {
        if (node.router < routers) continue;
        findings.fail(kExtraNodes, fmt::format("'{}' names router {}, but the routers are 0 to {}",
                                               kExtraNodes, node.router, routers - 1));
        return;
    }
}

}  // namespace

std::uint64_t nodes_per_router(const TopologyConfig& topology) {
    std::uint64_t nodes = 1;
    if (!has_concentration(topology)) return nodes;
    for (const std::uint32_t along : topology.concentration) {
        nodes = std::min<std::uint64_t>(nodes * along, kMaxNodes + 1);
    }
    return nodes;
}

void check_ports(TopologyFindings& findings, const char* key, std::uint64_t routers,
                 std::uint64_t link_ports, const char* hint) {
    const std::uint64_t local_ports = most_local_ports(findings.topology());
    const std::uint64_t ports = link_ports + local_ports;
    if (routers * ports <= kMaxFamilyPorts) return;
    findings.fail(key,
                  fmt::format("{} {} of {} ports each have more than {} ports", routers,
                              local_ports > 1 ? "routers" : "nodes", ports, kMaxFamilyPorts),
                  hint);
}

void check_attached_nodes(TopologyFindings& findings, const TopologySize& size) {
    const TopologyConfig& topology = findings.topology();
    check_block(findings);
    check_extra_nodes(findings, size.routers);
    if (!findings.empty()) return;
    const std::uint64_t extras = topology.extra_nodes.size();
    if (size.nodes - extras > kMaxNodes) {
        findings.fail(kConcentration,
                      fmt::format("{} routers of {} nodes each have more than {} nodes",
                                  size.routers, fmt::join(topology.concentration, "x"), kMaxNodes),
                      "fewer nodes per router, or fewer routers");
    } else if (size.nodes > kMaxNodes) {
        findings.fail(kExtraNodes, fmt::format("{} nodes and {} extra ones are more than {}",
                                               size.nodes - extras, extras, kMaxNodes));
    } else if (extras > 0) {
        check_ports(findings, kExtraNodes, size.routers, 0,
                    "every router has as many ports: fewer extra nodes on one router");
    }
}

// ---- The network --------------------------------------------------------------------------------

namespace {

struct Attached {
    std::vector<RouterId> router_of;
    std::vector<std::uint32_t> node_dims;
};

/// The nodes that the network has been built with.
Attached own_nodes(const Graph& graph) {
    Attached nodes{{}, graph.node_dims()};
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        nodes.router_of.push_back(graph.router_of(node));
    }
    return nodes;
}

/// A block of nodes on each router of a grid; those of all routers are the grid of nodes.
Attached blocks_of_nodes(const Graph& graph, const Block& block) {
    Attached nodes;
    NodeId count = 1;
    for (std::size_t dim = 0; dim < block.size(); ++dim) {
        nodes.node_dims.push_back(graph.dims()[dim] * block[dim]);
        count *= nodes.node_dims.back();
    }
    for (NodeId node = 0; node < count; ++node) {
        NodeId rest = node;
        std::uint32_t router = 0;
        for (std::size_t dim = block.size(); dim-- > 0;) {
            router += rest % nodes.node_dims[dim] / block[dim] * graph.stride(dim);
            rest /= nodes.node_dims[dim];
        }
        nodes.router_of.emplace_back(router);
    }
    return nodes;
}

/// A router needs the tiles of its nodes: as many columns as these have along the faster half of
/// the dimensions, and rows along the others (position.h). Without dimensions they are a square, as
/// far as their number allows.
void make_room(Graph& graph, Block block) {
    if (!graph.wiring()) block = compact_block(block.back(), 2);
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    for (std::size_t dim = 0; dim < block.size(); ++dim) {
        (dim < block.size() / 2 ? rows : columns) *= block[dim];
    }
    graph.spread(rows, columns);
}

/// Appends the names of extra nodes to those of a graph's file.
void name_extra_nodes(Graph& graph, const WorkloadConfig& config) {
    std::vector<std::string> names = graph.given_node_names();
    if (names.empty()) return;
    const NodeFinder nodes(graph.given_node_names());
    const NodeFinder routers(graph.given_names());
    TopologyFindings findings(config);
    for (const ExtraNode& extra : config.fabric.topology.extra_nodes) {
        if (nodes.find(extra.name) || routers.find(extra.name)) {
            findings.fail(kExtraNodes, fmt::format("the graph has a '{}' already", extra.name),
                          "another name");
        }
    }
    if (!findings.empty()) throw ConfigError(findings.take());
    append_names(config.fabric.topology.extra_nodes, names);
    graph.set_given_names(graph.given_names(), std::move(names));
}

}  // namespace

void append_names(const std::vector<ExtraNode>& extra_nodes, std::vector<std::string>& names) {
    for (const ExtraNode& extra : extra_nodes) {
        names.push_back(extra.name.empty() ? std::to_string(names.size()) : extra.name);
    }
}

void attach_nodes(Graph& graph, const WorkloadConfig& config) {
    const TopologyConfig& topology = config.fabric.topology;
    const std::size_t dims = graph.dims().size();
    const std::uint64_t each = nodes_per_router(topology);
    const std::size_t extras = topology.extra_nodes.size();
    if (each == 1 && extras == 0) return;
    TopologyFindings findings(config);
    check_attached_nodes(findings,
                         {graph.router_count(), dims, graph.node_count() * each + extras});
    if (!findings.empty()) throw ConfigError(findings.take());
    const Block block = router_block(topology, dims);
    Attached nodes = each > 1 ? blocks_of_nodes(graph, block) : own_nodes(graph);
    for (const ExtraNode& extra : topology.extra_nodes) nodes.router_of.emplace_back(extra.router);
    graph.attach(NodePlaces(std::move(nodes.router_of), graph.router_count()),
                 std::move(nodes.node_dims));
    make_room(graph, block);
    name_extra_nodes(graph, config);
    std::string text = graph.description();
    if (each > 1) text += fmt::format(" of {} nodes", grid_shape(topology.concentration));
    if (extras > 0) text += fmt::format(" + {} node{}", extras, extras == 1 ? "" : "s");
    graph.set_description(std::move(text));
}

}  // namespace flitscope
