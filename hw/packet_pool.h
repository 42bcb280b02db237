// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets under way: what observers and reports know about a flit's packet. Bookkeeping of the
// simulation; the hardware decides nothing by it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/message.h"

namespace flitscope::hw {

/// A packet between its injection and its delivery.
struct Packet {
    PacketRecord record;
    std::uint64_t header = 0;          ///< word of the head flit as injected
    std::uint64_t flits_injected = 0;  ///< length of the packet
    std::uint32_t message_state = 0;   ///< index into PacketPool::messages
};

/// Reuses the places of packets that have arrived, so a long run needs no more memory than the
/// traffic in flight.
class PacketPool {
public:
    std::uint32_t add(const Packet& packet) { return take(packets_, free_, packet); }
    void remove(std::uint32_t index) { free_.push_back(index); }
    Packet& operator[](std::uint32_t index) { return packets_[index]; }
    const Packet& operator[](std::uint32_t index) const { return packets_[index]; }
    std::size_t in_flight() const { return packets_.size() - free_.size(); }

    /// Counts the packets of a message that are still to arrive. Returns the counter's index.
    std::uint32_t add_message(std::uint32_t packets) {
        return take(remaining_, free_messages_, packets);
    }
    /// One packet of the message has arrived; true when it was the last.
    bool packet_arrived(std::uint32_t message_state) {
        if (--remaining_[message_state] != 0) return false;
        free_messages_.push_back(message_state);
        return true;
    }

private:
    template <class T>
    static std::uint32_t take(std::vector<T>& items, std::vector<std::uint32_t>& free,
                              const T& value) {
        if (free.empty()) {
            items.push_back(value);
            return static_cast<std::uint32_t>(items.size() - 1);
        }
        const std::uint32_t index = free.back();
        free.pop_back();
        items[index] = value;
        return index;
    }

    std::vector<Packet> packets_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> remaining_;
    std::vector<std::uint32_t> free_messages_;
};

}  // namespace flitscope::hw
