// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The changes to our router's state when the network changes during the run (hw/TIMING.md, "Faults
// while running"): only between two cycles. No stage of a cycle handles them.
#pragma once

#include <algorithm>
#include <vector>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::vector<HeldOutput> PacketRouterCore<kWords, kSingleVc, kObserved>::held_outputs() const {
    std::vector<HeldOutput> held;
    holding_.for_each([&](unsigned i) {
        const unsigned o = claims_[i].output;
        held.push_back({{false, port_of(i), vc_of(i)}, inputs_[i].header, port_of(o), vc_of(o)});
    });
    return held;
}

/// Which flits of the FIFO at input virtual channel `i` belong to lost packets. The first belong to
/// the packet that holds an output, if it still has flits here.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::vector<bool> PacketRouterCore<kWords, kSingleVc, kObserved>::lost_flits(
    unsigned i, const IsLost& is_lost) const {
    std::vector<bool> lost;
    bool is_of_lost = holding_.test(i) && is_lost(inputs_[i].header);
    for (const Flit& flit : inputs_[i].from.buffer().flits()) {
        if (flit.head) is_of_lost = is_lost(flit.word);
        lost.push_back(is_of_lost);
    }
    return lost;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_losses(unsigned i,
                                                                   const std::vector<bool>& lost,
                                                                   Cycle now) const {
    for (std::size_t behind = 0; behind < lost.size(); ++behind) {
        if (!lost[behind]) continue;
        const Cycle visible = inputs_[i].from.visible_from(behind);
        probe_.observer->on_loss(probe_.in[port_of(i)], vc_of(i), visible, now);
    }
}

/// The packet that holds an output virtual channel for input virtual channel `i` is lost.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::lose_output(unsigned i, Cycle now) {
    const unsigned o = claims_[i].output;
    states_[o].free_from = now;
    let_go(i);
    streaming_.clear(i);
    if constexpr (kObserved) {
        if (sending_.test(o)) probe_.observer->on_send_end(probe_.out[port_of(o)], vc_of(o), now);
        probe_.observer->on_cut(probe_.out[port_of(o)], vc_of(o), now);
        sending_.clear(o);
    }
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::change_network(const IsLost& is_lost,
                                                                    Cycle now) {
    // Requests are made anew, by the new routing; inputs that sleep look again.
    routes_.forget();
    for (PortId port = 0; port < ports_; ++port) port_[port].requests = Mask{};
    contested_ = Mask{};
    asking_ = Mask{};
    for (unsigned i = 0; i < ports_ << stride_log2_; ++i) {
        if (!inputs_[i].from.attached()) continue;
        const std::vector<bool> lost = lost_flits(i, is_lost);
        if constexpr (kObserved) report_losses(i, lost, now);
        inputs_[i].from.lose(lost, now);
        if (holding_.test(i) && is_lost(inputs_[i].header)) lose_output(i, now);
        // It may be the cycle of a credit that the lost packet would have had.
        inputs_[i].free_from = std::min(inputs_[i].free_from, now);
        awake_.set(i);
    }
    looks_ = true;
    clock_.wake(module_, now);
}

}  // namespace flitscope::hw
