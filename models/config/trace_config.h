// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `trace`: the contents of a waveform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

struct TraceConfig {
    std::vector<std::string> links;    ///< "5-7" or link_005_007; empty = by node/dimension/all
    std::vector<NodeId> nodes;         ///< links that start or end at their routers
    std::vector<std::string> routers;  ///< numbers or names; links that start or end at them
    std::vector<std::uint32_t> dimensions;
    std::vector<NodeId> rtl_nodes;  ///< RTL routers whose inner signals are traced as well
    Cycle from = 0;
    Cycle until = kNever;
    bool details = false;    ///< trace each field of a channel's packet, too
    bool endpoints = false;  ///< also injection and ejection channels
};

}  // namespace flitscope
