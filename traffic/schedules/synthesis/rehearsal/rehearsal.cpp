// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/rehearsal/rehearsal.h"

#include "traffic/schedules/synthesis/rehearsal/event_queue.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsed_channels.h"
#include "traffic/schedules/synthesis/rehearsal/rehearsed_nodes.h"

namespace flitscope::synthesis {
namespace {

void handle(const Event& event, RehearsedNodes& nodes, RehearsedChannels& channels) {
    switch (event.kind) {
        case Event::Kind::kRelease:
            channels.release(event.of, event.lane);
            return;
        case Event::Kind::kArrival:
            channels.arrive(event.of);
            return;
        case Event::Kind::kPacket:
            channels.add(nodes.packet_of(event.of), event.of);
            return;
        case Event::Kind::kWire:
            channels.touch(event.of);
            return;
        case Event::Kind::kSend:
            nodes.send(event.of);
            return;
    }
}

}  // namespace

Rehearsal::Rehearsal(const HardwareConfig& config, const Graph& graph, const Routing& routing)
    : config_(config), graph_(graph), routing_(routing) {}

std::optional<Cycle> Rehearsal::cycles_of(const Program& program, Cycle latest) {
    EventQueue events;
    RehearsedNodes nodes(config_, graph_, routing_, program, events);
    RehearsedChannels channels(config_, graph_, routing_, nodes, events);
    nodes.begin();
    while (!events.is_empty()) {
        const Cycle now = events.next();
        if (now > latest || work_ > most_work_) return std::nullopt;
        while (!events.is_empty() && events.next() == now) handle(events.take(), nodes, channels);
        work_ += channels.settle();
    }
    if (!nodes.have_all()) return std::nullopt;
    return nodes.end();
}

}  // namespace flitscope::synthesis
