// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The section `interconnect`: which initiators reach which addresses over the network.
#pragma once

#include <array>
#include <cstdint>
#include <string>
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

/// interconnect.timing: how long the messages of an access take.
enum class AccessTiming : std::uint8_t {
    kExact,      ///< as long as on the simulated fabric, among all others
    kAnnotated,  ///< as long as alone, added to the delay of the transaction
};

/// The values, in the order of the enumeration; the default comes first.
inline constexpr std::array kAccessTimings{AccessTiming::kExact, AccessTiming::kAnnotated};

/// The word that configurations have for a value.
std::string name_of(AccessTiming timing);

/// The TLM-2.0 component tlm/interconnect/interconnect.h.
struct InterconnectConfig {
    std::vector<NodeId> initiators;  ///< node of each; several may share one
    std::vector<InterconnectTarget> targets;
    std::uint32_t header_bytes = 8;  ///< per request or response, in addition to the data
    std::uint32_t outstanding = 4;   ///< requests of an initiator under way at a time
    /// Requests that the targets of a node have at a time; others wait in the network. 0: all.
    std::uint32_t request_queue = 0;
    std::string request_class;   ///< class of requests; empty: the first one
    std::string response_class;  ///< class of responses; empty: that of requests
    AccessTiming timing = AccessTiming::kExact;
    Cycle queueing = 0;  ///< of annotated timing: cycles of a message beyond those alone
    bool dmi = false;    ///< pass on requests for direct memory access
};

}  // namespace flitscope
