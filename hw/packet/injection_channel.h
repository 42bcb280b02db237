// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface's end of an injection channel, or of the virtual channels in it of one class
// of messages: which of them a packet goes on (hw/TIMING.md, "Network interface"), and what
// observers are told.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/common/flit_channel.h"
#include "hw/common/wake_wheel.h"
#include "models/base/types.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

class InjectionChannel {
public:
    /// The virtual channels of `sink` from `first` on; `observer` may be null.
    void attach(FlitSink& sink, std::uint32_t virtual_channels, ChannelObserver* observer,
                ChannelId id, std::uint32_t first = 0) {
        writers_.resize(virtual_channels);
        for (std::uint32_t vc = 0; vc < virtual_channels; ++vc) {
            writers_[vc].attach(sink.sink(first + vc));
        }
        first_ = first;
        vc_ = virtual_channels - 1;  // so that the first packet tries the first one first
        observer_ = observer;
        id_ = id;
    }

    /// Chooses the virtual channel of a packet whose head needs `flits` credits to begin: the first
    /// one that has them, searched from one past the last packet's. False when none has: then
    /// `next` is no later than the cycle in which one will, or `sleeper` is woken.
    bool choose(std::uint64_t flits, Cycle now, const Sleeper& sleeper, Cycle& next) {
        const auto count = static_cast<std::uint32_t>(writers_.size());
        for (std::uint32_t k = 1; k <= count; ++k) {
            const std::uint32_t vc = (vc_ + k) % count;
            if (!has_credit(vc, flits, now, sleeper, next)) continue;
            chosen_ = vc;
            return true;
        }
        return false;
    }
    /// Whether the packet at hand can send a flit; if not, as choose().
    bool can_send(Cycle now, const Sleeper& sleeper, Cycle& next) {
        return has_credit(vc_, 1, now, sleeper, next);
    }

    /// The cycle from which it can; kNever where that is not known.
    Cycle credit_from() const { return writers_[vc_].credit_from(); }

    /// The packet for which choose() found a virtual channel begins.
    void begin_packet(const Message& message, Cycle now) {
        vc_ = chosen_;
        if (observer_ != nullptr) observer_->on_grant(id_, first_ + vc_, message, now);
    }
    void send(const Flit& flit, Cycle now, WakeWheel& clock) {
        writers_[vc_].push(flit, now, clock);
        sent_ = true;
        if (flit.tail) released_ = observer_ != nullptr;
    }

    // What observers are told, at the begin and at the end of a cycle.

    /// A tail that went in the last cycle: the channel is free from this one on.
    void report_release(Cycle now) {
        if (!released_) return;
        observer_->on_send_end(id_, first_ + vc_, now);
        observer_->on_release(id_, first_ + vc_, now);
        sending_ = false;
        released_ = false;
    }
    /// Between two cycles: the packet at hand has been lost, and from `now` on, the next cycle, the
    /// channel is free.
    void abandon(Cycle now) {
        if (observer_ == nullptr) return;
        if (sending_) observer_->on_send_end(id_, first_ + vc_, now);
        observer_->on_release(id_, first_ + vc_, now);
        sending_ = false;
    }
    void report_send(Cycle now) {
        if (sent_ != sending_ && observer_ != nullptr) {
            if (sent_) {
                observer_->on_send_begin(id_, first_ + vc_, id_, first_ + vc_, now);
            } else {
                observer_->on_send_end(id_, first_ + vc_, now);
            }
            sending_ = sent_;
        }
        sent_ = false;
    }

private:
    bool has_credit(std::uint32_t vc, std::uint64_t flits, Cycle now, const Sleeper& sleeper,
                    Cycle& next) {
        return writers_[vc].has_credit_or_wakes(now, flits, sleeper, next);
    }

    std::vector<FlitWriter> writers_;  // per virtual channel, from first_ on
    std::uint32_t first_ = 0;
    std::uint32_t vc_ = 0;      // behind first_, of the packet being or last sent
    std::uint32_t chosen_ = 0;  // of the next one
    bool sent_ = false;         // a flit, in this cycle
    bool sending_ = false;      // observation only: a flit went in the last cycle,
    bool released_ = false;     // and it was a tail
    ChannelId id_ = 0;
    ChannelObserver* observer_ = nullptr;
};

}  // namespace flitscope::hw
