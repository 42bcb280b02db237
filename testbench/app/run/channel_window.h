// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Flits sent by every channel within a window of cycles, from its counters at the start and the
// end: costs the engines only two inspections.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/fabric.h"

namespace flitscope {

class ChannelWindow {
public:
    /// Cycles `from` .. `until` - 1 of `channels` channels.
    ChannelWindow(ChannelId channels, Cycle from, Cycle until)
        : channels_(channels), from_(from), until_(until) {
        if (from == 0) begin_.resize(channels);
    }

    /// The next cycle after which to call inspect(); kNever: none.
    Cycle next() const {
        if (begin_.empty()) return from_ - 1;
        return end_.empty() ? until_ - 1 : kNever;
    }
    void inspect(const Fabric& fabric, Cycle now) {
        if (begin_.empty() && now + 1 >= from_) begin_ = counters(fabric);
        if (end_.empty() && now + 1 >= until_) end_ = counters(fabric);
    }
    /// Flits per channel, once the run has ended; all that were sent when it did so before.
    std::vector<std::uint64_t> flits(const Fabric& fabric) const {
        std::vector<std::uint64_t> sent = end_.empty() ? counters(fabric) : end_;
        for (ChannelId channel = 0; channel < channels_; ++channel) {
            sent[channel] -= begin_.empty() ? sent[channel] : begin_[channel];
        }
        return sent;
    }

private:
    std::vector<std::uint64_t> counters(const Fabric& fabric) const {
        std::vector<std::uint64_t> sent(channels_);
        for (ChannelId channel = 0; channel < channels_; ++channel) {
            sent[channel] = fabric.flits_sent(channel);
        }
        return sent;
    }

    ChannelId channels_;
    Cycle from_;
    Cycle until_;
    std::vector<std::uint64_t> begin_;  // before the window; empty: not there yet
    std::vector<std::uint64_t> end_;    // before `until`; empty: not there yet
};

}  // namespace flitscope
