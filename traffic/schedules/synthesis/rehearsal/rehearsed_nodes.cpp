// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/rehearsal/rehearsed_nodes.h"

#include <algorithm>

#include "models/config/hardware_config.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {

RehearsedNodes::RehearsedNodes(const HardwareConfig& config, const Graph& graph,
                               const Routing& routing, const Program& program, EventQueue& events)
    : config_(config),
      graph_(graph),
      routing_(routing),
      program_(program),
      events_(events),
      format_(config.packet_format()),
      map_(graph),
      nodes_(program) {
    players_.resize(std::max(graph.node_count(), program.nodes));
    queues_.resize(map_.count());
    packets_left_.resize(program.transfers.size());
    for (std::size_t id = 0; id < packets_left_.size(); ++id) {
        packets_left_[id] = format_.packets(program.transfers[id].bytes);
    }
}

// Steps, or the clock.

void RehearsedNodes::begin() {
    if (!program_.has_steps()) {
        begin_by_the_clock();
        return;
    }
    for (NodeId node = 0; node < program_.nodes; ++node) {
        players_[node].step = nodes_.first(node);
        if (!players_[node].step.is_end()) enter(node, 0);
        go_on(node);
    }
}

/// Messages that wait for nothing but their time.
void RehearsedNodes::begin_by_the_clock() {
    waits_for_.resize(packets_left_.size());
    waited_by_.resize(packets_left_.size());
    for (MessageId id = 0; id < packets_left_.size(); ++id) {
        const Transfer transfer = program_.transfers[id];
        waits_for_[id] = static_cast<std::uint32_t>(transfer.after.size());
        for (const MessageId before : transfer.after) waited_by_[before].push_back(id);
        if (transfer.after.empty()) events_.push(transfer.time, Event::Kind::kSend, id);
    }
}

/// The node's current step begins.
void RehearsedNodes::enter(NodeId node, Cycle begin) {
    Player& player = players_[node];
    player.ready = begin;
    player.injected = 0;
    player.received = 0;
    const auto early = early_.find({node, player.step.step});
    if (early != early_.end()) {
        player.received = early->second.first;
        player.ready = std::max(player.ready, early->second.second);
        early_.erase(early);
    }
    for (std::uint32_t s = 0; s < player.step.send_count; ++s) {
        send(nodes_.sends[player.step.first_send + s], begin);
    }
}

void RehearsedNodes::go_on(NodeId node) {
    Player& player = players_[node];
    while (!player.step.is_end() && player.injected == player.step.send_count &&
           player.received == player.step.receive_count) {
        player.step = nodes_.next(node, player.step);
        if (!player.step.is_end()) enter(node, player.ready);
    }
}

void RehearsedNodes::go_on_after(MessageId id, Cycle ready) {
    for (const MessageId next : waited_by_[id]) {
        if (--waits_for_[next] != 0) continue;
        events_.push(std::max(ready, program_.transfers[next].time), Event::Kind::kSend, next);
    }
}

void RehearsedNodes::injected(NodeId node, Cycle time) {
    if (!program_.has_steps()) return;
    ++players_[node].injected;
    players_[node].ready = std::max(players_[node].ready, time + 1);
    go_on(node);
}

void RehearsedNodes::arrive(MessageId id, Cycle time) {
    if (--packets_left_[id] == 0) delivered(id, time);
}

void RehearsedNodes::delivered(MessageId id, Cycle time) {
    ++delivered_;
    end_ = std::max(end_, time + 1);
    const Cycle ready = time + config_.node.recv_overhead + 1;
    if (!program_.has_steps()) {
        go_on_after(id, ready);
        return;
    }
    const TransferPlace place = program_.transfers.place(id);
    Player& player = players_[place.destination];
    if (player.step.is_end() || player.step.step != place.step) {
        auto& early = early_[{place.destination, place.step}];
        ++early.first;
        early.second = std::max(early.second, ready);
        return;
    }
    ++player.received;
    player.ready = std::max(player.ready, ready);
    go_on(place.destination);
}

// Messages and their packets.

ChannelId RehearsedNodes::injection_of(MessageId id) const {
    const TransferPlace place = program_.transfers.place(id);
    if (!graph_.has_per_link_endpoints()) return map_.injection(place.source);
    const RouterId at = graph_.router_of(place.source);
    const PortId given = program_.transfers[id].port;
    const PortId port = given != kLocalPort ? given : routing_.route(at, place.destination).port;
    return map_.injection_of(graph_.out_link(at, port));
}

void RehearsedNodes::send(MessageId id, Cycle begin) {
    const ChannelId injection = injection_of(id);
    queues_[injection].messages.push_back({id, begin});
    if (!queues_[injection].is_busy) begin_message(injection);
}

/// Startup and assembly of the first message of a queue.
void RehearsedNodes::begin_message(ChannelId injection) {
    Queue& queue = queues_[injection];
    queue.is_busy = true;
    queue.packet = 0;
    queue.flits = 0;
    const Cycle begin = queue.messages.front().begin;
    const Cycle startup = config_.node.send_overhead;
    queue.assembly = config_.node.serialize_overhead ? std::max(begin, queue.free) + startup
                                                     : std::max(begin + startup, queue.free);
    assemble(injection);
}

void RehearsedNodes::assemble(ChannelId injection) {
    Queue& queue = queues_[injection];
    const std::uint64_t bytes = program_.transfers[queue.messages.front().message].bytes;
    queue.flits += format_.flits(bytes, queue.packet);
    Cycle ready = queue.assembly;
    if (config_.node.injection_bandwidth.is_slow()) {
        ready += assembly_cycles(queue.flits, config_.node.injection_bandwidth);
        queue.free = ready;
    }
    // If it has been assembled in the meantime the head follows the tail before it.
    events_.push(std::max(ready, events_.now()), Event::Kind::kPacket, injection);
}

RehearsedPacket RehearsedNodes::packet_of(ChannelId injection) const {
    const Queue& queue = queues_[injection];
    const MessageId id = queue.messages.front().message;
    const std::uint64_t bytes = program_.transfers[id].bytes;
    return {id, program_.transfers.place(id).destination, format_.flits(bytes, queue.packet),
            queue.packet + 1 == format_.packets(bytes)};
}

void RehearsedNodes::leave(ChannelId injection, Cycle time, bool is_last) {
    Queue& queue = queues_[injection];
    if (!is_last) {
        ++queue.packet;
        assemble(injection);
        return;
    }
    const MessageId id = queue.messages.front().message;
    queue.messages.pop_front();
    queue.is_busy = false;
    if (!config_.node.injection_bandwidth.is_slow()) queue.free = time + 1;
    if (!queue.messages.empty()) begin_message(injection);
    injected(program_.transfers.place(id).source, time);
}

}  // namespace flitscope::synthesis
