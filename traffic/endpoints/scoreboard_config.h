// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scoreboard checks and measures.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "traffic/patterns/replies.h"

namespace flitscope {

struct ScoreboardConfig {
    NodeId nodes = 0;  ///< nodes of the network; 0: unknown, which is only slower
    PacketFormat format;
    /// One virtual channel and one path per pair: packets of a pair cannot overtake each other.
    bool in_order = true;
    /// Latency and accepted traffic count messages begun, or flits delivered, in [from, until).
    Cycle measure_from = 0;
    Cycle measure_until = kNever;
    std::uint32_t classes = 1;  ///< of messages
    /// Every message with an even id is a request, to which there is a reply.
    std::optional<Replies> replies = {};
    /// The first cycle of its second half.
    Cycle measure_middle() const { return measure_from + (measure_until - measure_from) / 2; }
};

}  // namespace flitscope
