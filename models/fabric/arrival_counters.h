// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many packets of each message under way have not arrived. Places of complete messages are used
// again, so a long run needs no more memory than the traffic in flight.
#pragma once

#include <cstdint>
#include <vector>

namespace flitscope {

class ArrivalCounters {
public:
    /// A message of so many packets is under way. Returns its number for arrived().
    std::uint32_t add(std::uint32_t packets) {
        if (free_.empty()) {
            remaining_.push_back(packets);
            return static_cast<std::uint32_t>(remaining_.size() - 1);
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        remaining_[index] = packets;
        return index;
    }
    /// A packet of the message has arrived; true when it was the last, which ends the number.
    bool arrived(std::uint32_t index) {
        if (--remaining_[index] != 0) return false;
        free_.push_back(index);
        return true;
    }

private:
    std::vector<std::uint32_t> remaining_;
    std::vector<std::uint32_t> free_;
};

}  // namespace flitscope
