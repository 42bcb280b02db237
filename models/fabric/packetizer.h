// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The pending sends of a network interface: messages in program order, cut into packets, and the
// earliest departure of each head (TIMING.md, "Network interface"). The same for every engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "models/base/types.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/fabric/message.h"

namespace flitscope {

class Packetizer {
public:
    /// `send_overhead` in cycles; `rate` is that at which packets are assembled. With
    /// `serialize_overhead` a message's startup waits for the end of the message before.
    Packetizer(const PacketFormat& format, std::uint32_t send_overhead, Rate rate,
               bool serialize_overhead)
        : format_(format),
          send_overhead_(send_overhead),
          rate_(rate),
          serialize_overhead_(serialize_overhead) {}

    /// Adds a message. Messages leave in the order of the calls; `begin` must not decrease.
    void add(const Message& message, Cycle begin) {
        queue_.push_back({message, begin});
        if (messages() == 1) take_up_message();
    }
    /// Takes back the message added last, which must be entirely unsent. Throws std::logic_error if
    /// there is no message.
    void withdraw() {
        if (empty()) throw std::logic_error("none waits");
        queue_.pop_back();
    }
    /// PacketFormat::longest_packet() of a message.
    std::uint64_t longest_packet(const Message& message) const {
        return format_.longest_packet(message.bytes);
    }
    bool empty() const { return messages() == 0; }
    /// Number of messages that have not been sent wholly.
    std::size_t messages() const { return queue_.size() - first_; }

    // On the current packet; there must be one.

    const Message& message() const { return queue_[first_].message; }
    /// The cycle in which the send of its message began.
    Cycle begin() const { return queue_[first_].begin; }
    std::uint32_t packet_index() const { return packet_index_; }
    /// Number of packets of its message.
    std::uint32_t packet_count() const { return packet_count_; }
    std::uint64_t flits() const { return flits_; }
    /// The first cycle in which its head may be injected.
    Cycle head_ready() const {
        if (cuts_through()) return started_;
        return started_ +
               (flits_assembled_ * rate_.denominator + rate_.numerator - 1) / rate_.numerator;
    }
    /// Goes to the next packet; the tail of the current one left in cycle `tail`. True if that was
    /// the last of its message.
    bool advance(Cycle tail) {
        if (++packet_index_ < packet_count_) {
            flits_ = format_.flits(message().bytes, packet_index_);
            flits_assembled_ += flits_;
            return false;
        }
        last_end_ = cuts_through() ? tail + 1 : head_ready();
        drop_first();
        if (!empty()) take_up_message();
        return true;
    }

private:
    struct Pending {
        Message message;
        Cycle begin = 0;
    };

    /// Places of messages that have gone are given back once they are half of all.
    void drop_first() {
        if (2 * ++first_ < queue_.size()) return;
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    bool cuts_through() const { return rate_.numerator == rate_.denominator; }
    void take_up_message() {
        packet_index_ = 0;
        packet_count_ = format_.packets(message().bytes);
        flits_ = format_.flits(message().bytes, 0);
        flits_assembled_ = flits_;
        if (serialize_overhead_) {
            started_ = std::max(begin(), last_end_) + send_overhead_;
        } else if (cuts_through()) {
            started_ = begin() + send_overhead_;
        } else {
            started_ = std::max(begin() + send_overhead_, last_end_);
        }
    }

    PacketFormat format_;
    std::uint32_t send_overhead_;
    Rate rate_;
    bool serialize_overhead_;
    // Mostly of one message or two: a std::deque would take 600 bytes for them.
    std::vector<Pending> queue_;
    std::size_t first_ = 0;  // first one not yet sent
    std::uint32_t packet_index_ = 0;
    std::uint32_t packet_count_ = 0;
    std::uint64_t flits_ = 0;
    std::uint64_t flits_assembled_ = 0;  // of the message, the current packet included
    Cycle started_ = 0;   // its startup has ended, and so has the assembly of the message before
    Cycle last_end_ = 0;  // previous message assembled; at rate 1, its tail sent
};

}  // namespace flitscope
