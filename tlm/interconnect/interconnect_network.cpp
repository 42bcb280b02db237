// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/interconnect_network.h"

#include <algorithm>
#include <set>
#include <utility>

#include "models/config/config.h"

namespace flitscope {

InterconnectNetwork::InterconnectNetwork(sc_core::sc_module_name name,
                                         const InterconnectNetworkConfig& config, Fabric& fabric)
    : sc_module(name),
      period_(config.clock_ns, sc_core::SC_NS),
      recv_overhead_(config.recv_overhead),
      unloaded_(config.unloaded),
      fabric_(fabric) {
    for (const NodeId node : std::set<NodeId>(config.nodes.begin(), config.nodes.end())) {
        fabric_.attach(node, listener_);
    }
    SC_METHOD(run_events);
    sensitive << due_;
    dont_initialize();
}

SentMessage InterconnectNetwork::send(const AccessMessage& message, const SendRank& rank,
                                      Action arrived) {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    SentMessage sent;
    sent.begin = send_begin(now);
    if (is_annotated()) {
        // In order, as messages of one pair of nodes are over one path.
        sc_core::sc_time& last = last_arrival_[std::uint64_t{message.from} << 32 | message.to];
        last = std::max(last, arrival(message, sent.begin));
        at(last, std::move(arrived));
        return sent;
    }
    sent.id = next_id();
    if (outbox_.empty()) {
        // Just before the cycle begins, when all sends that can begin in it have been handed over:
        // sends of one time must not depend on the order of their processes.
        const sc_core::sc_time last_moment = sent.begin - sc_core::sc_get_time_resolution();
        at(std::max(last_moment, now), [this] { hand_over(); });
    }
    const MessageRole role =
        message.access.is_response ? MessageRole::kReply : MessageRole::kRequest;
    outbox_.push_back(
        {{sent.id, message.from, message.to, 0, message.bytes, message.message_class, role},
         sent.begin.value() / period_.value(),
         rank});
    under_way_.emplace(sent.id, UnderWay{message.access, std::move(arrived)});
    return sent;
}

sc_core::sc_time InterconnectNetwork::arrival(const AccessMessage& message,
                                              const sc_core::sc_time& begin) const {
    const Cycle delivered = unloaded_->of(message.from, message.to, message.bytes);
    return begin + start_of(delivered + 1 + recv_overhead_);
}

const CarriedAccess* InterconnectNetwork::find(MessageId message) const {
    const auto found = under_way_.find(message);
    return found == under_way_.end() ? nullptr : &found->second.access;
}

void InterconnectNetwork::after(const sc_core::sc_time& delay, Action action) {
    at(sc_core::sc_time_stamp() + delay, std::move(action));
}

Cycle InterconnectNetwork::cycles(const sc_core::sc_time& from, const sc_core::sc_time& to) const {
    return ((to - from).value() + period_.value() - 1) / period_.value();
}

void InterconnectNetwork::at(const sc_core::sc_time& time, Action action) {
    events_.emplace(time, std::move(action));
    // The earliest notification of an event takes effect.
    due_.notify(time - sc_core::sc_time_stamp());
}

void InterconnectNetwork::run_events() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    while (!events_.empty() && events_.begin()->first <= now) {
        const Action action = std::move(events_.begin()->second);
        events_.erase(events_.begin());
        action();
    }
    if (!events_.empty()) due_.notify(events_.begin()->first - now);
}

void InterconnectNetwork::hand_over() {
    std::sort(outbox_.begin(), outbox_.end(),
              [](const Send& a, const Send& b) { return a.rank < b.rank; });
    for (const Send& send : outbox_) {
        fabric_.port(send.message.source).send(send.message, send.begin);
    }
    outbox_.clear();
}

/// Called in `cycle` or when it is over, as the engine likes.
void InterconnectNetwork::deliver(const Message& message, Cycle cycle) {
    at(start_of(cycle + 1 + recv_overhead_), [this, id = message.id] { react(id); });
}

void InterconnectNetwork::react(MessageId message) {
    const auto found = under_way_.find(message);
    const Action arrived = std::move(found->second.arrived);
    under_way_.erase(found);
    arrived();
}

/// Unique among the messages in flight, which suffices for a run of any length.
MessageId InterconnectNetwork::next_id() {
    do {
        ++last_id_;
    } while (last_id_ == kNoMessage || under_way_.count(last_id_) != 0);
    return last_id_;
}

}  // namespace flitscope
