// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How messages leave their nodes (hw/TIMING.md, "Startup" and "Assembly"): the steps of their
// interfaces, and the end of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/fabric/message.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

namespace flitscope {

/// The message that goes over an injection channel.
struct Departure {
    std::uint32_t packet = 0;     ///< at hand
    std::uint32_t packets = 0;    ///< packets of the message
    std::uint64_t assembled = 0;  ///< flits, with the packet at hand
    Cycle begin = 0;              ///< begin of its send,
    Cycle turn = 0;               ///< begin of its startup,
    Cycle started = 0;            ///< the startup is over,
    Cycle assembly = 0;           ///< its assembly begins,
    Cycle ready = 0;              ///< and the head of the packet at hand may go

    /// All of its packets are gone: the next one is of another message.
    bool is_over() const { return packet == packets; }
};

/// Messages that an interface sends one after the other: those of a class, if there are classes.
struct DepartureQueue {
    Cycle done = 0;                  ///< startup and assembly are free of the message before,
    Cycle message_gone = 0;          ///< its tail has been injected,
    Cycle packet_gone = 0;           ///< and that of the packet before
    MessageId message = kNoMessage;  ///< of that packet
};

/// For all nodes.
class Departures {
public:
    Departures(const HardwareConfig& config, const Graph& graph);

    /// The message before is over, and `message` is next, whose send began in `begin`.
    void begin(ChannelId injection, const Message& message, Cycle begin);
    /// Call with each packet of `message` that an injection channel is given.
    void take_up(ChannelId injection, const Message& message);
    /// The packet of `message` that is at hand has been injected before `cycle`.
    void leave(ChannelId injection, const Message& message, Cycle cycle);

    /// What a class of messages has at an injection channel.
    const Departure& departure(ChannelId injection, MessageClass of = 0) const {
        return departures_[std::size_t{injection} * classes_ + of];
    }
    const DepartureQueue& queue(ChannelId injection, MessageClass of = 0) const {
        return queues_[queue_number(injection, of)];
    }
    /// Queues are those of channels, or of nodes, and of a class.
    std::size_t queue_number(ChannelId injection, MessageClass of = 0) const {
        const std::size_t place = has_queue_per_channel_ ? injection : channels_.node(injection);
        return place * classes_ + of;
    }
    std::size_t queue_count() const { return queues_.size(); }
    /// Flits of the packet of `message` that is at hand.
    std::uint64_t flits(ChannelId injection, const Message& message) const {
        return format_.flits(message.bytes, departure(injection, message.message_class).packet);
    }

private:
    Departure& at(ChannelId injection, const Message& message) {
        return departures_[std::size_t{injection} * classes_ + message.message_class];
    }

    ChannelMap channels_;
    PacketFormat format_;
    NodeConfig node_;
    bool has_queue_per_channel_;
    std::size_t classes_;
    std::vector<Departure> departures_;  // per channel, of injection channels, and class
    std::vector<DepartureQueue> queues_;
};

}  // namespace flitscope
