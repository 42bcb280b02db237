// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of a cycle of our router: heads are given virtual channels of the outputs that they ask
// for.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// Length in flits of the packet with this header, which must be in flight.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::uint64_t PacketRouterCore<kWords, kSingleVc, kObserved>::length_of(
    std::uint64_t header) const {
    return (*whole_packets_)[whole_packets_->find(header)].flits_injected;
}

/// Whether output virtual channel `o` has usable credits for all of the packet in input virtual
/// channel `i`, or under wormhole switching for its head; under combined allocation also whether
/// the link takes a flit. If not, `next_` notes when it will, or the router is woken then.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::has_room(unsigned o, unsigned i, Cycle now) {
    if (!outputs_[o].to.attached() || (whole_packets_ == nullptr && !combined_)) return true;
    if (combined_ && is_busy_or_wakes(port_of(o), now)) return false;
    const std::uint64_t flits = whole_packets_ == nullptr ? 1 : length_of(inputs_[i].header);
    return outputs_[o].to.has_credit_or_wakes(now, flits, request_sleeper(), next_);
}

/// Whether the packet in input virtual channel `i` may be given a channel of output `port` as far
/// as a node there is concerned. If not, the router is woken when it may.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_taken_by_node(PortId port, unsigned i,
                                                                      Cycle now) {
    if (!node_may_refuse_ || !local_.has(port)) return true;
    return ejection(port).sink->takes_or_wakes(inputs_[i].header, now, request_sleeper(), next_);
}

/// Input virtual channel `i` has been given one of output `port`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::tell_node(PortId port, unsigned i) {
    if (local_.has(port)) ejection(port).sink->granted(inputs_[i].header);
}

/// One virtual channel: a packet of a single flit, for which there is a credit, leaves over a link
/// in the cycle in which it is given output `o`. It holds nothing, so the steps that follow are
/// spared the work. False if packet, output or observers want these steps.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline bool PacketRouterCore<kWords, kSingleVc, kObserved>::pass_on(unsigned i, unsigned o,
                                                                    Cycle now) {
    if (!kSingleVc || kObserved || paced_) return false;
    FlitReader& from = inputs_[i].from;
    FlitWriter& to = outputs_[o].to;
    if (!to.attached() || !from.front().tail || !to.has_credit(now)) return false;
    from.forward(to, now, clock_);
    release(i, now);
    sleep_for_flit(i, now + 1);
    return true;
}

/// Step 2: free output virtual channels are given to heads that ask for them. With one virtual
/// channel combined allocation does the same, but for the credit that the head needs: the input
/// that has the output has the switch.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_virtual_channels(
    Cycle now) {
    const bool needs_room = whole_packets_ != nullptr || combined_ || node_may_refuse_;
    return needs_room ? allocate_outputs<true>(now) : allocate_outputs<false>(now);
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kNeedsRoom>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::allocate_outputs(Cycle now) {
    Mask granted;
    contested_.for_each([this, now, &granted](unsigned port) {
        PortState& state = port_[port];
        bool is_one_coming = false;  // without a request or a release that would notify us
        Mask refused;                // winners of channels without room for them
        const std::uint32_t channels = kSingleVc ? 1 : vcs_;
        for (std::uint32_t vc = 0; vc < channels && state.requests.any(); ++vc) {
            const unsigned o = (port << stride_log2_) + vc;
            OutputState& output = states_[o];
            if (output.free_from > now) {
                if (output.free_from == kNever) continue;
                next_ = std::min(next_, output.free_from);
                is_one_coming = true;
                continue;
            }
            Mask candidates = state.requests;
            if constexpr (!kSingleVc) {
                state.requests.for_each([this, vc, &candidates](unsigned i) {
                    if ((inputs_[i].allowed_vcs >> vc & 1) == 0) candidates.clear(i);
                });
                if (!candidates.any()) continue;
            }
            if constexpr (kNeedsRoom) {
                if (node_may_refuse_ && local_.has(port)) {
                    candidates.for_each([this, port, now, &candidates, &is_one_coming](unsigned i) {
                        if (is_taken_by_node(port, i, now)) return;
                        candidates.clear(i);
                        is_one_coming = true;
                    });
                    if (!candidates.any()) continue;
                }
            }
            const unsigned winner = candidates.round_robin(output.pointer);
            if constexpr (kNeedsRoom) {
                if (!has_room(o, winner, now)) {
                    is_one_coming = true;
                    refused.set(winner);
                    continue;
                }
                // The channel that it was first for is another packet's to win.
                if (refused.test(winner)) next_ = std::min(next_, now + 1);
            }
            output.pointer = winner + 1;
            output.free_from = kNever;
            claims_[winner].output = static_cast<std::uint16_t>(o);
            state.requests.clear(winner);
            if (node_may_refuse_) tell_node(port, winner);
            if (pass_on(winner, o, now)) {
                is_one_coming = state.requests.any();
                continue;
            }
            granted.set(winner);
            if constexpr (kObserved) report_grant(winner, o, now);
        }
        // Until a request comes or an output virtual channel is freed.
        if (!is_one_coming) contested_.clear(port);
    });
    return granted;
}

/// Combined allocation, step 2: every head is offered the next of the output virtual channels that
/// it asks for, are free and have a usable credit. Several may be offered the same.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
BitMask<kWords> PacketRouterCore<kWords, kSingleVc, kObserved>::offer_virtual_channels(Cycle now) {
    Mask offered;
    contested_.for_each([this, now, &offered](unsigned port) {
        if (is_busy_or_wakes(port, now)) return;
        const PortState& state = port_[port];
        unsigned wanted = 0;
        state.requests.for_each([&](unsigned i) { wanted |= inputs_[i].allowed_vcs; });
        unsigned usable = 0;
        bool is_one_free = false;
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            const unsigned o = (port << stride_log2_) + vc;
            if ((wanted >> vc & 1) == 0 || states_[o].free_from > now) continue;
            is_one_free = true;
            FlitWriter& to = outputs_[o].to;
            if (!to.attached() || to.has_credit_or_wakes(now, 1, request_sleeper(), next_)) {
                usable |= 1U << vc;
            }
        }
        // Until a request comes or an output virtual channel is freed.
        if (!is_one_free) contested_.clear(port);
        state.requests.for_each([&](unsigned i) {
            const unsigned open = inputs_[i].allowed_vcs & usable;
            if (open == 0 || !is_taken_by_node(port, i, now)) return;
            const unsigned after = open & ~0U << state.vc_pointer;
            const auto vc = static_cast<unsigned>(__builtin_ctz(after != 0 ? after : open));
            claims_[i].output = static_cast<std::uint16_t>((port << stride_log2_) + vc);
            offered.set(i);
        });
    });
    return offered;
}

/// Combined allocation, step 5: heads that leave own what they were offered from now on.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::take_offers(const Mask& heads,
                                                                        Cycle now) {
    heads.for_each([this, now](unsigned i) {
        const unsigned o = claims_[i].output;
        PortState& state = port_[port_of(o)];
        states_[o].free_from = kNever;
        state.vc_pointer = vc_of(o) + 1;
        state.requests.clear(i);
        if (node_may_refuse_) tell_node(port_of(o), i);
        if constexpr (kObserved) report_grant(i, o, now);
    });
    hold(heads, now);
}

}  // namespace flitscope::hw
