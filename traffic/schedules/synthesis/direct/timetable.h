// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Start times of all messages such that none waits on its way: no two occupy a channel at once.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/schedules/synthesis/direct/message_routes.h"

namespace flitscope::synthesis {

/// A timetable that is being made: some of the messages have their place in it.
class Timetable {
public:
    /// `ways` must outlive it.
    explicit Timetable(const MessageRoutes& ways);

    /// kNever if the message has no place.
    Cycle begin(std::uint32_t message) const { return begins_[message]; }
    const std::vector<Cycle>& begins() const { return begins_; }
    /// Up to and with the cycle of its delivery. The message has a place.
    Cycle end(std::uint32_t message) const { return begins_[message] + ways_->duration(message); }

    /// Stays and channels that earliest() has looked at so far: the cost of filling gaps.
    std::uint64_t looks() const { return looks_; }

    /// The first start, in cycle 0 or later, with which the message meets no other one.
    Cycle earliest(std::uint32_t message) const;
    /// Places a message that has no place, and that meets no other there.
    void place(std::uint32_t message, Cycle begin);
    void remove(std::uint32_t message);

    /// Calls visit(other) for the messages that it would meet, once for every channel in which it
    /// does, while that says true.
    template <class Visit>
    void visit_met(std::uint32_t message, Cycle begin, const Visit& visit) const {
        for (const MessageRoutes::Use& use : ways_->of(message)) {
            const Cycle at = begin + use.offset;
            const Cycle busy = ways_->busy(use);
            const std::vector<Stay>& stays = stays_[use.channel];
            for (auto stay = first_behind(stays, at);
                 stay != stays.end() && stay->begin < at + busy; ++stay) {
                if (!visit(stay->message)) return;
            }
        }
    }
    /// Calls visit(begin) for the begins with which it follows another message directly in one of
    /// its channels, or is followed by one.
    template <class Visit>
    void visit_neighbouring(std::uint32_t message, const Visit& visit) const {
        for (const MessageRoutes::Use& use : ways_->of(message)) {
            const Cycle busy = ways_->busy(use);
            for (const Stay& stay : stays_[use.channel]) {
                if (end_of(stay) >= use.offset) visit(end_of(stay) - use.offset);
                if (stay.begin >= busy + use.offset) visit(stay.begin - busy - use.offset);
            }
        }
    }

private:
    /// The stay of a message in a channel.
    struct Stay {
        Cycle begin = 0;
        std::uint32_t message = 0;
        std::uint32_t stay = 0;  ///< its length, of MessageRoutes
    };
    using Stays = std::vector<Stay>;  // by their start, and so by their end: no two overlap

    /// The first stay that ends after `cycle`.
    Stays::const_iterator first_behind(const Stays& stays, Cycle cycle) const;
    /// The first cycle after it.
    Cycle end_of(const Stay& stay) const { return stay.begin + ways_->length_of(stay.stay); }

    void pass_taken(ChannelId channel);

    const MessageRoutes* ways_;
    std::vector<Stays> stays_;  // per channel
    // Per channel, a cycle before which any message would meet another there. Channels are mostly
    // full up to it, so the search for a place in a long timetable need not begin at its start.
    std::vector<Cycle> taken_until_;
    std::vector<Cycle> begins_;
    mutable std::uint64_t looks_ = 0;
};

}  // namespace flitscope::synthesis
