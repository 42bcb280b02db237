// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `interconnect`: which initiators reach which addresses over the network.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"

namespace flitscope {

/// Addresses that a target of the interconnect answers to: `size` bytes from `base` on.
struct InterconnectTarget {
    NodeId node = 0;
    std::uint64_t base = 0;
    std::uint64_t size = 1;  ///< >= 1
    Location where;          ///< location of the entry in the configuration
};

/// The TLM-2.0 component tlm/interconnect/interconnect.h.
struct InterconnectConfig {
    std::vector<NodeId> initiators;  ///< node of each; several may share one
    std::vector<InterconnectTarget> targets;
    std::uint32_t header_bytes = 8;  ///< per request or response, in addition to the data
    std::uint32_t outstanding = 4;   ///< requests of an initiator under way at a time
    bool dmi = false;                ///< pass on requests for direct memory access
};

}  // namespace flitscope
