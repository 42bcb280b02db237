// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/computations/computation_grid.h"

#include <algorithm>

#include "models/topology/graph.h"

namespace flitscope {

std::optional<ComputationGrid> ComputationGrid::of(const Graph& graph) {
    if (!graph.wiring() || !graph.wiring()->has_equal_lines()) return std::nullopt;
    const bool is_dense = graph.wiring()->has_equal_places();
    if (is_dense && !graph.wiring()->has_equal_windows()) return std::nullopt;
    ComputationGrid grid;
    for (const GridDimension& dimension : graph.wiring()->dimensions()) {
        const std::size_t lengths = dimension.spans.size();
        if (!is_dense && lengths > 2) return std::nullopt;  // express links of several levels
        const std::uint32_t reach = dimension.spans.back();
        LineForm form{dimension.side, dimension.side, false, dimension.wraps};
        if (reach > 1) form.segment = std::min(reach, dimension.side);
        form.is_dense = is_dense && reach > 1;
        // With all positions in one window a second terminal is useless.
        if (form.is_dense && reach + 1 >= dimension.side) form.segment = dimension.side;
        grid.forms_.push_back(form);
    }
    grid.strides_.resize(grid.forms_.size());
    for (std::size_t dim = grid.forms_.size(); dim-- > 0;) {
        grid.strides_[dim] = grid.nodes_;
        grid.nodes_ *= grid.forms_[dim].side;
    }
    return grid;
}

void ComputationGrid::each_line(std::size_t dim, Lines lines,
                                const std::function<void(const GridLine&)>& visit) const {
    const auto on_face = [&](NodeId node) {
        return node % strides_[dim] == 0;  // all later coordinates are 0
    };
    for (NodeId node = 0; node < nodes_; ++node) {
        if (coordinate(node, dim) != 0) continue;
        if (lines == Lines::kAll || on_face(node)) visit({node, strides_[dim], forms_[dim]});
    }
}

StepId ComputationGrid::along(std::size_t dim, Lines lines, StepId start,
                              const std::function<StepId(const GridLine&, StepId)>& play) const {
    StepId end = start;
    each_line(dim, lines, [&](const GridLine& line) { end = std::max(end, play(line, start)); });
    return end;
}

StepId ComputationGrid::reduce(PlanAssembler& plan, StepId start, RegisterId id,
                               OperatorId combine) const {
    for (std::size_t dim = dims(); dim-- > 0;) {
        start = along(dim, Lines::kFace, start, [&](const GridLine& line, StepId begin) {
            return plan.reduce(line, begin, id, combine);
        });
    }
    return start;
}

StepId ComputationGrid::broadcast(PlanAssembler& plan, StepId start, RegisterId id) const {
    for (std::size_t dim = 0; dim < dims(); ++dim) {
        start = along(dim, Lines::kFace, start, [&](const GridLine& line, StepId begin) {
            return plan.broadcast(line, begin, id);
        });
    }
    return start;
}

}  // namespace flitscope
