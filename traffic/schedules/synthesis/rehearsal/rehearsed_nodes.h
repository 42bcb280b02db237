// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a rehearsal: when they begin their messages and packets, by their sends and receives
// so far.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/routing/routing.h"
#include "models/topology/channel_map.h"
#include "traffic/program/program.h"
#include "traffic/schedules/synthesis/rehearsal/event_queue.h"

namespace flitscope {
class Graph;
struct HardwareConfig;
}  // namespace flitscope

namespace flitscope::synthesis {

struct RehearsedPacket {
    MessageId message = 0;
    NodeId destination = 0;
    std::uint64_t flits = 0;
    bool is_last = false;  ///< of its message
};

class RehearsedNodes {
public:
    /// All references must outlive this object.
    RehearsedNodes(const HardwareConfig& config, const Graph& graph, const Routing& routing,
                   const Program& program, EventQueue& events);

    /// Everybody's first messages.
    void begin();
    /// kSend: now.
    void send(MessageId id) { send(id, events_.now()); }
    /// kPacket: the one that the injection channel gets now.
    RehearsedPacket packet_of(ChannelId injection) const;
    /// The tail of that packet has left.
    void leave(ChannelId injection, Cycle time, bool is_last);
    /// A packet of the message has been taken off the network.
    void arrive(MessageId id, Cycle time);

    bool have_all() const { return delivered_ == packets_left_.size(); }
    /// Up to and with the last delivery so far.
    Cycle end() const { return end_; }

private:
    /// Messages of a node that leave one after the other.
    struct Queue {
        struct Waiting {
            MessageId message = 0;
            Cycle begin = 0;
        };
        std::deque<Waiting> messages;  ///< the first one is being sent
        std::uint32_t packet = 0;      ///< index of the first one
        std::uint64_t flits = 0;       ///< flits of its packets up to and including that
        Cycle assembly = 0;            ///< start for the first one
        Cycle free = 0;                ///< the next startup, or assembly, begins no sooner
        bool is_busy = false;
    };
    struct Player {
        NodeStep step;
        Cycle ready = 0;
        std::uint32_t injected = 0;
        std::uint32_t received = 0;
    };

    void begin_by_the_clock();
    void enter(NodeId node, Cycle begin);
    void go_on(NodeId node);
    void go_on_after(MessageId id, Cycle ready);
    void injected(NodeId node, Cycle time);
    void delivered(MessageId id, Cycle time);

    void send(MessageId id, Cycle begin);
    void begin_message(ChannelId injection);
    void assemble(ChannelId injection);
    ChannelId injection_of(MessageId id) const;

    const HardwareConfig& config_;
    const Graph& graph_;
    const Routing& routing_;
    const Program& program_;
    EventQueue& events_;
    const PacketFormat format_;
    const ChannelMap map_;
    const NodePrograms nodes_;

    std::vector<Player> players_;
    std::vector<Queue> queues_;                // by injection channel
    std::vector<std::uint32_t> packets_left_;  // by message
    std::size_t delivered_ = 0;
    Cycle end_ = 0;
    // If messages begin by the clock: how many each waits for, and those that wait for it.
    std::vector<std::uint32_t> waits_for_;
    std::vector<std::vector<MessageId>> waited_by_;
    // Messages of later steps, and when they have been received, by node and step.
    std::map<std::pair<NodeId, StepId>, std::pair<std::uint32_t, Cycle>> early_;
};

}  // namespace flitscope::synthesis
