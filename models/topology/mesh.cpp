// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/topology/topologies.h"

namespace flitscope {

Graph build_mesh(const std::vector<std::uint32_t>& dims) {
    const std::size_t n = dims.size();
    Graph graph("mesh", dims, static_cast<PortId>(1 + 2 * n));
    graph.set_description(fmt::format("mesh {}", fmt::join(dims, "x")));
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        for (std::size_t k = 0; k < n; ++k) {  // k-th dimension counted from the fastest
            const std::size_t dim = n - 1 - k;
            const auto plus = static_cast<PortId>(1 + 2 * k);
            const PortId minus = plus + 1;
            const std::uint32_t at = graph.coordinate(node, dim);
            Link link;
            link.from = node;
            link.dimension = static_cast<std::uint32_t>(dim);
            if (at + 1 < dims[dim]) {
                link.from_port = plus;
                link.to = node + graph.stride(dim);
                link.to_port = minus;
                graph.add_link(link);
            }
            if (at > 0) {
                link.from_port = minus;
                link.to = node - graph.stride(dim);
                link.to_port = plus;
                graph.add_link(link);
            }
        }
    }
    return graph;
}

}  // namespace flitscope
