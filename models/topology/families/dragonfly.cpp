// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The dragonfly (Kim, Dally, Scott and Abts 2008): groups of routers that are all joined to each
// other, and global channels that join all groups.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "models/base/limits.h"
#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/dragonfly_shape.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

constexpr const char* kGroups = "groups";
constexpr const char* kGroupSize = "group_size";
constexpr const char* kGlobalLinks = "global_links";

DragonflyShape dragonfly_shape_of(const TopologyConfig& topology) {
    return {topology.parameter(kGroups), topology.parameter(kGroupSize),
            topology.parameter(kGlobalLinks)};
}

void check_dragonfly(TopologyFindings& findings) {
    const DragonflyShape shape = dragonfly_shape_of(findings.topology());
    const std::uint64_t most = std::uint64_t{shape.group_size} * shape.global_links + 1;
    if (shape.groups > most) {
        findings.fail(kGroups,
                      fmt::format("{} groups, and the {} global links of a group reach {} others",
                                  shape.groups, most - 1, most - 1),
                      fmt::format("at most {} groups, or more 'global_links'", most));
    }
    const std::uint64_t routers = std::uint64_t{shape.groups} * shape.group_size;
    if (routers > kMaxNodes) {
        findings.fail(kGroups, fmt::format("a dragonfly of {} groups of {} has more than {} nodes",
                                           shape.groups, shape.group_size, kMaxNodes));
    } else {
        check_ports(findings, kGroupSize, routers, shape.link_ports(), "smaller groups");
    }
}

std::optional<TopologySize> dragonfly_size(const TopologyConfig& topology) {
    return TopologySize{dragonfly_shape_of(topology).routers()};
}

/// Every group is a block of routers, and groups are the blocks of the chip: both as near to
/// squares as their numbers allow.
void lay_out(Graph& graph, const DragonflyShape& shape) {
    const auto lines = [](std::uint32_t count, std::uint32_t each) {
        return (count + each - 1) / each;
    };
    std::uint32_t columns = 1;  // of a group
    while (columns * columns < shape.group_size) ++columns;
    const std::uint32_t rows = lines(shape.group_size, columns);
    std::uint32_t abreast = 1;  // groups
    while (abreast * columns < lines(shape.groups, abreast) * rows) ++abreast;
    for (RouterId router; router < shape.routers(); ++router) {
        const std::uint32_t group = shape.group(router);
        const std::uint32_t place = shape.place(router);
        graph.set_site(router, {double{1} * (group / abreast * rows + place / columns),
                                double{1} * (group % abreast * columns + place % columns)});
    }
    graph.measure_wires();
}

}  // namespace

Graph build_dragonfly(std::uint32_t groups, std::uint32_t group_size, std::uint32_t global_links) {
    const DragonflyShape shape{groups, group_size, global_links};
    Graph graph("dragonfly", {shape.routers()}, 1 + shape.link_ports());
    graph.set_description(
        fmt::format("dragonfly {} groups of {} global {}", groups, group_size, global_links));
    graph.set_shape(shape);
    // Drawn with a group per row.
    for (RouterId router; router < shape.routers(); ++router) {
        graph.set_position(router, {shape.group(router), shape.place(router)});
    }
    std::map<std::pair<RouterId, RouterId>, std::uint32_t> global;  // links, by their ends
    const auto add = [&graph](RouterId from, PortId from_port, RouterId to, PortId to_port,
                              std::uint32_t rank) {
        Link link;
        link.rank = rank;
        link.from = from;
        link.from_port = graph.local_ports() + from_port;
        link.to = to;
        link.to_port = graph.local_ports() + to_port;
        graph.add_link(link);
    };
    for (RouterId router; router < shape.routers(); ++router) {
        const std::uint32_t group = shape.group(router);
        const std::uint32_t place = shape.place(router);
        for (std::uint32_t other = 0; other < group_size; ++other) {
            if (other == place) continue;
            add(router, DragonflyShape::port_to(place, other), shape.router_at(group, other),
                DragonflyShape::port_to(other, place), 0);
        }
        const std::uint32_t end = std::min((place + 1) * global_links, shape.global_channels());
        for (std::uint32_t channel = place * global_links; channel < end; ++channel) {
            const std::uint32_t to = shape.group_behind(group, channel);
            const std::uint32_t back = shape.channel(to, group, channel / (groups - 1));
            const RouterId end_of_channel = shape.router_at(to, shape.owner(back));
            add(router, shape.global_port(channel), end_of_channel, shape.global_port(back),
                global[{router, end_of_channel}]++);
        }
    }
    lay_out(graph, shape);
    return graph;
}

TopologyFamily dragonfly_family() {
    TopologyFamily family;
    family.name = "dragonfly";
    family.summary =
        "fully connected groups of routers: {kind: dragonfly, groups: 9, group_size: 4, "
        "global_links: 2}";
    family.parameters = {
        {kGroups, 2, kMaxNodes,
         "number of groups of routers; at most group_size x global_links + 1"},
        {kGroupSize, 1, 4096, "number of routers of a group, fully connected"},
        {kGlobalLinks, 1, 4096, "number of channels of a router to other groups"},
    };
    family.optional_keys = {kConcentration};
    family.check = check_dragonfly;
    family.size = dragonfly_size;
    family.build = [](const TopologyConfig& topology) {
        const DragonflyShape shape = dragonfly_shape_of(topology);
        return build_dragonfly(shape.groups, shape.group_size, shape.global_links);
    };
    family.example = "kind: dragonfly, groups: 5, group_size: 4, global_links: 1";
    return family;
}

}  // namespace flitscope
