// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collective operations on one dimension of a HOW network (how_collectives.h): which block goes
// over which channel of a line, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/node_config.h"
#include "traffic/schedules/windows/collective_plan.h"

namespace flitscope {

/// A block over a channel of a line, all by positions.
struct LineMove {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t source = 0;
    std::uint32_t destination = kEveryone;
};
using LineStep = std::vector<LineMove>;
using LineSteps = std::vector<LineStep>;

/// One dimension: `p` positions, each joined to all within the window `w`.
class HowLine {
public:
    HowLine(std::uint32_t p, std::uint32_t w) : p_(p), w_(w) {}

    /// `root` if the collective has one.
    LineSteps steps(Collective collective, PortModel ports, std::uint32_t root) const;
    /// The position to which the longest hop from `at` leads that does not overshoot `target`.
    std::uint32_t towards(std::uint32_t at, std::uint32_t target) const;
    /// Positions in the order of a ring of channels: 0, 2, 4, ..., 5, 3, 1.
    std::vector<std::uint32_t> ring() const;

private:
    LineSteps broadcast_by_doubling(std::uint32_t root) const;
    LineSteps broadcast_by_windows(std::uint32_t root) const;
    LineSteps all_to_all_ring() const;
    LineSteps all_to_all_windows(bool independent) const;
    LineSteps scatter_ring(std::uint32_t root) const;
    LineSteps scatter_by_windows(std::uint32_t root) const;
    LineSteps exchange_ring() const;
    LineSteps exchange_over_relay_lines() const;

    std::uint32_t p_;
    std::uint32_t w_;
};

}  // namespace flitscope
