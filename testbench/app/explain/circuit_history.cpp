// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/circuit_history.h"

#include <algorithm>

#include "models/config/hardware_config.h"
#include "models/topology/graph.h"

namespace flitscope {

CircuitHistory::CircuitHistory(const HardwareConfig& config, const Graph& graph, EventGraph& events,
                               NodeHistory& nodes, MessageTimes* times)
    : events_(events),
      nodes_(nodes),
      times_(times),
      channels_(graph),
      send_overhead_(config.node.send_overhead),
      setup_delay_(config.fabric.setup_delay),
      ended_(channels_.count()),
      senders_(graph.node_count()) {
    events.add_holder(*this);
}

void CircuitHistory::mark_events(EventGraph& graph) const {
    for (const Ended& ended : ended_) graph.mark(ended.because);
    for (const Sender& sender : senders_) {
        graph.mark(sender.last.because);
        graph.mark(sender.started);
    }
    for (const auto& [message, circuit] : circuits_) graph.mark(circuit.at);
}

void CircuitHistory::on_grant(ChannelId channel, std::uint32_t, const Message& message,
                              Cycle cycle) {
    events_.prune();
    Circuit& circuit = circuit_of(message);
    if (channels_.is_injection(channel)) {
        start(channel, message, circuit, cycle);
    } else {
        reserve(channel, message, circuit, cycle);
    }
}

/// The circuit of a message; a new one's header is in the router of its node.
CircuitHistory::Circuit& CircuitHistory::circuit_of(const Message& message) {
    const auto [place, is_new] = circuits_.try_emplace(message.id);
    Circuit& circuit = place->second;
    if (!is_new) return circuit;
    const NodeHistory::Begin begin = nodes_.take_begin(message);
    circuit.begin = begin.cycle;
    const Sender& sender = senders_[message.source];
    Event event;
    event.message = message.id;
    event.before = event.since = begin.cycle;
    event.cycle = begin.cycle + send_overhead_;
    event.cause = Cause::kStartup;
    circuit.at = send_overhead_ == 0 ? begin.because : events_.add(event, begin.because);
    circuit.arrived = event.cycle;
    const Cycle gap = std::max<Cycle>(send_overhead_, 1);
    if (sender.started_in == kNever || sender.started_in + gap <= circuit.arrived) return circuit;
    // One set-up at a time: it waited for the start of the message before, and for its own startup.
    event.cycle = event.before = sender.started_in;
    event.since = std::min(begin.cycle, event.before);
    event.holder = sender.message;
    event.cause = Cause::kSourceQueue;
    circuit.at = events_.add(event, sender.started);
    event.before = event.since = sender.started_in;
    event.cycle = circuit.arrived = sender.started_in + gap;
    if (send_overhead_ != 0) {
        event.holder = kNoMessage;
        event.cause = Cause::kStartup;
    }
    circuit.at = events_.add(event, circuit.at);
    return circuit;
}

/// The header of a circuit, which is in a router, is given `channel`.
void CircuitHistory::reserve(ChannelId channel, const Message& message, Circuit& circuit,
                             Cycle now) {
    const Ended& last = ended_[channel];
    if (times_ != nullptr && last.message != kNoMessage) {
        times_->on_next(last.message, message.id, last.free_from, circuit.arrived,
                        last.source == message.source);
    }
    Event event;
    event.cycle = now;
    event.message = message.id;
    if (circuit.arrived != now) {
        event.channel = channel;
        event.since = circuit.arrived;
        event.before = last.free_from == now ? now : circuit.arrived;
        event.holder = last.free_from == now ? last.message : kNoMessage;
        event.cause = last.free_from == now ? Cause::kVcBusy : Cause::kRouteChoice;
        circuit.at = events_.add(event, last.free_from == now ? last.because : circuit.at);
    }
    circuit.path.push_back(channel);
    circuit.arrived = now;
    if (channels_.is_ejection(channel)) return;  // the path is complete
    event = {};
    event.message = message.id;
    event.before = event.since = now;
    event.cycle = circuit.arrived = now + setup_delay_;
    event.channel = channel;
    event.cause = Cause::kSetUp;
    circuit.at = events_.add(event, circuit.at);
}

/// The first element of a circuit goes.
void CircuitHistory::start(ChannelId channel, const Message& message, Circuit& circuit, Cycle now) {
    Sender& sender = senders_[message.source];
    if (times_ != nullptr && sender.message != kNoMessage) {
        times_->on_next(sender.message, message.id, sender.last.free_from, circuit.begin, true);
    }
    Event event;
    event.cycle = now;
    event.message = message.id;
    event.channel = event.sends = channel;
    event.since = circuit.arrived;
    event.before = now;
    if (circuit.arrived == now) {
        circuit.at = events_.add(event, circuit.at);
    } else {
        event.holder = sender.last.message;
        event.cause = Cause::kSourceQueue;
        circuit.at = events_.add(event, sender.last.because);
    }
    circuit.path.push_back(channel);
    circuit.arrived = now;
    sender.started = circuit.at;
    sender.started_in = now;
    sender.message = message.id;
}

void CircuitHistory::on_packet(const PacketRecord& packet) {
    const auto found = circuits_.find(packet.message.id);
    const Circuit& circuit = found->second;
    nodes_.injected(packet.message, circuit.path.back(), circuit.at, packet.tail_injected);
    const auto ejection = std::find_if(circuit.path.begin(), circuit.path.end(),
                                       [&](ChannelId id) { return channels_.is_ejection(id); });
    const Ended end{packet.tail_delivered + 1, packet.message.id, packet.message.source,
                    nodes_.delivered(packet.message.id, *ejection, circuit.at, packet.tail_injected,
                                     packet.tail_delivered)};
    for (const ChannelId id : circuit.path) ended_[id] = end;
    senders_[packet.message.source].last = end;
    circuits_.erase(found);
}

}  // namespace flitscope
