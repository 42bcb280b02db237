// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/topology_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/topology/families/compound_shape.h"
#include "models/topology/families/grid.h"
#include "models/topology/topologies.h"

namespace flitscope {
namespace {

/// Of all routers together: tables and links of so many take about 2 GB.
constexpr std::uint64_t kMaxPorts = 1U << 24;

/// Gathers the findings of one topology.
class Rules {
public:
    explicit Rules(const Config& config) : config_(config), topology_(config.fabric.topology) {}

    std::vector<Diagnostic> check() {
        check_size();
        if (topology_.kind == "how") check_windows();
        if (findings_.empty()) check_ports();
        if (topology_.kind == "express_mesh") check_express_links();
        return std::move(findings_);
    }

private:
    void fail(const char* key, std::string what, std::string hint = {}) {
        findings_.push_back({config_.where(std::string("fabric.topology.") + key), std::move(what),
                             std::move(hint)});
    }

    void check_size() {
        std::uint64_t nodes = 1;
        for (const std::uint32_t side : topology_.dims) {
            nodes *= side;  // both below 2^17 here
            if (nodes <= kMaxNodes) continue;
            fail("dims", fmt::format("{} {} of {} has more than {} nodes",
                                     topology_.kind == "express_mesh" ? "an" : "a", topology_.kind,
                                     grid_shape(topology_.dims), kMaxNodes));
            return;
        }
    }

    void check_windows() {
        const std::size_t count = topology_.windows.size();
        const std::size_t dims = topology_.dims.size();
        if (count != 1 && count != dims) {
            fail("window", fmt::format("{} windows for {} dimensions", count, dims),
                 fmt::format("write one window for all dimensions, or a list of {}", dims));
            return;
        }
        for (std::size_t dim = 0; dim < dims; ++dim) {
            const std::uint32_t window = topology_.windows[count == 1 ? 0 : dim];
            const std::uint32_t side = topology_.dims[dim];
            if (window < side || (side == 1 && window == 1)) continue;
            fail("window",
                 fmt::format("window {} does not fit dimension {} of {} nodes", window, dim, side),
                 side == 1 ? "1 where the side is 1"
                           : fmt::format("at most {}, which joins every node of the line to every "
                                         "other",
                                         side - 1));
            return;
        }
    }

    /// Lines that join far positions have more ports than memory long before they have too many
    /// nodes.
    void check_ports() {
        std::uint64_t nodes = 1;
        std::uint64_t ports = 1;
        for (std::size_t dim = 0; dim < topology_.dims.size(); ++dim) {
            nodes *= topology_.dims[dim];
            if (topology_.kind == "ghc") ports += 2ULL * (topology_.dims[dim] - 1);
            if (topology_.kind != "how") continue;
            ports += 2ULL * topology_.windows[topology_.windows.size() == 1 ? 0 : dim];
        }
        if (nodes * ports <= kMaxPorts) return;
        fail("dims",
             fmt::format("{} nodes of {} ports each have more than {} ports", nodes, ports,
                         kMaxPorts),
             topology_.kind == "how" ? "a smaller window, or more dimensions of smaller sides"
                                     : "more dimensions of smaller radices");
    }

    void check_express_links() {
        const std::uint32_t segment = topology_.segment;
        const ExpressLayout layout = topology_.layout;
        const std::size_t dims = topology_.dims.size();
        if (layout == ExpressLayout::kShifted && (dims > 2 || segment < 4)) {
            fail("layout", "the shifted layout is for one or two dimensions and segments of 4 up",
                 segment < 4 ? "closer together two express links would meet at a node" : "");
            return;
        }
        if (layout == ExpressLayout::kCompound && dims != 2) {
            fail("layout", fmt::format("the compound layout is for two dimensions, not {}", dims));
            return;
        }
        std::uint64_t longest = 1;
        for (std::uint32_t level = 0;
             level < (layout == ExpressLayout::kHierarchy ? topology_.levels : 1); ++level) {
            longest = std::min<std::uint64_t>(longest * segment, kMaxNodes);
        }
        const std::uint32_t shortest_side =
            *std::min_element(topology_.dims.begin(), topology_.dims.end());
        if (longest >= shortest_side) {
            fail(layout == ExpressLayout::kHierarchy ? "levels" : "segment",
                 fmt::format("express links of {} node pitches do not fit a side of {} nodes",
                             longest == kMaxNodes ? fmt::format("{}^{}", segment, topology_.levels)
                                                  : std::to_string(longest),
                             shortest_side),
                 fmt::format("a link joins nodes that are at most {} apart", shortest_side - 1));
            return;
        }
        if (layout != ExpressLayout::kCompound) return;
        const CompoundShape shape{topology_.dims[0], topology_.dims[1], segment};
        if (shape.nodes() <= kMaxNodes) return;
        fail("dims", fmt::format("with the second node of each terminal there are {} nodes, more "
                                 "than {}",
                                 shape.nodes(), kMaxNodes));
    }

    const Config& config_;
    const TopologyConfig& topology_;
    std::vector<Diagnostic> findings_;
};

}  // namespace

std::vector<Diagnostic> topology_findings(const Config& config) { return Rules(config).check(); }

void require_topology(const Config& config) {
    std::vector<Diagnostic> findings = topology_findings(config);
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

std::optional<TopologySize> topology_size(const TopologyConfig& topology) {
    if (topology.kind == "custom") return std::nullopt;
    if (topology.kind == "hypercube") {
        return TopologySize{std::uint64_t{1} << topology.dimensions, topology.dimensions};
    }
    if (topology.kind == "express_mesh" && topology.layout == ExpressLayout::kCompound) {
        return TopologySize{
            CompoundShape{topology.dims[0], topology.dims[1], topology.segment}.nodes(), 0};
    }
    TopologySize size{1, topology.dims.size()};
    for (const std::uint32_t side : topology.dims) size.nodes *= side;
    return size;
}

}  // namespace flitscope
