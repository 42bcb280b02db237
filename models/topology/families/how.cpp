// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Highly overlapping windows (Ziavras et al., Section 2).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

std::vector<std::uint32_t> windows_of(const TopologyConfig& topology) {
    return for_each_dimension(topology.windows, topology.dims.size());
}

void check_windows(TopologyFindings& findings) {
    const std::vector<std::uint32_t> windows = windows_of(findings.topology());
    const std::size_t dims = findings.topology().dims.size();
    if (windows.size() != dims) {
        findings.fail("window", fmt::format("{} windows for {} dimensions", windows.size(), dims),
                      fmt::format("write one window for all dimensions, or a list of {}", dims));
        return;
    }
    for (std::size_t dim = 0; dim < dims; ++dim) {
        const std::uint32_t window = windows[dim];
        const std::uint32_t side = findings.topology().dims[dim];
        if (window < side || (side == 1 && window == 1)) continue;
        findings.fail(
            "window",
            fmt::format("window {} does not fit dimension {} of {} nodes", window, dim, side),
            side == 1 ? "1 if the side is 1"
                      : fmt::format("at most {}, which joins every node of the line to every other",
                                    side - 1));
        return;
    }
}

void check_how(TopologyFindings& findings) {
    check_grid(findings);
    check_windows(findings);
    if (!findings.empty()) return;
    std::uint64_t ports = 0;
    const std::vector<std::uint32_t> windows = windows_of(findings.topology());
    for (std::size_t dim = 0; dim < windows.size(); ++dim) {
        ports += std::min(2ULL * windows[dim], findings.topology().dims[dim] - 1ULL);
    }
    check_ports(findings, "dims", grid_size(findings.topology())->routers, ports,
                "a smaller window, or more dimensions of smaller sides");
}

}  // namespace

Graph build_how(const std::vector<std::uint32_t>& sides,
                const std::vector<std::uint32_t>& windows) {
    std::vector<GridDimension> dimensions;
    for (std::size_t dim = 0; dim < sides.size(); ++dim) {
        dimensions.push_back({sides[dim], spans_up_to(windows[dim]), false});
    }
    Graph graph = build_regular_grid("how", std::move(dimensions), SharedPorts::kByPlace);
    graph.set_description(
        fmt::format("how {} window {}", grid_shape(sides), fmt::join(windows, "x")));
    return graph;
}

TopologyFamily how_family() {
    TopologyFamily family;
    family.name = "how";
    family.summary = "links to all nodes within a window: {kind: how, dims: [8, 8], window: 3}";
    family.required_keys = {"dims", "window"};
    family.optional_keys = {kConcentration};
    family.check = check_how;
    family.size = grid_size;
    family.build = [](const TopologyConfig& topology) {
        return build_how(topology.dims, windows_of(topology));
    };
    family.example = "kind: how, dims: [6, 8], window: 3";
    return family;
}

}  // namespace flitscope
