// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs and network interfaces of the golden model. The order of a node's sends is derived here
// from Program::transfers, independently of traffic/'s NodePrograms.
#include "testbench/golden/golden_nodes.h"

#include <algorithm>

#include "models/fabric/message.h"

namespace flitscope {

GoldenPackets::GoldenPackets(const Config& config, const Program& program) {
    const PacketFormat format = config.packet_format();
    for (MessageId message = 0; message < program.transfers.size(); ++message) {
        const Transfer& transfer = program.transfers[message];
        first.push_back(all.size());
        for (std::uint32_t index = 0; index < format.packets(transfer.bytes); ++index) {
            GoldenPacketState packet;
            packet.record.message = message;
            packet.record.index = index;
            packet.source = transfer.source;
            packet.destination = transfer.destination;
            packet.flits = format.flits(transfer.bytes, index);
            all.push_back(packet);
        }
    }
    first.push_back(all.size());
}

GoldenProgram::GoldenProgram(const Config& config, const Program& program,
                             const GoldenPackets& packets)
    : program_(program), packets_(packets), recv_overhead_(config.node.recv_overhead) {
    nodes_.resize(program.nodes);
    for (MessageId message = 0; message < program.transfers.size(); ++message) {
        const Transfer& transfer = program.transfers[message];
        nodes_[transfer.source].sends.push_back(message);
        nodes_[transfer.source].parts[transfer.step].sends.push_back(message);
        nodes_[transfer.destination].parts[transfer.step].receives.push_back(message);
    }
    if (program.ordering != Ordering::kTimed) return;
    for (Node& node : nodes_) {
        std::stable_sort(node.sends.begin(), node.sends.end(),
                         [&program](MessageId a, MessageId b) {
                             return program.transfers[a].time < program.transfers[b].time;
                         });
    }
}

std::optional<Cycle> GoldenProgram::injected(MessageId message) const {
    const Cycle cycle = packets_.all[packets_.first[message + 1] - 1].record.tail_injected;
    if (cycle == kNever) return std::nullopt;
    return cycle;
}

std::optional<Cycle> GoldenProgram::delivered(MessageId message) const {
    // On several virtual channels a packet may overtake another: the message is there when all are.
    Cycle last = 0;
    for (std::size_t i = packets_.first[message]; i < packets_.first[message + 1]; ++i) {
        last = std::max(last, packets_.all[i].record.tail_delivered);
    }
    if (last == kNever) return std::nullopt;
    return last;
}

std::optional<Cycle> GoldenProgram::end_of_step(const Part& part, Cycle begin) const {
    Cycle end = begin;
    for (const MessageId message : part.sends) {
        const std::optional<Cycle> cycle = injected(message);
        if (!cycle) return std::nullopt;
        end = std::max(end, *cycle + 1);
    }
    for (const MessageId message : part.receives) {
        const std::optional<Cycle> cycle = delivered(message);
        if (!cycle) return std::nullopt;
        end = std::max(end, *cycle + recv_overhead_ + 1);
    }
    return end;
}

std::vector<MessageId> GoldenProgram::begin_sends(Cycle now) {
    std::vector<MessageId> begun;
    if (program_.ordering == Ordering::kSteps && program_.barrier_cycles) {
        step_with_barrier(now, begun);
        return begun;
    }
    for (Node& node : nodes_) {
        if (program_.ordering == Ordering::kSteps) {
            step_without_barrier(node, now, begun);
        } else {
            step_timed(node, now, begun);
        }
    }
    return begun;
}

void GoldenProgram::step_without_barrier(Node& node, Cycle now,
                                         std::vector<MessageId>& begun) const {
    // A loop, because a step that only awaits messages which are there already takes no time.
    while (true) {
        std::optional<Cycle> begin = 0;
        auto next = node.parts.begin();
        if (node.step) {
            begin = end_of_step(node.parts.at(*node.step), node.begin);
            next = node.parts.upper_bound(*node.step);
        }
        if (next == node.parts.end() || !begin || *begin > now) return;
        node.step = next->first;
        node.begin = *begin;
        begun.insert(begun.end(), next->second.sends.begin(), next->second.sends.end());
    }
}

void GoldenProgram::step_with_barrier(Cycle now, std::vector<MessageId>& begun) {
    Cycle begin = 0;
    std::optional<StepId> next;
    for (const Node& node : nodes_) {
        if (barrier_step_ && node.parts.count(*barrier_step_) != 0) {
            const std::optional<Cycle> end =
                end_of_step(node.parts.at(*barrier_step_), barrier_begin_);
            if (!end) return;
            begin = std::max(begin, *end + *program_.barrier_cycles);
        }
        const auto later =
            barrier_step_ ? node.parts.upper_bound(*barrier_step_) : node.parts.begin();
        if (later != node.parts.end() && (!next || later->first < *next)) next = later->first;
    }
    if (!next || begin > now) return;
    barrier_step_ = next;
    barrier_begin_ = begin;
    for (const Node& node : nodes_) {
        const auto part = node.parts.find(*next);
        if (part == node.parts.end()) continue;
        begun.insert(begun.end(), part->second.sends.begin(), part->second.sends.end());
    }
}

void GoldenProgram::step_timed(Node& node, Cycle now, std::vector<MessageId>& begun) const {
    while (node.next_send < node.sends.size()) {
        const MessageId message = node.sends[node.next_send];
        const Transfer& transfer = program_.transfers[message];
        Cycle begin = std::max(transfer.time, node.begin);
        for (const MessageId awaited : transfer.after) {
            const std::optional<Cycle> cycle = delivered(awaited);
            if (!cycle) return;
            begin = std::max(begin, *cycle + recv_overhead_ + 1);
        }
        if (begin > now) return;
        node.begin = begin;
        ++node.next_send;
        begun.push_back(message);
    }
}

GoldenInterfaces::GoldenInterfaces(const Config& config, const Graph& graph, GoldenPackets& packets)
    : config_(config.node), map_(graph), packets_(packets), interfaces_(graph.node_count()) {}

/// Whether the node's memory is slower than the injection channel.
bool GoldenInterfaces::assembles() const {
    return config_.injection_rate.numerator < config_.injection_rate.denominator;
}

/// For the packet at the front of the queue, whose predecessors have all been injected.
Cycle GoldenInterfaces::earliest_injection(const Interface& interface,
                                           const GoldenPacketState& packet) const {
    const bool awaits_tail = config_.serial_startup && !assembles() && packet.record.index == 0;
    if (!awaits_tail) return packet.earliest_injection;
    return std::max(packet.record.begin, interface.message_end) + config_.send_startup;
}

void GoldenInterfaces::begin_send(MessageId message, Cycle now) {
    const std::size_t first = packets_.first[message];
    Interface& interface = interfaces_[packets_.all[first].source];
    const Rate rate = config_.injection_rate;
    const Cycle startup = config_.send_startup;

    const Cycle started = now + startup;
    const Cycle assembly_begin = config_.serial_startup
                                     ? std::max(now, interface.assembly_end) + startup
                                     : std::max(started, interface.assembly_end);
    std::uint64_t flits = 0;
    for (std::size_t i = first; i < packets_.first[message + 1]; ++i) {
        GoldenPacketState& packet = packets_.all[i];
        packet.record.begin = now;
        packet.sequence = interface.queued++;
        packet.earliest_injection = started;
        if (assembles()) {
            flits += packet.flits;
            const std::uint64_t scaled = flits * rate.denominator;
            packet.earliest_injection =
                assembly_begin + (scaled + rate.numerator - 1) / rate.numerator;
            interface.assembly_end = packet.earliest_injection;
        }
        interface.queue.push_back(i);
    }
}

void GoldenInterfaces::decide(const GoldenNetwork& network, Cycle now) {
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        Interface& interface = interfaces_[node];
        const ChannelId channel = map_.injection(node);
        interface.sends_on.reset();
        if (interface.queue.empty()) continue;
        if (interface.flits_sent > 0) {
            if (network.has_credit(channel, interface.vc, now)) interface.sends_on = interface.vc;
            continue;
        }
        const GoldenPacketState& packet = packets_.all[interface.queue.front()];
        if (earliest_injection(interface, packet) > now) continue;
        const std::uint64_t flits = network.sends_whole_packets() ? packet.flits : 1;
        for (std::uint32_t k = 0; k < network.virtual_channels(); ++k) {
            const std::uint32_t vc = (interface.first_vc + k) % network.virtual_channels();
            if (!network.has_credit(channel, vc, now, flits)) continue;
            interface.sends_on = vc;
            break;
        }
    }
}

void GoldenInterfaces::apply(GoldenNetwork& network, Cycle now) {
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        Interface& interface = interfaces_[node];
        if (!interface.sends_on) continue;
        GoldenPacketState& packet = packets_.all[interface.queue.front()];
        GoldenFlit flit;
        flit.packet = interface.queue.front();
        flit.head = interface.flits_sent == 0;
        flit.tail = interface.flits_sent + 1 == packet.flits;
        network.send(map_.injection(node), *interface.sends_on, flit, now);
        ++interface.flits_sent;
        if (flit.head) {
            packet.record.head_injected = now;
            interface.vc = *interface.sends_on;
            interface.first_vc = (interface.vc + 1) % network.virtual_channels();
        }
        if (flit.tail) {
            packet.record.tail_injected = now;
            interface.message_end = now + 1;
            interface.queue.pop_front();
            interface.flits_sent = 0;
        }
    }
}

}  // namespace flitscope
