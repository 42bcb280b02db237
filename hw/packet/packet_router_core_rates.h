// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 3 of a cycle of our router at output ports that do not take a flit in every cycle: after a
// flit, a link of a rate below 1 takes no other for some cycles, whatever its virtual channel
// (hw/TIMING.md, "Slow links"), and a queue takes none without room ("Switch outputs"). A router
// without such ports has no state for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// The flits of a queue leave one after the other, at the pace of the link. So the cycle from which
/// the next one may leave tells how many are in it.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::make_paced_ports(const RouterConfig& config) {
    paced_ = std::make_unique<PacedPorts>();
    paced_->cycles = config.rate_cycles;
    paced_->cycles.resize(ports_, 1);
    paced_->free_from.resize(ports_, 0);
    paced_->ahead.resize(ports_, 0);
    for (PortId port = 0; port < ports_; ++port) {
        const std::uint32_t cycles = paced_->cycles[port];
        if (queued_) {
            // Room for what may enter: at most so many flits are there.
            const std::uint32_t most = config.output_queue - config.output_speedup;
            paced_->ahead[port] = (most + 1) * cycles - 1;
        }
        if (queued_ || cycles > 1) paced_->ports.set(port);
    }
}

/// Input virtual channels that hold a channel of output `port`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::holders_of(PortId port) const {
    Mask holders = switch_outputs_[port].holders;
    if (!queued_) return holders;
    for (std::size_t k = 1; k < queued_->inputs.size(); ++k) {
        holders |= switch_outputs_[port + k * ports_].holders;
    }
    return holders;
}

/// Whether output `port` takes no flit in cycle `now`, because of those that it took before. Then
/// `next_` notes when it does.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_busy_or_wakes(PortId port, Cycle now) {
    if (!paced_ || paced_->free_from[port] <= now + paced_->ahead[port]) return false;
    next_ = std::min(next_, paced_->free_from[port] - paced_->ahead[port]);
    return true;
}

/// Those of `inputs`, which hold outputs, whose ports take a flit in cycle `now`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::at_free_links(const Mask& inputs,
                                                                              Cycle now) {
    Mask free = inputs;
    paced_->ports.for_each([&](unsigned port) {
        const Mask holders = holders_of(port);
        if ((free & holders).any() && is_busy_or_wakes(port, now)) free = free - holders;
        if (queued_ && local_.has(port)) stay_behind_full_ejections(port, free);
    });
    return free;
}

/// The inputs in `grants` send in cycle `now`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::use_links(const Mask& grants, Cycle now) {
    grants.for_each([this, now](unsigned i) {
        const PortId port = claims_[i].port;
        if (paced_->ports.test(port)) paced_->free_from[port] = now + paced_->cycles[port];
    });
}

/// With one virtual channel: all `holders` send what they can.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::stream_at_rates(const Mask& holders, Cycle now,
                                                                     Cycle until) {
    holders.for_each([this, now, until](unsigned i) {
        if (paced_->ports.test(claims_[i].port)) {
            stream<true>(i, now, now);
        } else {
            stream<false>(i, now, until);
        }
    });
}

}  // namespace flitscope::hw
