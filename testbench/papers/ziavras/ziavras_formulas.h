// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The formulas of Ziavras et al., Sections 2 to 5: as printed, and as the errata (004) correct
// them.
#pragma once

#include <cstdint>
#include <optional>

#include "models/fabric/port_model.h"
#include "traffic/schedules/windows/collective_plan.h"

namespace flitscope::reproduce {

/// A HOW of one or two dimensions of `side` nodes with window `window`; side - 1 makes it a
/// generalized hypercube.
struct HowCase {
    std::uint32_t side = 0;
    std::uint32_t window = 0;
    std::uint32_t dimensions = 1;

    std::uint32_t blocks() const { return (side - 1 + window - 1) / window; }
    bool has_rings() const { return side <= 2 || window > 1; }
};

std::uint32_t ceil_lg(std::uint32_t number);

/// Steps that fill the window of a root at the end of a line with one output, and steps after it
/// (Section 4.1).
struct DoublingSteps {
    std::uint32_t first = 0;   ///< s1
    std::uint32_t second = 0;  ///< s2
};
DoublingSteps doubling_steps(const HowCase& how);

/// Transfer steps, store and forward.
std::optional<std::uint64_t> printed_steps(const HowCase& how, Collective collective,
                                           PortModel model);
/// The steps by the errata; none if these give no closed form.
std::optional<std::uint64_t> corrected_steps(const HowCase& how, Collective collective,
                                             PortModel model);

/// Time by wormhole: a number of message lengths, plus a number of hops for the first flits.
struct WormholeTime {
    std::uint64_t messages = 0;  ///< m t_w each
    std::uint64_t hops = 0;

    friend bool operator==(const WormholeTime& a, const WormholeTime& b) {
        return a.messages == b.messages && a.hops == b.hops;
    }
};
std::optional<WormholeTime> printed_wormhole(const HowCase& how, Collective collective,
                                             PortModel model);
std::optional<WormholeTime> corrected_wormhole(const HowCase& how, Collective collective,
                                               PortModel model);

/// Channels across the middle of a line (corrected), and as printed.
std::uint64_t middle_cut(const HowCase& how);
std::uint64_t printed_middle_cut(const HowCase& how);
/// Bisection width of the whole network.
std::uint64_t corrected_bisection(const HowCase& how);
std::uint64_t printed_bisection(const HowCase& how);
/// Channels of the whole network (Table 1).
std::uint64_t printed_channels(const HowCase& how);
/// Maximum collective width of a line (Theorem 1): for w < (p + 1) / 2, and for generalized
/// hypercubes. None in between, for which no value is printed.
std::optional<std::uint64_t> printed_collective_width(const HowCase& how);
/// By the general formula of the errata.
std::uint64_t corrected_collective_width(const HowCase& how);

/// Fewest steps of an all-to-all personalized communication that the bisection allows: one block
/// per channel and direction in each.
std::uint64_t exchange_bound(const HowCase& how);

}  // namespace flitscope::reproduce
