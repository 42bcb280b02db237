// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The pace of flits over a channel: one per cycle, or one in k cycles over a link of rate 1/k, and
// no more than its FIFOs hold until a slot comes back (hw/TIMING.md, "Channels").
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/types.h"
#include "models/config/fabric_config.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/saturating.h"
#include "models/topology/link.h"

namespace flitscope {

/// Least cycles from the first to the last of `flits` that share `slots`, each refillable `loop`
/// cycles after it was filled: flit i + slots comes at least `loop` cycles after flit i, and flit i
/// + 1 at least `rate_cycles`. Without slots (no FIFO) only that counts. Saturates.
constexpr Cycle pace_span(std::uint64_t flits, std::uint64_t slots, Cycle loop,
                          std::uint32_t rate_cycles = 1) {
    if (flits == 0) return 0;
    const bool has_room = slots == 0 || saturating_multiply(slots, rate_cycles) >= loop;
    if (has_room) return saturating_multiply(flits - 1, rate_cycles);
    return saturating_add(saturating_multiply((flits - 1) / slots, loop),
                          saturating_multiply((flits - 1) % slots, rate_cycles));
}

/// The pace at which flits can follow each other on the channels of a machine.
class ChannelPace {
public:
    explicit ChannelPace(const FabricConfig& fabric)
        : timings_(fabric), channels_(fabric.virtual_channels) {}

    /// Cycles until a slot of the channel can be filled again.
    std::uint32_t loop(const Link& link) const { return timings_.link(link).loop(); }
    std::uint32_t injection_loop() const { return timings_.injection().loop(); }

    /// pace_span() of flits in any virtual channels.
    Cycle span(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles = 1) const {
        return pace_span(flits, std::uint64_t{timings_.buffer_depth} * channels_, loop,
                         rate_cycles);
    }
    /// pace_span() of the flits of one packet, which stays in its virtual channel.
    Cycle packet_span(std::uint64_t flits, Cycle loop, std::uint32_t rate_cycles = 1) const {
        return pace_span(flits, timings_.buffer_depth, loop, rate_cycles);
    }

private:
    ChannelTimings timings_;
    std::uint32_t channels_;
};

}  // namespace flitscope
