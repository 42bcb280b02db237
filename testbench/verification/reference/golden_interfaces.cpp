// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_interfaces.h"

#include <algorithm>
#include <utility>

#include "models/config/config.h"
#include "models/fabric/loss_counts.h"

namespace flitscope {

GoldenInterfaces::GoldenInterfaces(const Config& config, const Graph& graph, const Routing& routing,
                                   const Program& program, GoldenPackets& packets,
                                   LossCounts& losses)
    : config_(config.node),
      classes_(config.fabric),
      graph_(graph),
      routing_(routing),
      program_(program),
      map_(ChannelMap::of_one_plane(graph)),
      packets_(packets),
      losses_(losses),
      interfaces_(graph.node_count()),
      assembly_from_(packets.first.size() - 1, kNever) {
    for (Interface& interface : interfaces_) interface.budgets = classes_.full_budgets();
}

/// Whether the node's memory is slower than an injection channel.
bool GoldenInterfaces::assembles() const {
    return config_.injection_bandwidth.numerator < config_.injection_bandwidth.denominator;
}

/// The earliest injection of the packet at the front of the queue, whose predecessors have all been
/// injected.
Cycle GoldenInterfaces::earliest_injection(const Queue& queue,
                                           const GoldenPacketState& packet) const {
    const bool awaits_tail = config_.serialize_overhead && !assembles() && packet.record.index == 0;
    if (!awaits_tail) return packet.earliest_injection;
    return std::max(packet.record.begin, queue.message_end) + config_.send_overhead;
}

/// The injection channel of a packet.
ChannelId GoldenInterfaces::channel_of(std::size_t packet) const {
    const GoldenPacketState& state = packets_.all[packet];
    if (config_.port_model == PortModel::kSingle) return map_.injection(state.source);
    PortId port = program_.transfers[state.record.message].port;
    const RouterId router(state.source);  // where links have their own channels
    if (port == 0) port = routing_.route(router, state.destination).port;
    return map_.injection_of(graph_.out_link(router, port));
}

void GoldenInterfaces::begin_send(MessageId message, Cycle now) {
    const std::size_t first = packets_.first[message];
    Interface& interface = interfaces_[packets_.all[first].source];
    const bool per_port = config_.port_model == PortModel::kIndependent;
    const LinkId link = per_port ? map_.link_of_endpoint(channel_of(first)) : kNoLink;
    Queue& queue = interface.queues[per_port ? graph_.link(link).from_port
                                             : packets_.all[first].message_class];
    const bool joins =
        config_.port_model == PortModel::kSameValue && program_.transfers[message].is_copy;
    const Rate rate = config_.injection_bandwidth;
    const Cycle startup = config_.send_overhead;

    const Cycle started = now + startup;
    const Cycle assembly_begin = config_.serialize_overhead
                                     ? std::max(now, queue.assembly_end) + startup
                                     : std::max(started, queue.assembly_end);
    const std::size_t end = packets_.first[message + 1];
    assembly_from_[message] = assembly_begin;
    std::uint64_t flits = 0;
    for (std::size_t i = first; i < end; ++i) {
        GoldenPacketState& packet = packets_.all[i];
        packet.record.begin = now;
        packet.earliest_injection = started;
        if (joins) {  // packet by packet with those of the message before it
            Together& others = queue.packets[queue.packets.size() - (end - i)];
            packet.earliest_injection = packets_.all[others.front()].earliest_injection;
            assembly_from_[message] = assembly_from_[packets_.all[others.front()].record.message];
            others.push_back(i);
            continue;
        }
        if (assembles()) {
            flits += packet.flits;
            const std::uint64_t scaled = flits * rate.denominator;
            packet.earliest_injection =
                assembly_begin + (scaled + rate.numerator - 1) / rate.numerator;
            queue.assembly_end = packet.earliest_injection;
        }
        queue.packets.push_back({i});
    }
}

/// Whether `flit` of every packet that this one streams was ejected in an earlier cycle.
bool GoldenInterfaces::has_arrived(std::size_t packet, std::uint64_t flit,
                                   const GoldenNetwork& network, Cycle now) const {
    const MessageId message = packets_.all[packet].record.message;
    if (message >= program_.transfers.size()) return true;  // a reply
    const Transfer& transfer = program_.transfers[message];
    if (!transfer.streams) return true;
    for (const MessageId before : transfer.after) {
        const std::vector<Cycle>& ejected = network.ejections(packets_.first[before]);
        if (ejected.size() <= flit || ejected[flit] >= now) return false;
    }
    return true;
}

/// The virtual channel on which a packet could send its next flit.
std::optional<std::uint32_t> GoldenInterfaces::choose(std::size_t packet, bool is_head,
                                                      const GoldenNetwork& network,
                                                      Cycle now) const {
    const ChannelId channel = channel_of(packet);
    const std::uint32_t of = packets_.all[packet].message_class;
    const auto known = injections_.find({channel, of});
    const Injection injection = known == injections_.end() ? Injection{} : known->second;
    if (!is_head) {
        if (!network.has_credit(channel, injection.vc, now)) return std::nullopt;
        return injection.vc;
    }
    const std::uint64_t flits =
        network.has_packet_flow_control() ? packets_.all[packet].flits : std::uint64_t{1};
    for (std::uint32_t k = 0; k < classes_.channels(); ++k) {
        const std::uint32_t vc =
            of * classes_.channels() + (injection.first_vc + k) % classes_.channels();
        if (network.has_credit(channel, vc, now, flits)) return vc;
    }
    return std::nullopt;
}

/// Chooses a queue of a preferred class among those that could send a flit.
void GoldenInterfaces::choose_class(Interface& interface) const {
    std::vector<std::uint32_t> competing;
    for (const auto& [of, queue] : interface.queues) {
        if (!queue.sends_on.empty()) competing.push_back(of);
    }
    std::optional<std::uint32_t> chosen;
    for (std::uint32_t k = 0; k < classes_.count() && !chosen; ++k) {
        const std::uint32_t of = (interface.pointer + k) % classes_.count();
        const bool competes = std::find(competing.begin(), competing.end(), of) != competing.end();
        if (competes && classes_.is_preferred(of, competing, interface.budgets)) chosen = of;
    }
    for (auto& [of, queue] : interface.queues) {
        if (of != chosen) queue.sends_on.clear();
    }
}

void GoldenInterfaces::find_dead(const FaultedNetwork& later) {
    later_ = &later;
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        for (const auto& entry : interfaces_[node].queues) {
            if (entry.second.flits_sent == 0) continue;
            GoldenPacketState& current = packets_.all[entry.second.packets.front().front()];
            if (is_dead(node) || is_dead(current.destination)) current.is_lost = true;
        }
    }
}

void GoldenInterfaces::cut_off() {
    for (Interface& interface : interfaces_) {
        for (auto& entry : interface.queues) {
            Queue& queue = entry.second;
            if (queue.flits_sent == 0) continue;
            queue.is_cut = packets_.all[queue.packets.front().front()].is_lost;
        }
    }
}

/// The packet to be sent again whose tail was injected first.
std::optional<std::size_t> GoldenInterfaces::overdue(const Interface& interface, Cycle now) const {
    std::optional<std::size_t> first;
    if (!config_.retransmit) return first;
    for (const std::size_t index : interface.sent) {
        const GoldenPacketState& packet = packets_.all[index];
        if (packet.last_tail + config_.retransmit->timeout > now) continue;
        if (packet.copies == config_.retransmit->tries || is_dead(packet.destination)) continue;
        if (packet.arrived_as && packets_.all[*packet.arrived_as].record.tail_delivered < now) {
            continue;  // it is acknowledged
        }
        if (!first || packet.last_tail < packets_.all[*first].last_tail) first = index;
    }
    return first;
}

/// Between two packets: which one comes next, and whether it can in this cycle.
void GoldenInterfaces::decide_next(const Interface& interface, Queue& queue,
                                   const GoldenNetwork& network, Cycle now) const {
    if (const std::optional<std::size_t> again = overdue(interface, now)) {
        const auto vc = choose(*again, true, network, now);
        if (!vc) return;
        queue.repeats = again;
        queue.sends_on = {*vc};
        return;
    }
    if (queue.packets.empty()) return;
    const std::size_t first = queue.packets.front().front();
    if (earliest_injection(queue, packets_.all[first]) > now) return;
    if (is_dead(packets_.all[first].destination)) {
        queue.discards = true;
        return;
    }
    if (!has_arrived(first, 0, network, now)) return;
    for (const std::size_t packet : queue.packets.front()) {
        const auto vc = choose(packet, true, network, now);
        if (!vc) {  // all of them, or none
            queue.sends_on.clear();
            return;
        }
        queue.sends_on.push_back(*vc);
    }
}

void GoldenInterfaces::decide(const GoldenNetwork& network, Cycle now) {
    for (NodeId node = 0; node < interfaces_.size(); ++node) {
        for (auto& entry : interfaces_[node].queues) {
            Queue& queue = entry.second;
            queue.sends_on.clear();
            queue.repeats.reset();
            queue.discards = false;
            if (queue.is_cut || is_dead(node)) continue;
            if (queue.flits_sent == 0) {
                decide_next(interfaces_[node], queue, network, now);
                continue;
            }
            const std::size_t first = queue.packets.front().front();
            if (!has_arrived(first, queue.flits_sent, network, now)) continue;
            for (const std::size_t packet : queue.packets.front()) {
                const auto vc = choose(packet, false, network, now);
                if (!vc) {  // all of them, or none
                    queue.sends_on.clear();
                    break;
                }
                queue.sends_on.push_back(*vc);
            }
        }
        if (classes_.count() > 1) choose_class(interfaces_[node]);
    }
}

/// The tail of the current packet has been injected, or counts as injected.
void GoldenInterfaces::end_packet(Interface& interface, Queue& queue, Cycle now) {
    for (const std::size_t index : queue.packets.front()) {
        GoldenPacketState& packet = packets_.all[index];
        packet.record.tail_injected = now;
        packets_.all[packet.copy_of].last_tail = now;
        if (packet.copy_of != index) continue;
        queue.message_end = now + 1;
        if (!packet.is_discarded) interface.sent.push_back(index);
    }
    queue.packets.pop_front();
    queue.flits_sent = 0;
}

void GoldenInterfaces::apply(GoldenNetwork& network, Cycle now) {
    for (Interface& interface : interfaces_) {
        for (auto& entry : interface.queues) {
            Queue& queue = entry.second;
            if (queue.is_cut) {
                queue.is_cut = false;
                end_packet(interface, queue, now);
                continue;
            }
            if (queue.discards) {
                packets_.all[queue.packets.front().front()].is_discarded = true;
                ++losses_.packets_discarded;
                end_packet(interface, queue, now);
                continue;
            }
            if (queue.repeats) {
                GoldenPacketState copy = packets_.all[*queue.repeats];
                ++packets_.all[*queue.repeats].copies;
                ++losses_.packets_repeated;
                copy.record.head_delivered = kNever;
                copy.record.tail_delivered = kNever;
                copy.is_lost = false;
                copy.arrived_as.reset();
                queue.packets.push_front({packets_.all.size()});
                packets_.all.push_back(copy);
            }
            if (queue.sends_on.empty()) continue;
            const Together together = queue.packets.front();
            const std::uint32_t of = packets_.all[together.front()].message_class;
            if (classes_.count() > 1) {
                classes_.count(of, interface.budgets);
                interface.pointer = (of + 1) % classes_.count();
            }
            bool tail = false;
            for (std::size_t k = 0; k < together.size(); ++k) {
                GoldenPacketState& packet = packets_.all[together[k]];
                GoldenFlit flit;
                flit.packet = together[k];
                flit.number = queue.flits_sent;
                flit.head = queue.flits_sent == 0;
                flit.tail = queue.flits_sent + 1 == packet.flits;
                tail = flit.tail;
                const ChannelId channel = channel_of(together[k]);
                network.send(channel, queue.sends_on[k], flit, now);
                const MessageId message = packet.record.message;
                const bool is_reply = message >= program_.transfers.size();
                if (tail && is_reply && together[k] + 1 == packets_.first[message + 1]) {
                    network.free_reply_slot(packet.source);
                }
                if (!flit.head) continue;
                packet.record.head_injected = now;
                packet.sequence = interface.departed++;
                Injection& injection = injections_[{channel, packet.message_class}];
                injection.vc = queue.sends_on[k];
                injection.first_vc = (injection.vc + 1) % classes_.channels();
            }
            ++queue.flits_sent;
            if (tail) end_packet(interface, queue, now);
        }
    }
}

}  // namespace flitscope
