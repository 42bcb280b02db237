// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/timetable.h"

#include <algorithm>

namespace flitscope::synthesis {

Timetable::Timetable(const MessageRoutes& ways)
    : ways_(&ways),
      stays_(ways.channels()),
      taken_until_(ways.channels()),
      begins_(ways.messages(), kNever) {}

Timetable::Stays::const_iterator Timetable::first_behind(const Stays& stays, Cycle cycle) const {
    const auto ends_before = [this](const Stay& stay, Cycle at) { return end_of(stay) <= at; };
    return std::lower_bound(stays.begin(), stays.end(), cycle, ends_before);
}

Cycle Timetable::earliest(std::uint32_t message) const {
    const MessageRoutes::Uses uses = ways_->of(message);
    Cycle begin = 0;
    for (const MessageRoutes::Use& use : uses) {
        const Cycle taken = taken_until_[use.channel];
        if (taken > begin + use.offset) begin = taken - use.offset;
    }
    // Round the channels, until none of them has moved the start for a whole round.
    std::size_t free = 0;
    for (std::size_t i = 0; free < uses.size(); i = i + 1 == uses.size() ? 0 : i + 1) {
        ++looks_;
        const MessageRoutes::Use& use = uses[i];
        const Cycle busy = ways_->busy(use);
        const Stays& stays = stays_[use.channel];
        Cycle at = begin + use.offset;
        for (auto stay = first_behind(stays, at); stay != stays.end() && stay->begin < at + busy;
             ++stay) {
            at = end_of(*stay);
            ++looks_;
        }
        free = at == begin + use.offset ? free + 1 : 1;
        begin = at - use.offset;
    }
    return begin;
}

void Timetable::place(std::uint32_t message, Cycle begin) {
    begins_[message] = begin;
    for (const MessageRoutes::Use& use : ways_->of(message)) {
        Stays& stays = stays_[use.channel];
        const Cycle at = begin + use.offset;
        stays.insert(first_behind(stays, at), {at, message, use.stay});
        pass_taken(use.channel);
    }
}

void Timetable::remove(std::uint32_t message) {
    for (const MessageRoutes::Use& use : ways_->of(message)) {
        Stays& stays = stays_[use.channel];
        const Cycle at = begins_[message] + use.offset;
        // A gap in front of it was too small for any message.
        const Cycle least = ways_->least_busy(use.channel);
        stays.erase(first_behind(stays, at));
        Cycle& taken = taken_until_[use.channel];
        taken = std::min(taken, at < least ? 0 : at - least + 1);
    }
    begins_[message] = kNever;
}

/// As far as stays follow each other without a gap for another one, however short.
void Timetable::pass_taken(ChannelId channel) {
    const Stays& stays = stays_[channel];
    const Cycle least = ways_->least_busy(channel);
    Cycle& taken = taken_until_[channel];
    for (auto stay = first_behind(stays, taken); stay != stays.end() && stay->begin < taken + least;
         ++stay) {
        taken = end_of(*stay);
    }
}

}  // namespace flitscope::synthesis
