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
      classes_(config.fabric.class_count()),
      departures_(channels_.count() * classes_),
      queues_((has_queue_per_channel_ ? channels_.count() : graph.node_count()) * classes_) {}

void Departures::begin(ChannelId injection, const Message& message, Cycle begin) {
    Departure& next = at(injection, message);
    const Cycle done = queue(injection, message.message_class).done;
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
    Departure& departure = at(injection, message);
    departure.ready = departure.assembly;
    if (!node_.assembles()) return;
    departure.assembled += flits(injection, message);
    departure.ready += assembly_cycles(departure.assembled, node_.injection_bandwidth);
}

void Departures::leave(ChannelId injection, const Message& message, Cycle cycle) {
    Departure& departure = at(injection, message);
    DepartureQueue& queue = queues_[queue_number(injection, message.message_class)];
    queue.packet_gone = cycle;
    queue.message = message.id;
    if (++departure.packet < departure.packets) return;
    queue.message_gone = cycle;
    queue.done = node_.assembles() ? departure.ready : cycle;
}

}  // namespace flitscope
