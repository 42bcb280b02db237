// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which messages under way have begun to arrive, and how many of their packets have not arrived.
#pragma once

#include <cstdint>
#include <utility>

#include "models/base/slot_pool.h"

namespace flitscope {

class ArrivalCounters {
public:
    /// A message of `packets` packets is under way. Returns its number for begins() and arrived().
    /// All messages of one packet share a number: there is nothing to count.
    std::uint32_t add(std::uint32_t packets) {
        return packets == 1 ? kOnePacket : messages_.add({packets, false});
    }
    /// The head of a packet of the message is there; true when it was the first one.
    bool begins(std::uint32_t index) {
        return index == kOnePacket || !std::exchange(messages_[index].has_begun, true);
    }
    /// A packet of the message has arrived; true when it was the last, which ends the number.
    bool arrived(std::uint32_t index) {
        if (index == kOnePacket) return true;
        if (--messages_[index].remaining != 0) return false;
        messages_.remove(index);
        return true;
    }

private:
    static constexpr std::uint32_t kOnePacket = UINT32_MAX;

    struct Arriving {
        std::uint32_t remaining = 0;  // packets
        bool has_begun = false;
    };
    SlotPool<Arriving> messages_;
};

}  // namespace flitscope
