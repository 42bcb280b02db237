// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How often each channel is given to a packet, how often it begins to send after a cycle in which
// it sent nothing, and how many flits it sends: the inputs of the energy of a run, in all and of
// each message class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/fabric/observers.h"

namespace flitscope {

class ChannelSendings final : public ChannelObserver {
public:
    struct Counts {
        std::uint64_t packets = 0;  ///< that held it, on any virtual channel
        std::uint64_t starts = 0;   ///< sendings without a pause, virtual channels taken together
        std::uint64_t flits = 0;    ///< one per cycle of a sending; known at its end
        std::uint64_t open = 0;     ///< sendings that have not ended

        Counts& operator+=(const Counts& other) {
            packets += other.packets;
            starts += other.starts;
            flits += other.flits;
            open += other.open;
            return *this;
        }
    };

    /// With several message classes each has so many virtual channels of every channel.
    explicit ChannelSendings(ChannelId channels, std::size_t classes = 1,
                             std::uint32_t channels_per_class = 0)
        : classes_(classes),
          channels_per_class_(channels_per_class),
          counts_(channels * classes),
          senders_(channels) {}

    void on_grant(ChannelId channel, std::uint32_t vc, const Message&, Cycle) override {
        ++of(channel, vc).packets;
    }
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    // Only one VC of a channel sends at a time, but in a cycle the end of one may be reported after
    // the begin of the next.
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId, std::uint32_t,
                       Cycle cycle) override {
        Senders& senders = senders_[channel];
        Counts& counts = of(channel, vc);
        if (senders.active++ == 0 && senders.ended != cycle) ++counts.starts;
        counts.flits -= cycle;  // modulo 2^64
        ++counts.open;
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        Senders& senders = senders_[channel];
        --senders.active;
        senders.ended = cycle;
        Counts& counts = of(channel, vc);
        counts.flits += cycle;
        --counts.open;
    }

    /// The simulation ends before this cycle: what is being sent then counts up to there.
    void end(Cycle cycle) {
        for (Counts& counts : counts_) {
            counts.flits += counts.open * cycle;
            counts.open = 0;
        }
    }

    std::size_t classes() const { return classes_; }
    /// The counts per channel, of all classes.
    std::vector<Counts> counts() const {
        std::vector<Counts> all(senders_.size());
        for (std::size_t i = 0; i < counts_.size(); ++i) all[i / classes_] += counts_[i];
        return all;
    }
    /// Those of one class; a start is of the class that begins it.
    std::vector<Counts> counts_of(std::size_t message_class) const {
        std::vector<Counts> own;
        for (std::size_t i = message_class; i < counts_.size(); i += classes_) {
            own.push_back(counts_[i]);
        }
        return own;
    }

private:
    Counts& of(ChannelId channel, std::uint32_t vc) {
        const std::size_t message_class = classes_ == 1 ? 0 : vc / channels_per_class_;
        return counts_[channel * classes_ + message_class];
    }
    struct Senders {
        Cycle ended = kNever;  // cycle in which nothing was sent any more
        std::int32_t active = 0;
    };

    std::size_t classes_;
    std::uint32_t channels_per_class_;
    std::vector<Counts> counts_;  // per channel, per class
    std::vector<Senders> senders_;
};

}  // namespace flitscope
