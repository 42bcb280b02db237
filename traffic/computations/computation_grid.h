// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose nodes are in lines, as computations see them: the lines of every dimension, and
// reductions and broadcasts over all of them, one dimension after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "traffic/computations/line_computations.h"

namespace flitscope {

class Graph;

/// Which lines along a dimension.
enum class Lines : std::uint8_t {
    kAll,
    kFace,  ///< through nodes whose coordinates in all later dimensions are 0
};

class ComputationGrid {
public:
    /// Meshes, tori, HOWs, generalized hypercubes and hypercubes (as grids of sides of 2); express
    /// meshes with express links in every line, of one length. Nothing for other networks.
    static std::optional<ComputationGrid> of(const Graph& graph);

    std::size_t dims() const { return forms_.size(); }
    const LineForm& form(std::size_t dim) const { return forms_[dim]; }
    NodeId nodes() const { return nodes_; }
    std::uint32_t coordinate(NodeId node, std::size_t dim) const {
        return node / strides_[dim] % forms_[dim].side;
    }

    void each_line(std::size_t dim, Lines lines,
                   const std::function<void(const GridLine&)>& visit) const;
    /// Along every line of `dim` at the same time: `play` as the primitives of PlanAssembler.
    StepId along(std::size_t dim, Lines lines, StepId start,
                 const std::function<StepId(const GridLine&, StepId)>& play) const;

    /// Reduces to node 0, in the order of nodes: the last dimension first, as Algorithm 2.
    StepId reduce(PlanAssembler& plan, StepId start, RegisterId id, OperatorId combine) const;
    /// Broadcasts from node 0: the first dimension first.
    StepId broadcast(PlanAssembler& plan, StepId start, RegisterId id) const;

private:
    std::vector<LineForm> forms_;
    std::vector<NodeId> strides_;
    NodeId nodes_ = 1;
};

}  // namespace flitscope
