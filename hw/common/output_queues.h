// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What is in the queues of a router with several outputs of the switch per port (hw/TIMING.md,
// "Switch outputs"). Observers see channels, not the queues before them: a flit is taken out of its
// FIFO, and a packet holds a virtual channel, when that shows on the channel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "hw/common/flit.h"
#include "models/base/types.h"
#include "models/fabric/message.h"

namespace flitscope::hw {

class OutputQueues {
public:
    /// A flit that has passed the switch.
    struct Queued {
        Flit flit;
        std::uint32_t input = 0;   ///< the input virtual channel that it came from
        std::uint32_t output = 0;  ///< its output virtual channel
        Cycle leaves = kNever;     ///< if that is known
    };

    /// `outputs`: of output virtual channels, however they are numbered.
    OutputQueues(PortId ports, std::size_t outputs) : queues_(ports), outputs_(outputs) {}

    void enter(PortId port, const Queued& queued) {
        queues_[port].push_back(queued);
        ++outputs_[queued.output].flits;
        ++flits_;
    }
    bool empty() const { return flits_ == 0; }
    bool empty(PortId port) const { return queues_[port].empty(); }
    std::size_t size(PortId port) const { return queues_[port].size(); }
    const Queued& front(PortId port) const { return queues_[port].front(); }
    /// The first flit of the queue at `port` leaves in cycle `now`.
    Queued leave(PortId port, Cycle now) {
        end_ = now + 1;
        const Queued leaving = queues_[port].front();
        queues_[port].pop_front();
        --outputs_[leaving.output].flits;
        --flits_;
        return leaving;
    }
    /// The cycle after the last one in which a flit left.
    Cycle end() const { return end_; }
    /// Flits on an output virtual channel.
    std::uint32_t flits_on(std::size_t output) const { return outputs_[output].flits; }

    /// Whether flits of the packet before are still to leave on `output`, which has been granted to
    /// one of `message`. If so, the grant is to be reported when they have left.
    bool defer_grant(std::size_t output, const Message& message) {
        if (outputs_[output].flits == 0) return false;
        outputs_[output].next.push_back(message);
        return true;
    }
    /// A tail has left on `output`: the message whose grant was deferred until then.
    std::optional<Message> deferred_grant(std::size_t output) {
        std::vector<Message>& next = outputs_[output].next;
        if (next.empty()) return std::nullopt;
        const Message first = next.front();
        next.erase(next.begin());
        return first;
    }

private:
    struct Output {
        std::uint32_t flits = 0;
        std::vector<Message> next;  // those whose grants are deferred
    };
    std::vector<std::deque<Queued>> queues_;  // per port
    std::vector<Output> outputs_;             // per output virtual channel
    std::size_t flits_ = 0;
    Cycle end_ = 0;
};

}  // namespace flitscope::hw
