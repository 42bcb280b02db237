// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many packets of each message under way have not arrived.
#pragma once

#include <cstdint>

#include "models/base/slot_pool.h"

namespace flitscope {

class ArrivalCounters {
public:
    /// A message of `packets` packets is under way. Returns its number for arrived().
    std::uint32_t add(std::uint32_t packets) { return remaining_.add(packets); }
    /// A packet of the message has arrived; true when it was the last, which ends the number.
    bool arrived(std::uint32_t index) {
        if (--remaining_[index] != 0) return false;
        remaining_.remove(index);
        return true;
    }

private:
    SlotPool<std::uint32_t> remaining_;
};

}  // namespace flitscope
