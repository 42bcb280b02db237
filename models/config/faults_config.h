// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `faults`: what fails, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// Links or nodes that fail at random: a count, or a share of those present.
struct FaultAmount {
    std::uint32_t count = 0;
    std::optional<double> share;  ///< 0 .. 1, instead of `count`

    /// How many of `all`: `count`, or the share to the nearest whole number.
    std::uint64_t of(std::uint64_t all) const;
    bool is_zero() const { return count == 0 && share.value_or(0) == 0; }
};

/// The links, routers and nodes that are dead, from the start or from some cycle on.
struct FaultsConfig {
    static constexpr Cycle kLatest = 1'000'000'000'000;  ///< value of `at`

    std::vector<std::string> links;    ///< "3-4" or link_003_004: both directions
    std::vector<NodeId> nodes;         ///< a router whose nodes have all died dies, too
    std::vector<std::string> routers;  ///< numbers or names; with all of their links and nodes
    FaultAmount random_links;          ///< drawn from the channels left then
    FaultAmount random_nodes;          ///< drawn from the nodes and switches left
    std::uint64_t seed = 1;            ///< seed of the random faults
    bool keep_connected = false;       ///< random faults cut no node off
    bool drops_messages = false;       ///< messages of dead nodes are left out, not refused
    Cycle at = 0;                      ///< 0: from the start on; else the failure is during the run

    bool is_empty() const {
        return links.empty() && nodes.empty() && routers.empty() && random_links.is_zero() &&
               random_nodes.is_zero();
    }
    bool come_later() const { return at != 0 && !is_empty(); }
};

}  // namespace flitscope
