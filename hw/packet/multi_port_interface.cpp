// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/multi_port_interface.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/base/powers_of_two.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

namespace flitscope::hw {

MultiPortInterface::MultiPortInterface(sc_core::sc_module_name name,
                                       const NetworkInterfaceConfig& config, PortModel model,
                                       const Graph& graph, const Routing& routing,
                                       WakeupWheel& clock, PacketPool& packets,
                                       const InterfaceObservers& observers)
    : PacketInterface(name, config, clock, packets, observers),
      injections("injection", out_ports(graph, graph.router_of(config.node))),
      model_(model),
      graph_(graph),
      routing_(routing),
      router_(graph.router_of(config.node)),
      endpoints_(graph.port_count()),
      queues_(model == PortModel::kIndependent ? graph.port_count() : 1,
              Queue{Packetizer(config.format, config.send_overhead, config.injection_bandwidth,
                               config.serialize_overhead),
                    {}}) {
    stride_log2_ =
        floor_log2(static_cast<std::uint32_t>(next_power_of_two(config.virtual_channels)));
    arrivals_.resize(std::size_t{graph.port_count()} << stride_log2_);
    followers_.resize(arrivals_.size(), nullptr);
}

MultiPortInterface::~MultiPortInterface() = default;

std::vector<bool> MultiPortInterface::out_ports(const Graph& graph, RouterId router) {
    std::vector<bool> exists(graph.port_count(), false);
    for (PortId port = graph.local_ports(); port < graph.port_count(); ++port) {
        exists[port] = graph.out_link(router, port) != kNoLink;
    }
    return exists;
}

void MultiPortInterface::end_of_elaboration() {
    const ChannelMap map = ChannelMap::of_one_plane(graph_);
    for (PortId port = graph_.local_ports(); port < endpoints_.size(); ++port) {
        if (!injections.has(port)) continue;
        endpoints_[port].injection.attach(*injections[port].operator->(), config_.virtual_channels,
                                          observers_.channels,
                                          map.injection_of(graph_.out_link(router_, port)));
    }
}

PortId MultiPortInterface::port_of(const Message& message, const SendOptions& options) const {
    const PortId port = options.port != kLocalPort
                            ? options.port
                            : routing_.route(router_, message.destination).port;
    if (port == kLocalPort || port >= endpoints_.size() || !injections.has(port)) {
        throw std::invalid_argument("MultiPortInterface: a port without a link");
    }
    return port;
}

void MultiPortInterface::send(const Message& message, Cycle begin, const SendOptions& options) {
    Member member;
    member.message = message;
    member.port = port_of(message, options);
    require_room(message, *injections[member.port].operator->());
    Queue& queue = queues_[model_ == PortModel::kIndependent ? member.port : 0];
    if (options.is_copy && model_ == PortModel::kSameValue) {
        add_copy(queue, std::move(member));
        return;
    }
    queue.groups.emplace_back();
    queue.groups.back().members.push_back(std::move(member));
    queue.groups.back().follows = options.follows;
    for (const MessageId id : options.follows) follow(id);
    queue.messages.add(message, begin);
    wake_for(queue.messages);
}

void MultiPortInterface::withdraw(MessageClass, std::uint8_t) {
    throw std::logic_error("this port model takes none back");
}

void MultiPortInterface::add_copy(Queue& queue, Member copy) {
    const bool is_first = queue.groups.size() == 1;
    const bool has_begun = queue.position != 0 || queue.messages.packet_index() != 0;
    if (queue.groups.empty() || (is_first && has_begun)) {
        throw std::invalid_argument("MultiPortInterface: a copy of nothing, or too late");
    }
    std::vector<Member>& members = queue.groups.back().members;
    for (const Member& other : members) {
        if (other.port == copy.port || other.message.bytes != copy.message.bytes) {
            throw std::invalid_argument("MultiPortInterface: no copy, or over the same channel");
        }
    }
    members.push_back(std::move(copy));
}

/// Counts the flits of message `id` from now on; it may be arriving already.
void MultiPortInterface::follow(MessageId id) {
    const auto [place, is_new] = followed_.try_emplace(id);
    Followed& followed = place->second;
    ++followed.groups;
    if (!is_new) return;
    for (std::size_t a = 0; a < arrivals_.size(); ++a) {
        if (arrivals_[a].position() == 0) continue;
        const std::uint32_t packet = packets_.find(arrivals_[a].header());
        if (packet == PacketPool::kNone || packets_[packet].record.message.id != id) continue;
        followers_[a] = &followed;
        followed.flits = arrivals_[a].position();
        followed.last = arrivals_[a].last();
    }
}

void MultiPortInterface::unfollow(MessageId id) {
    const auto followed = followed_.find(id);
    if (--followed->second.groups != 0) return;
    std::replace(followers_.begin(), followers_.end(), &followed->second,
                 static_cast<Followed*>(nullptr));
    followed_.erase(followed);
}

/// Whether flit `position` of each message that the group follows was ejected before `now`.
bool MultiPortInterface::has_arrived(const Group& group, std::uint64_t position, Cycle now) const {
    return std::all_of(group.follows.begin(), group.follows.end(), [&](MessageId id) {
        const Followed& followed = followed_.at(id);
        const bool in_this_cycle = followed.flits != 0 && followed.last == now;
        return followed.flits - (in_this_cycle ? 1 : 0) > position;
    });
}

Cycle MultiPortInterface::tick(Cycle now) {
    Cycle next = kNever;
    for (Queue& queue : queues_) advance(queue, now, next);
    for (Endpoint& endpoint : endpoints_) endpoint.injection.report_stop(now, next);
    return next;
}

/// Sends the flit of `queue` whose turn it is, over all channels of its group, or notes when to
/// look again.
void MultiPortInterface::advance(Queue& queue, Cycle now, Cycle& next) {
    if (queue.messages.empty()) return;
    const bool at_head = queue.position == 0;
    if (at_head && queue.messages.head_ready() > now) {
        next = std::min(next, queue.messages.head_ready());
        return;
    }
    if (!has_arrived(queue.groups.front(), queue.position, now)) return;  // eject() wakes us
    if (!has_channels(queue, now, next)) return;
    if (at_head) start_packets(queue, now);
    send_flits(queue, now);
    next = std::min(next, now + 1);
}

/// Whether every channel of the group at hand has a credit; for a head, as many as the packet needs
/// on a virtual channel that is then the packet's.
bool MultiPortInterface::has_channels(Queue& queue, Cycle now, Cycle& next) {
    for (const Member& member : queue.groups.front().members) {
        InjectionChannel& channel = endpoints_[member.port].injection;
        const bool found = queue.position == 0 ? channel.choose(flits_to_begin(queue.messages), now,
                                                                sleeper(), next)
                                               : channel.can_send(now, sleeper(), next);
        if (!found) return false;
    }
    return true;
}

void MultiPortInterface::start_packets(Queue& queue, Cycle now) {
    queue.length = queue.messages.flits();
    for (Member& member : queue.groups.front().members) {
        if (queue.messages.packet_index() == 0) {
            member.message_state = packets_.add_message(queue.messages.packet_count());
        }
        member.departure = depart(queue.messages, member.message, member.message_state, now);
        endpoints_[member.port].injection.begin_packet(member.message, now);
    }
}

void MultiPortInterface::send_flits(Queue& queue, Cycle now) {
    for (const Member& member : queue.groups.front().members) {
        const Flit flit = member.departure.flit(queue.position, queue.length);
        endpoints_[member.port].injection.send(flit, now, clock_);
        if (flit.tail) packets_[member.departure.packet].record.tail_injected = now;
    }
    if (++queue.position == queue.length) finish_packets(queue, now);
}

/// The tails have gone: the next packets of the messages, or the next group.
void MultiPortInterface::finish_packets(Queue& queue, Cycle now) {
    queue.position = 0;
    if (!queue.messages.advance(now)) return;
    const Group group = std::move(queue.groups.front());
    queue.groups.pop_front();
    for (const MessageId id : group.follows) unfollow(id);
    for (const Member& member : group.members) tell_injected(member.message, now);
}

void MultiPortInterface::eject(const Flit& flit, std::uint32_t vc, Cycle now) {
    Arrival& arrival = arrivals_[vc];
    ++endpoints_[(vc >> stride_log2_) + 1].flits_ejected;
    arrival.take(flit, config_.node, now);
    if (flit.head && !followed_.empty()) {
        const auto followed = followed_.find(packets_.message_of(flit.word).id);
        followers_[vc] = followed == followed_.end() ? nullptr : &followed->second;
    }
    if (followers_[vc] != nullptr) {
        followers_[vc]->flits = arrival.position();
        followers_[vc]->last = now;
        clock_.wake(module_, now + 1);
    }
    if (!flit.tail) return;
    followers_[vc] = nullptr;
    finish_arrival(arrival, now);
}

std::size_t MultiPortInterface::pending() const {
    std::size_t messages = 0;
    for (const Queue& queue : queues_) {
        for (const Group& group : queue.groups) messages += group.members.size();
    }
    return messages;
}

}  // namespace flitscope::hw
