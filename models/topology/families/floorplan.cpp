// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/floorplan.h"

#include <algorithm>

#include "models/config/link_delay_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

void apply_link_delay(Graph& graph, const LinkDelayConfig& model, double clock_ns) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& link = graph.link(id);
        const Site run = run_between(graph.site(link.from), graph.site(link.to));
        graph.set_mm(id, model.mm(run.row, run.column));
        graph.set_delay(id, model.delay(link.length, link.mm, clock_ns));
    }
}

ChipSize chip_size(const Graph& graph, const LinkDelayConfig& model) {
    Site low = graph.site(RouterId(0));
    Site high = low;
    for (RouterId router; router < graph.router_count(); ++router) {
        const bool has_tile = graph.has_tile(router);
        const double rows = has_tile ? graph.block().row / 2.0 : 0;
        const double columns = has_tile ? graph.block().column / 2.0 : 0;
        const Site at = graph.site(router);
        low = {std::min(low.row, at.row - rows), std::min(low.column, at.column - columns)};
        high = {std::max(high.row, at.row + rows), std::max(high.column, at.column + columns)};
    }
    return {(high.column - low.column) * model.pitch_mm, (high.row - low.row) * model.row_mm()};
}

}  // namespace flitscope
