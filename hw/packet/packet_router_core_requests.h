// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 1 of a cycle of our router: heads ask for what their routes name.
#pragma once

#include <algorithm>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// Step 1: visible heads ask for what their routes name.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::route(const Mask& heads, Cycle now) {
    if (by_destination_) {
        route_by_destination(heads, now);
    } else if (stores_) {
        route_packets<true>(heads, now);
    } else {
        route_packets<false>(heads, now);
    }
}

/// Makes requests if the output port depends only on the destination.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route_by_destination(const Mask& heads,
                                                                          Cycle now) {
    heads.for_each([this, now](unsigned i) {
        Input& input = inputs_[i];
        if (!is_here(i, now)) return;
        input.header = input.from.front_word();
        request(i, routes_.to(Header::destination_of(input.header)));
        rest(i);
    });
}

/// Whether input virtual channel `i`, which holds nothing, has a head that may ask. If not, it
/// sleeps, or `next_` notes when it will.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_here(unsigned i, Cycle now) {
    if constexpr (!kSingleVc) return true;
    const Input& input = inputs_[i];
    if (!input.from.visible(now)) {
        sleep_for_flit(i);
        return false;
    }
    if (input.free_from <= now) return true;
    next_ = std::min(next_, input.free_from);  // when the tail before it has gone
    return false;
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::request(unsigned i,
                                                                    RouteChoice choice) {
    claims_[i].port = claims_[i].switch_output = static_cast<std::uint16_t>(choice.port);
    if (queued_) {
        const auto speedup = static_cast<unsigned>(queued_->inputs.size());
        claims_[i].switch_output =
            static_cast<std::uint16_t>(choice.port + port_of(i) % speedup * ports_);
    }
    inputs_[i].allowed_vcs = choice.virtual_channels;
    if constexpr (!kSingleVc) inputs_[i].allowed_vcs &= own_network_[vc_of(i)];
    port_[choice.port].requests.set(i);
    contested_.set(choice.port);
}

/// Step 1 if the request depends on more than the destination. With several choices it lasts for
/// one cycle, so the requests of the last cycle are withdrawn.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
template <bool kStores>
void PacketRouterCore<kWords, kSingleVc, kObserved>::route_packets(const Mask& heads, Cycle now) {
    RouteChoices choices;
    heads.for_each([this, now, &choices](unsigned i) {
        Input& input = inputs_[i];
        if (!is_here(i, now)) return;
        input.header = input.from.front_word();
        const RouteQuery query = query_of(i, input.header);
        if (path_choice_ != PathChoice::kAdaptive) {
            const RouteChoice choice =
                queues_ == nullptr ? routing_.route(query) : routing_.route(query, *queues_, now);
            if (kStores && !is_stored(i, choice.port, now)) return;
            request(i, choice);
            rest(i);
            return;
        }
        port_[claims_[i].port].requests.clear(i);
        routing_.route(query, choices);
        if (kStores && !is_stored(i, choices[0].port, now)) return;
        request_open(i, choices, now);
    });
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline RouteQuery PacketRouterCore<kWords, kSingleVc, kObserved>::query_of(
    unsigned i, std::uint64_t header) const {
    const Header packet = Header::unpack(header);
    const PortId port = port_of(i);
    return {router_,         port, vc_of(i), packet.source, packet.destination, packet.sequence,
            local_.has(port)};
}

/// Asks for the best choice that can be had now, if there is one. Otherwise a virtual channel has
/// to be released, which keeps the router awake, or a FIFO to run empty.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::request_open(unsigned i,
                                                                  const RouteChoices& choices,
                                                                  Cycle now) {
    RouteChoice best;
    unsigned best_score = 0;
    for (std::size_t c = 0; c < choices.size(); ++c) {
        if (c == choices.escape() && best_score > 0) break;
        RouteChoice choice = choices[c];
        const bool empty_only = choices.has_escape() && c < choices.escape();
        const unsigned choice_score = score(choice, empty_only, now);
        if (choice_score <= best_score) continue;
        best = choice;
        best_score = choice_score;
    }
    if (best_score == 0) return;
    request(i, best);
    next_ = now + 1;  // the next request, should this one lose
}

/// 0 when none of the virtual channels of `choice` can be had, 2 when one of them has a usable
/// credit, else 1. Leaves those that can be had in `choice`; the router is ticked when others run
/// empty.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
unsigned PacketRouterCore<kWords, kSingleVc, kObserved>::score(RouteChoice& choice, bool empty_only,
                                                               Cycle now) {
    unsigned best = 0;
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if ((choice.virtual_channels >> vc & 1) == 0) continue;
        const unsigned o = (choice.port << stride_log2_) + vc;
        Output& output = outputs_[o];
        const Cycle free_from = states_[o].free_from;
        bool open = free_from <= now;
        if (!open) next_ = std::min(next_, free_from);
        if (open && empty_only && !output.to.empty(now)) {
            open = false;
            if (const Cycle empty = output.to.empty_from(); empty != kNever) {
                next_ = std::min(next_, empty);
            } else {
                output.to.await_empty(request_sleeper());
            }
        }
        if (!open) {
            choice.virtual_channels &= static_cast<VcMask>(~(1U << vc));
            continue;
        }
        const bool has_credit = !output.to.attached() || output.to.has_credit(now);
        best = std::max(best, has_credit ? 2U : 1U);
    }
    return best;
}

/// Store and forward: whether the packet at the front of input virtual channel `i` may ask for
/// output `port`. If it came over a link and leaves over one, all of it has to be here first.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_stored(unsigned i, PortId port, Cycle now) {
    if (local_.has(port) || local_.has(port_of(i))) return true;
    Input& input = inputs_[i];
    const std::uint64_t behind = length_of(input.header) - 1;  // location of the tail
    const Cycle tail = input.from.visible_from(behind);
    if (tail == kNever) {
        // Otherwise the router is notified of every flit.
        if (kSingleVc || is_far_) input.from.await(sleeper(i), behind);
        awake_.clear(i);
        return false;
    }
    if (tail + combining_delay_ <= now) return true;
    next_ = std::min(next_, tail + combining_delay_);
    return false;
}

/// Input virtual channel `i` is looked at when its next flit is visible, but not before cycle
/// `from`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::sleep_for_flit(unsigned i, Cycle from) {
    const Cycle visible = inputs_[i].from.visible_from();
    awake_.assign(i, visible != kNever);
    if (visible == kNever) {
        inputs_[i].from.await(sleeper(i));
    } else {
        next_ = std::min(next_, std::max(from, visible));
    }
}

/// Input virtual channel `i` makes a request, and sleeps until it is granted.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::rest(unsigned i) {
    if constexpr (kSingleVc) {
        awake_.clear(i);
    } else {
        asking_.set(i);
    }
}

}  // namespace flitscope::hw
