// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a cycle of our router at links of a rate below 1: after a flit, such a link takes no
// other for some cycles, whatever its virtual channel (hw/TIMING.md, "Slow links"). A router
// without such links has no state for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::make_slow_links(
    const std::vector<std::uint32_t>& cycles) {
    slow_ = std::make_unique<SlowLinks>();
    slow_->cycles = cycles;
    slow_->free_from.resize(cycles.size(), 0);
    for (PortId port = 0; port < cycles.size(); ++port) {
        if (cycles[port] > 1) slow_->ports.set(port);
    }
}

/// Whether the link at output `port` takes no flit in cycle `now`, because of one that it took
/// before. Then `next_` notes when it does.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_busy_or_wakes(PortId port, Cycle now) {
    if (!slow_ || slow_->free_from[port] <= now) return false;
    next_ = std::min(next_, slow_->free_from[port]);
    return true;
}

/// Those of `inputs`, which hold outputs, whose links take a flit in cycle `now`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::at_free_links(const Mask& inputs,
                                                                              Cycle now) {
    Mask free = inputs;
    slow_->ports.for_each([&](unsigned port) {
        const Mask& holders = port_[port].holders;
        if ((free & holders).any() && is_busy_or_wakes(port, now)) free = free - holders;
    });
    return free;
}

/// The inputs in `grants` send in cycle `now`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::use_links(const Mask& grants, Cycle now) {
    grants.for_each([this, now](unsigned i) {
        const PortId port = claims_[i].port;
        if (slow_->ports.test(port)) slow_->free_from[port] = now + slow_->cycles[port];
    });
}

/// With one virtual channel: all `holders` send what they can.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::stream_at_rates(const Mask& holders, Cycle now,
                                                                     Cycle until) {
    holders.for_each([this, now, until](unsigned i) {
        if (slow_->ports.test(claims_[i].port)) {
            stream<true>(i, now, now);
        } else {
            stream<false>(i, now, until);
        }
    });
}

}  // namespace flitscope::hw
