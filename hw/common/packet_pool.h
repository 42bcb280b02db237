// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packets in flight: data for observers and reports about a packet whose header they see.
// Bookkeeping of the simulation. Hardware uses only the length of a packet from it, for which our
// header word has no room (hw/TIMING.md, "Switching").
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/common/flit.h"
#include "models/base/slot_pool.h"
#include "models/fabric/arrival_counters.h"
#include "models/fabric/message.h"

namespace flitscope::hw {

/// A packet between its injection and its delivery.
struct Packet {
    PacketRecord record;
    std::uint64_t header = 0;          ///< word of the head flit as injected
    std::uint64_t flits_injected = 0;  ///< length of the packet
    std::uint32_t message_state = 0;   ///< number in PacketPool::arrivals()
    std::uint32_t transmission = 0;    ///< number in Transmissions, if packets can be retransmitted
    bool under_way = false;
};

/// Finds packets by their header word. Places of packets that have arrived are used again, so a
/// long run needs no more memory than the traffic in flight.
///
/// If several threads tick the modules of a fabric, they may add packets and messages, and find and
/// read packets; packets leave between two cycles.
class PacketPool {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    explicit PacketPool(NodeId nodes) : sources_(nodes) {}

    /// Says that several threads use the pool from now on.
    void share() { shared_ = true; }

    /// Adds a message of `packets` packets. Returns its number in arrivals().
    std::uint32_t add_message(std::uint32_t packets) {
        const Guard guard(*this);
        return arrivals_.add(packets);
    }
    /// Adds a packet, whose header names its source and sequence number. Returns its index.
    std::uint32_t add(const Packet& packet) {
        const Guard guard(*this);
        const Header header = Header::unpack(packet.header);
        Ring& ring = sources_[header.source];
        while (ring.empty() || lives(header.source, ring, place(ring, header))) {
            grow(header.source, ring);
        }
        const std::uint32_t index = packets_.add(packet);
        packets_[index].under_way = true;
        ring[place(ring, header)] = index;
        return index;
    }
    void remove(std::uint32_t index) {
        packets_[index].under_way = false;
        packets_.remove(index);
    }
    /// The packet under way that has this header, or kNone.
    std::uint32_t find(std::uint64_t header_word) const {
        const Guard guard(*this);
        const Header header = Header::unpack(header_word);
        if (header.source >= sources_.size() || sources_[header.source].empty()) return kNone;
        const Ring& ring = sources_[header.source];
        const std::uint32_t index = ring[place(ring, header)];
        const bool found =
            index != kNone && packets_[index].under_way && packets_[index].header == header_word;
        return found ? index : kNone;
    }
    /// Removes the packets for whose header `is_lost` is true, after a call of `lose(packet)` for
    /// each.
    template <class Lost, class Lose>
    void remove_if(const Lost& is_lost, const Lose& lose) {
        for (const Ring& ring : sources_) {
            for (const std::uint32_t index : ring) {
                if (index == kNone || !packets_[index].under_way) continue;
                if (!is_lost(packets_[index].header)) continue;
                lose(packets_[index]);
                remove(index);
            }
        }
    }
    Packet& operator[](std::uint32_t index) { return packets_[index]; }
    const Packet& operator[](std::uint32_t index) const { return packets_[index]; }
    /// The message that the packet with this header belongs to; an empty message if the packet is
    /// unknown.
    Message message_of(std::uint64_t header_word) const {
        const std::uint32_t index = find(header_word);
        return index == kNone ? Message{} : packets_[index].record.message;
    }
    std::size_t in_flight() const { return packets_.size(); }

    /// Counts the arrivals of messages under way; Packet::message_state is a number in it.
    ArrivalCounters& arrivals() { return arrivals_; }

private:
    using Ring = std::vector<std::uint32_t>;  // per source, by sequence number modulo the size

    /// Keeps other threads out, if any: for so short a time that they spin.
    class Guard {
    public:
        explicit Guard(const PacketPool& pool) : busy_(pool.shared_ ? &pool.busy_ : nullptr) {
            while (busy_ != nullptr && busy_->test_and_set(std::memory_order_acquire)) {
            }
        }
        ~Guard() {
            if (busy_ != nullptr) busy_->clear(std::memory_order_release);
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        std::atomic_flag* busy_;
    };

    static std::size_t place(const Ring& ring, const Header& header) {
        return header.sequence & (ring.size() - 1);
    }
    /// Whether place `at` holds a packet under way. The index in it may be an old one whose place
    /// in the pool some other packet has taken over.
    bool lives(NodeId source, const Ring& ring, std::size_t at) const {
        if (ring[at] == kNone || !packets_[ring[at]].under_way) return false;
        const Header header = Header::unpack(packets_[ring[at]].header);
        return header.source == source && place(ring, header) == at;
    }
    /// Doubles the window of sequence numbers that a source can have under way.
    void grow(NodeId source, Ring& ring) const {
        Ring larger(ring.empty() ? 4 : 2 * ring.size(), kNone);
        for (std::size_t at = 0; at < ring.size(); ++at) {
            if (!lives(source, ring, at)) continue;
            larger[place(larger, Header::unpack(packets_[ring[at]].header))] = ring[at];
        }
        ring = std::move(larger);
    }

    SlotPool<Packet> packets_;
    std::vector<Ring> sources_;
    ArrivalCounters arrivals_;
    bool shared_ = false;
    mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace flitscope::hw
