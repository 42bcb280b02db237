// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The primitives of computations on grids: reduction, broadcast and scans along one line, under the
// one-port model (Cheung and Lau 1995, Section 4; errata, section B).
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "traffic/computations/computation_plan.h"

namespace flitscope {

/// The wiring of a line of positions. Terminals are at multiples of `segment`; from one to the next
/// there is a link.
struct LineForm {
    std::uint32_t side = 1;
    std::uint32_t segment = 1;  ///< 1 <= segment; >= side: there is one terminal
    bool is_dense = false;      ///< all positions of a segment are neighbours of each other
    bool is_ring = false;       ///< one segment, and its ends are neighbours

    std::uint32_t terminals() const { return (side + segment - 1) / segment; }
    /// Position one past the last of the segment of terminal `t`.
    std::uint32_t end(std::uint32_t t) const {
        return t + 1 == terminals() ? side : (t + 1) * segment;
    }
};

/// One line of a network: position i is node origin + i * stride.
struct GridLine {
    NodeId origin = 0;
    NodeId stride = 1;
    LineForm form;

    NodeId at(std::uint32_t position) const { return origin + position * stride; }
};

enum class Direction : std::uint8_t { kRightwards, kLeftwards };

/// The registers that a scan uses at every position.
struct ScanRegisters {
    /// First its value, then the product of all values from the start of the line to it, its own
    /// included. Begin is position 0, or with kLeftwards the last one; the order of a product is
    /// that of the positions either way.
    RegisterId inclusive = 0;
    RegisterId exclusive = 0;  ///< empty at first, then the same product without its own value
    RegisterId carry = 0;      ///< scratch
    RegisterId total = 0;      ///< scratch
};

/// Writes the moves of a computation into the steps of a plan. Steps count from 0; a primitive
/// begins in step `start` and returns the first step after it. Lines that do not meet may have the
/// same steps.
class PlanAssembler {
public:
    /// Operator that gives its left side.
    static constexpr OperatorId kCopy = 0;

    explicit PlanAssembler(NodeId nodes);

    ScanRegisters new_scan(RegisterId inclusive) {
        return {inclusive, new_register(), new_register(), new_register()};
    }
    RegisterId new_register() { return plan_.registers++; }
    OperatorId add(Operator combine);

    void move(StepId step, const ValueMove& move) { step_of(step).moves.push_back(move); }
    /// After the steps below `step`.
    void operate(StepId step, const LocalOperation& operation);

    /// The product of `id` over the line, in order, reaches its position 0. Elsewhere `id` is used
    /// up. Express line: (L - 1) + (T - 1) steps for T terminals of segments L long.
    StepId reduce(const GridLine& line, StepId start, RegisterId id, OperatorId combine);
    /// `id` of position 0 reaches all: reduce() backwards.
    StepId broadcast(const GridLine& line, StepId start, RegisterId id);
    /// `id` of the last position reaches all: first to its terminal, then as broadcast().
    StepId broadcast_from_end(const GridLine& line, StepId start, RegisterId id);

    /// Fills the registers of a scan (ScanRegisters) at every position. `combine` takes empty
    /// values. Express line: 2 (L - 1) + (T - 1) steps.
    StepId scan(const GridLine& line, StepId start, const ScanRegisters& registers,
                OperatorId combine, Direction direction);

    ComputationPlan take() { return std::move(plan_); }
    StepId steps() const { return static_cast<StepId>(plan_.steps.size()); }

private:
    struct Hop {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };

    using Steps = std::vector<std::vector<Hop>>;
    /// Called for a position at which a value has arrived; its actions begin in `step`.
    using Arrival = std::function<void(std::uint32_t position, StepId step)>;

    ComputationStep& step_of(StepId step);
    void hop(const GridLine& line, StepId step, const Hop& hop, RegisterId read, RegisterId write);
    /// Spreads a value from a terminal over its segment.
    StepId spread(const GridLine& line, StepId start, std::uint32_t terminal, RegisterId id,
                  const Arrival& on_arrival);
    StepId scan_segments(const GridLine& line, StepId start, const ScanRegisters& registers,
                         Direction direction, const Arrival& on_arrival);
    static Steps reduction(const LineForm& form);

    ComputationPlan plan_;
};

}  // namespace flitscope
