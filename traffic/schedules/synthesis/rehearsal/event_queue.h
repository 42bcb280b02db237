// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The event queue of a rehearsal.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "models/base/types.h"

namespace flitscope::synthesis {

struct Event {
    enum class Kind : std::uint8_t {
        kRelease,  ///< `lane` of channel `of` is free again
        kArrival,  ///< the head of worm `of` is in a FIFO
        kPacket,   ///< a packet of the node that feeds injection channel `of` is assembled
        kWire,     ///< channel `of` can begin the packet of another virtual channel
        kSend,     ///< message `of` begins
    };

    Cycle time = 0;
    Kind kind = Kind::kRelease;
    std::uint32_t of = 0;
    std::uint32_t lane = 0;
    std::uint64_t order = 0;

    bool operator>(const Event& other) const {
        return time != other.time ? time > other.time : order > other.order;
    }
};

/// Events of one cycle happen in the order in which they were foreseen.
class EventQueue {
public:
    Cycle now() const { return now_; }
    bool is_empty() const { return events_.empty(); }
    /// Time of the next event; there must be one.
    Cycle next() const { return events_.top().time; }

    /// `time` is not before now().
    void push(Cycle time, Event::Kind kind, std::uint32_t of, std::uint32_t lane = 0) {
        events_.push({time, kind, of, lane, order_++});
    }
    /// The next event, which happens now().
    Event take() {
        const Event event = events_.top();
        events_.pop();
        now_ = event.time;
        return event;
    }

private:
    Cycle now_ = 0;
    std::uint64_t order_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace flitscope::synthesis
