// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/departures.h"

#include <algorithm>

#include "models/performance/zero_load_paths.h"

namespace flitscope {

Departures::Departures(const HardwareConfig& config, const Graph& graph)
    : channels_(graph),
      format_(config.packet_format()),
      node_(config.node),
      has_queue_per_channel_(config.node.port_model == PortModel::kIndependent),
      departures_(channels_.count()),
      queues_(has_queue_per_channel_ ? channels_.count() : graph.node_count()) {}

void Departures::begin(ChannelId injection, const Message& message, Cycle begin) {
    Departure& next = departures_[injection];
    const Cycle done = queue(injection).done;
    next.packet = 0;
    next.packets = format_.packets(message.bytes);
    next.assembled = 0;
    next.begin = begin;
    next.turn = node_.serialize_overhead ? std::max(begin, done) : begin;
    next.started = next.turn + node_.send_overhead;
    const bool assembles_in_turn = node_.assembles() && !node_.serialize_overhead;
    next.assembly = assembles_in_turn ? std::max(next.started, done) : next.started;
}

void Departures::take_up(ChannelId injection, const Message& message) {
    Departure& departure = departures_[injection];
    departure.ready = departure.assembly;
    if (!node_.assembles()) return;
    departure.assembled += flits(injection, message);
    departure.ready += assembly_cycles(departure.assembled, node_.injection_bandwidth);
}

void Departures::leave(ChannelId injection, MessageId message, Cycle cycle) {
    Departure& departure = departures_[injection];
    DepartureQueue& queue = queues_[queue_number(injection)];
    queue.packet_gone = cycle;
    queue.message = message;
    if (++departure.packet < departure.packets) return;
    queue.message_gone = cycle;
    queue.done = node_.assembles() ? departure.ready : cycle;
}

}  // namespace flitscope
