// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The life of every message of a run, from the fabric's events of channels and packets. The same
// for all engines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/types.h"
#include "models/config/packet_format.h"
#include "models/fabric/message.h"
#include "models/fabric/message_port.h"
#include "models/fabric/observers.h"
#include "models/topology/channel_map.h"

namespace flitscope {

class Graph;

/// A message whose first flit has entered the network.
struct MessageLife {
    Message message;
    Cycle sent = 0;                  ///< its send began
    Cycle injected = 0;              ///< the head of its first packet left the node
    std::optional<Cycle> delivered;  ///< the tail of its last packet arrived, if that happened
    std::uint64_t packets = 0;       ///< that began to leave the node
    std::uint64_t link_grants = 0;   ///< links that these were given, in all
};

/// Hears what nodes hand over.
class SendObserver {
public:
    virtual ~SendObserver() = default;
    /// A node hands the message over, its send begins in `begin`; once more if it was withdrawn.
    virtual void on_send(const Message& message, Cycle begin) = 0;
};

class MessageLog final : public ChannelObserver, public PacketObserver, public SendObserver {
public:
    /// `graph` must outlive the log.
    MessageLog(const Graph& graph, std::uint32_t virtual_channels, const PacketFormat& format)
        : map_(graph),
          virtual_channels_(virtual_channels),
          format_(format),
          injecting_(static_cast<std::size_t>(map_.count()) * virtual_channels, kNoMessage) {}

    void on_send(const Message& message, Cycle begin) override { entry(message).life.sent = begin; }

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message, Cycle) override {
        Entry& entered = entry(message);
        if (map_.is_link(channel)) ++entered.life.link_grants;
        if (!map_.is_injection(channel)) return;
        ++entered.life.packets;
        injecting_[at(channel, vc)] = message.id;
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        if (!map_.is_injection(channel)) return;
        Entry& entered = entries_[injecting_[at(channel, vc)]];
        if (entered.is_injected) return;
        entered.is_injected = true;
        entered.life.injected = cycle;
    }
    void on_send_end(ChannelId, std::uint32_t, Cycle) override {}
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    void on_packet(const PacketRecord& packet) override {
        if (packet.message.id >= entries_.size()) return;
        Entry& entered = entries_[packet.message.id];
        const std::uint64_t packets = format_.packets(packet.message.bytes);
        entered.last = std::max(entered.last, packet.tail_delivered);
        if (++entered.delivered == packets) entered.life.delivered = entered.last;
    }

    /// The messages by number.
    std::vector<MessageLife> take() const {
        std::vector<MessageLife> lives;
        for (const Entry& entered : entries_) {
            if (entered.is_injected) lives.push_back(entered.life);
        }
        return lives;
    }

private:
    struct Entry {
        MessageLife life;
        std::uint64_t delivered = 0;  // packets
        Cycle last = 0;               // last tail
        bool is_injected = false;
    };

    Entry& entry(const Message& message) {
        if (message.id >= entries_.size()) entries_.resize(message.id + 1);
        entries_[message.id].life.message = message;
        return entries_[message.id];
    }
    std::size_t at(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * virtual_channels_ + vc;
    }

    ChannelMap map_;
    std::uint32_t virtual_channels_;
    PacketFormat format_;
    std::vector<Entry> entries_;        // by MessageId
    std::vector<MessageId> injecting_;  // per virtual channel
};

/// A node's side of the fabric, with an observer of sends.
class WatchedPort final : public MessagePort {
public:
    /// `port` and `observer` must outlive this object.
    WatchedPort(MessagePort& port, SendObserver& observer) : port_(port), observer_(observer) {}
    void send(const Message& message, Cycle begin, const SendOptions& options) override {
        observer_.on_send(message, begin);
        port_.send(message, begin, options);
    }
    void withdraw(MessageClass of, std::uint8_t plane) override { port_.withdraw(of, plane); }

private:
    MessagePort& port_;
    SendObserver& observer_;
};

}  // namespace flitscope
