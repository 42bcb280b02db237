// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sparse Hamming graphs (Iff, Besta, Cavalcante, Fischer, Benini and Hoefler 2023): a mesh with
// further links of given lengths, wherever they stay within their line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "models/config/topology_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/grid.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

constexpr const char* kOffsets = "offsets";

std::vector<std::vector<std::uint32_t>> offsets_of(const TopologyConfig& topology) {
    return for_each_dimension(topology.offsets, topology.dims.size());
}

void check_offsets(TopologyFindings& findings) {
    const auto offsets = offsets_of(findings.topology());
    const std::vector<std::uint32_t>& dims = findings.topology().dims;
    if (offsets.size() != dims.size()) {
        findings.fail(
            kOffsets,
            fmt::format("{} lists of offsets for {} dimensions", offsets.size(), dims.size()),
            fmt::format("write one list for all dimensions, or {} lists", dims.size()));
        return;
    }
    for (std::size_t dim = 0; dim < dims.size(); ++dim) {
        std::uint32_t before = 1;
        for (const std::uint32_t offset : offsets[dim]) {
            if (offset <= before) {
                findings.fail(kOffsets, fmt::format("offset {} follows {}", offset, before),
                              "list them in ascending order; links to neighbours are there anyway");
                return;
            }
            if (offset >= dims[dim]) {
                findings.fail(
                    kOffsets,
                    fmt::format("offset {} does not fit dimension {} of {} nodes", offset, dim,
                                dims[dim]),
                    fmt::format("a link joins nodes that are at most {} apart", dims[dim] - 1));
                return;
            }
            before = offset;
        }
    }
}

void check_sparse_hamming(TopologyFindings& findings) {
    check_grid(findings);
    check_offsets(findings);
    if (!findings.empty()) return;
    std::uint64_t ports = 0;
    for (const auto& offsets : offsets_of(findings.topology())) ports += 2 * (1 + offsets.size());
    check_ports(findings, kOffsets, grid_size(findings.topology())->routers, ports,
                "fewer offsets");
}

}  // namespace

Graph build_sparse_hamming(const std::vector<std::uint32_t>& sides,
                           const std::vector<std::vector<std::uint32_t>>& offsets) {
    std::vector<GridDimension> dimensions;
    std::vector<std::string> words;
    for (std::size_t dim = 0; dim < sides.size(); ++dim) {
        GridDimension line{sides[dim], {1}, false};
        line.spans.insert(line.spans.end(), offsets[dim].begin(), offsets[dim].end());
        words.push_back(fmt::format("{{{}}}", fmt::join(offsets[dim], ",")));
        dimensions.push_back(std::move(line));
    }
    Graph graph =
        build_regular_grid("sparse_hamming", std::move(dimensions), SharedPorts::kByPlace);
    graph.set_description(
        fmt::format("sparse_hamming {} offsets {}", grid_shape(sides), fmt::join(words, "x")));
    return graph;
}

TopologyFamily sparse_hamming_family() {
    TopologyFamily family;
    family.name = "sparse_hamming";
    family.summary =
        "mesh with links of further lengths: {kind: sparse_hamming, dims: [8, 8], offsets: [[4], "
        "[2, 4]]}";
    family.required_keys = {"dims", kOffsets};
    family.optional_keys = {kConcentration};
    family.check = check_sparse_hamming;
    family.size = grid_size;
    family.build = [](const TopologyConfig& topology) {
        return build_sparse_hamming(topology.dims, offsets_of(topology));
    };
    family.example = "kind: sparse_hamming, dims: [5, 6], offsets: [[3], [2, 4]]";
    return family;
}

}  // namespace flitscope
