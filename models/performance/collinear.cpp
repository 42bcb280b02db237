// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/performance/collinear.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/performance/channels.h"
#include "models/topology/router_spacing.h"

namespace flitscope {
namespace {

/// The wires of lines of equal length, counted at every gap between neighbouring places.
class Tracks {
public:
    Tracks(std::size_t lines, std::size_t places)
        : places_(places), above_(lines * places), below_(lines * places) {}

    void add_wire(std::size_t line, std::size_t a, std::size_t b) {
        const auto [left, right] = std::minmax(a, b);
        std::vector<std::int64_t>& side = left % 2 == 0 ? above_ : below_;
        ++side[line * places_ + left];
        --side[line * places_ + right];
    }

    std::uint64_t widest() const {
        std::int64_t widest = 0;
        for (const auto* side : {&above_, &below_}) {
            std::int64_t wires = 0;  // none are left at the end of a line
            for (const std::int64_t change : *side) widest = std::max(widest, wires += change);
        }
        return static_cast<std::uint64_t>(widest);
    }

private:
    std::size_t places_;
    std::vector<std::int64_t> above_;  // at the place after which the number of wires changes
    std::vector<std::int64_t> below_;
};

std::uint64_t widest_along(const Graph& graph, const std::vector<LinkId>& channels,
                           std::size_t dim) {
    const std::size_t side = graph.dims()[dim];
    const std::size_t stride = graph.stride(dim);
    Tracks tracks(graph.router_count() / side, side);
    for (const LinkId id : channels) {
        const Link& link = graph.link(id);
        const std::size_t from = graph.coordinate(link.from, dim);
        const std::size_t to = graph.coordinate(link.to, dim);
        if (from == to) continue;
        const std::size_t line = link.from / (stride * side) * stride + link.from % stride;
        tracks.add_wire(line, from, to);
    }
    return tracks.widest();
}

std::uint64_t widest_of_layout(const Graph& graph, const std::vector<LinkId>& channels) {
    const Position spacing = router_spacing(graph);
    const auto place = [&](RouterId router) {
        const Position& at = graph.position(router);
        return Position{at.row / spacing.row, at.column / spacing.column};
    };
    std::size_t rows = 1;
    std::size_t columns = 1;
    for (RouterId router; router < graph.router_count(); ++router) {
        rows = std::max<std::size_t>(rows, place(router).row + 1);
        columns = std::max<std::size_t>(columns, place(router).column + 1);
    }
    Tracks in_rows(rows, columns);
    Tracks in_columns(columns, rows);
    for (const LinkId id : channels) {
        const Position from = place(graph.link(id).from);
        const Position to = place(graph.link(id).to);
        if (from.row == to.row) {
            in_rows.add_wire(from.row, from.column, to.column);
        } else if (from.column == to.column) {
            in_columns.add_wire(from.column, from.row, to.row);
        }
    }
    return std::max(in_rows.widest(), in_columns.widest());
}

}  // namespace

std::uint64_t maximum_collective_width(const Graph& graph) {
    const std::vector<LinkId> channels = channel_links(graph);
    if (!graph.wiring()) return widest_of_layout(graph, channels);
    std::uint64_t widest = 0;
    for (std::size_t dim = 0; dim < graph.dims().size(); ++dim) {
        widest = std::max(widest, widest_along(graph, channels, dim));
    }
    return widest;
}

}  // namespace flitscope
