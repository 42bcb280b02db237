// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `faults`: what is dead, and from when on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// Links or nodes that are dead at random: so many, or a share of those that there are.
struct FaultAmount {
    std::uint32_t count = 0;
    std::optional<double> share;  ///< 0 .. 1, in place of `count`

    /// How many of `all`: `count`, or the share to the nearest whole number.
    std::uint64_t of(std::uint64_t all) const;
    bool is_zero() const { return count == 0 && share.value_or(0) == 0; }
};

/// The links and nodes that are dead, from the start or from some cycle on.
struct FaultsConfig {
    static constexpr Cycle kLatest = 1'000'000'000'000;  ///< value of `at`

    std::vector<std::string> links;  ///< "3-4" or link_003_004: both directions
    std::vector<NodeId> nodes;       ///< with all of their links; switches count
    FaultAmount random_links;        ///< of the channels that are left then
    FaultAmount random_nodes;        ///< of the nodes and switches that are left
    std::uint64_t seed = 1;          ///< of the random faults
    bool keep_connected = false;     ///< random faults cut no node off
    bool drops_messages = false;     ///< messages of dead nodes are left out, not refused
    Cycle at = 0;                    ///< 0: from the start on; else it dies while the run goes on

    bool is_empty() const {
        return links.empty() && nodes.empty() && random_links.is_zero() && random_nodes.is_zero();
    }
    bool come_later() const { return at != 0 && !is_empty(); }
};

}  // namespace flitscope
