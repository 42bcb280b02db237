// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The reports of our router's logic: channel events to observers, and its waits to the search for
// deadlocks.
#pragma once

#include <algorithm>
#include <vector>

#include "hw/packet/packet_router_core.h"

namespace flitscope::hw {

/// Output virtual channel `o` is the packet's in input virtual channel `i`. Observers see channels,
/// not the queues before them: there it is once the packet before has gone.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_grant(unsigned i, unsigned o,
                                                                  Cycle now) {
    const Message message = probe_.packets->message_of(inputs_[i].header);
    if (queued_ && queued_->queues.defer_grant(o, message)) return;
    probe_.observer->on_grant(probe_.out[port_of(o)], vc_of(o), message, now);
}

/// A flit from input virtual channel `i` leaves on output virtual channel `o` in cycle `at`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::report_send(unsigned i, unsigned o,
                                                                        Cycle at) {
    report_pause(o, at);
    if (!sending_.test(o)) {
        sending_.set(o);
        probe_.observer->on_send_begin(probe_.out[port_of(o)], vc_of(o), probe_.in[port_of(i)],
                                       vc_of(i), at);
    }
    states_[o].sends_until = at + 1;
}

/// The last one was a tail, which left output virtual channel `o` in cycle `tail`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_tail(unsigned o, Cycle tail) {
    probe_.observer->on_send_end(probe_.out[port_of(o)], vc_of(o), tail + 1);
    probe_.observer->on_release(probe_.out[port_of(o)], vc_of(o), tail + 1);
    sending_.clear(o);
}

/// The next flit goes no earlier than in cycle `next`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
inline void PacketRouterCore<kWords, kSingleVc, kObserved>::report_pause(unsigned o, Cycle next) {
    const Cycle until = states_[o].sends_until;
    if (!sending_.test(o) || until == next) return;
    probe_.observer->on_send_end(probe_.out[port_of(o)], vc_of(o), until);
    sending_.clear(o);
}

/// Reports the outputs whose sending ends, once all that goes in cycle `now` has gone.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_stops(Cycle now) {
    sending_.for_each([this, now](unsigned o) {
        const Cycle until = states_[o].sends_until;
        if (until > now) {
            next_ = std::min(next_, until);  // to see whether it continues
        } else {
            report_pause(o, kNever);
        }
    });
}

template <std::size_t kWords, bool kSingleVc, bool kObserved>
void PacketRouterCore<kWords, kSingleVc, kObserved>::report_waits(
    std::vector<WaitReport>& reports) const {
    const std::uint64_t room = wanted_room();
    for (PortId port = 0; port < ports_; ++port) {
        for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
            const unsigned i = (port << stride_log2_) + vc;
            const FlitReader& from = inputs_[i].from;
            if (!from.attached() || from.visible_from() == kNever) continue;
            WaitReport report;
            report.at = {false, port, vc};
            const bool waits =
                holding_.test(i) ? waits_for_credit(i, report) : waits_for_choices(i, room, report);
            if (waits) reports.push_back(std::move(report));
        }
    }
}

/// Whether the packet at the front of input virtual channel `i`, which holds an output, has to wait
/// for the FIFO that the output leads to.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::waits_for_credit(unsigned i,
                                                                      WaitReport& report) const {
    const unsigned o = claims_[i].output;
    const FlitWriter& to = outputs_[o].to;
    if (!to.attached() || to.credit_from() != kNever) return false;
    report.header = inputs_[i].header;
    report.wants = port_of(o);
    report.granted = true;
    report.obstacles.push_back({true, port_of(o), vc_of(o)});
    return true;
}

/// Whether the head at the front of input virtual channel `i` has to wait for all that it asks for.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::waits_for_choices(unsigned i,
                                                                       std::uint64_t room,
                                                                       WaitReport& report) const {
    if (!asks(i)) return false;
    RouteChoices choices;
    report.header = inputs_[i].from.front().word;
    if (path_choice_ == PathChoice::kAdaptive) {
        routing_.route(query_of(i, report.header), choices);
    } else {
        choices.add({PortId{claims_[i].port}, inputs_[i].allowed_vcs});
    }
    for (std::size_t c = 0; c < choices.size(); ++c) {
        const bool empty_only = choices.has_escape() && c < choices.escape();
        if (!add_obstacles(choices[c], empty_only, room, report)) return false;
    }
    report.wants = choices[0].port;
    return true;
}

/// Adds what has to advance before `choice` can be granted. False if nothing has to, and the next
/// cycle grants it. If the node refuses the packet, the holders of its channels do not matter.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::add_obstacles(const RouteChoice& choice,
                                                                   bool empty_only,
                                                                   std::uint64_t room,
                                                                   WaitReport& report) const {
    if (is_refused(choice.port, report.header)) {
        report.node_is_full = true;
        return true;
    }
    unsigned open = choice.virtual_channels & ((1U << vcs_) - 1);
    holding_.for_each([&](unsigned holder) {
        const unsigned o = claims_[holder].output;
        if (port_of(o) != choice.port || (choice.virtual_channels >> vc_of(o) & 1) == 0) return;
        open &= ~(1U << vc_of(o));
        report.obstacles.push_back({false, port_of(holder), vc_of(holder)});
    });
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if ((open >> vc & 1) == 0) continue;
        if (!blocks((choice.port << stride_log2_) + vc, empty_only, room)) return false;
        report.obstacles.push_back({true, choice.port, vc});
    }
    return true;
}

/// Whether the FIFO that output virtual channel `o`, held by no packet, leads to is in the way. A
/// head needs credits there before it is given the channel, or nothing.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::blocks(unsigned o, bool empty_only,
                                                            std::uint64_t room) const {
    const FlitWriter& to = outputs_[o].to;
    if (!to.attached()) return false;
    const bool needs_room = whole_packets_ != nullptr || combined_;
    const bool lacks_room = needs_room && to.credit_from(room) == kNever;
    return lacks_room || (empty_only && to.empty_from() == kNever);
}

/// Whether a node does not take the packet with this header, which asks for `port`.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::is_refused(PortId port,
                                                                std::uint64_t header) const {
    return node_may_refuse_ && local_.has(port) && !ejection(port).sink->takes(header);
}

/// Whether input virtual channel `i`, which holds nothing and is not empty, asks for something.
/// Adaptive packets ask anew in every cycle.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
bool PacketRouterCore<kWords, kSingleVc, kObserved>::asks(unsigned i) const {
    return path_choice_ == PathChoice::kAdaptive || port_[claims_[i].port].requests.test(i);
}

/// The most credits that any head here waits for, if packets are forwarded as a whole. The head
/// that is next for an output waits for as many as it needs itself, and the others wait for it.
template <std::size_t kWords, bool kSingleVc, bool kObserved>
std::uint64_t PacketRouterCore<kWords, kSingleVc, kObserved>::wanted_room() const {
    std::uint64_t room = 1;
    if (whole_packets_ == nullptr) return room;
    for (unsigned i = 0; i < ports_ << stride_log2_; ++i) {
        const FlitReader& from = inputs_[i].from;
        if (!from.attached() || from.visible_from() == kNever) continue;
        if (!holding_.test(i) && asks(i)) room = std::max(room, length_of(from.front().word));
    }
    return room;
}

}  // namespace flitscope::hw
