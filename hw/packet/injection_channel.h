// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface's end of an injection channel, or of those of its virtual channels that one
// class of messages uses. It chooses a packet's virtual channel (hw/TIMING.md, "Network interface")
// and notifies observers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/common/flit_channel.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/types.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

class InjectionChannel {
public:
    /// Attaches the virtual channels of `sink` from `first` on; `observer` may be null.
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
    /// `next` is set no later than the cycle in which one will, or `sleeper` is woken.
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
    /// Whether the packet at hand can send a flit. If not, `next` and `sleeper` are used as in
    /// choose().
    bool can_send(Cycle now, const Sleeper& sleeper, Cycle& next) {
        return has_credit(vc_, 1, now, sleeper, next);
    }

    /// The virtual channels that have to advance before a packet whose head needs `flits` credits
    /// can begin, or the current packet, which `has_begun`, can continue; none if it need not wait.
    std::vector<std::uint32_t> obstacles(bool has_begun, std::uint64_t flits) const {
        std::vector<std::uint32_t> full;
        for (std::uint32_t vc = 0; vc < writers_.size(); ++vc) {
            if (has_begun && vc != vc_) continue;
            if (writers_[vc].credit_from(has_begun ? 1 : flits) != kNever) return {};
            full.push_back(first_ + vc);
        }
        return full;
    }

    /// First cycle in which the packet at hand can send; kNever if unknown.
    Cycle credit_from() const { return writers_[vc_].credit_from(); }

    /// Begins the packet for which choose() found a virtual channel.
    void begin_packet(const Message& message, Cycle now) {
        vc_ = chosen_;
        if (observer_ != nullptr) observer_->on_grant(id_, first_ + vc_, message, now);
    }
    /// Sends a flit of the packet at hand in cycle `at`, which may be ahead of the clock.
    void send(const Flit& flit, Cycle at, WakeupWheel& clock) {
        writers_[vc_].push(flit, at, clock);
        if (observer_ != nullptr) report_send(flit.tail, at);
    }

    /// Called when what has to be sent in cycle `now` has been sent. Sets `next` no later than the
    /// cycle in which this has to be called again.
    void report_stop(Cycle now, Cycle& next) {
        if (!sending_) return;
        if (sends_until_ > now) {
            next = std::min(next, sends_until_);
            return;
        }
        observer_->on_send_end(id_, first_ + vc_, now);
        sending_ = false;
    }
    /// Between two cycles: the packet at hand has been lost, and from `now` on, the next cycle, the
    /// channel is free.
    void abandon(Cycle now) {
        if (observer_ == nullptr) return;
        if (sending_) observer_->on_send_end(id_, first_ + vc_, now);
        observer_->on_cut(id_, first_ + vc_, now);
        sending_ = false;
    }

private:
    void report_send(bool is_tail, Cycle at) {
        const std::uint32_t vc = first_ + vc_;
        if (!sending_ || sends_until_ != at) {
            if (sending_) observer_->on_send_end(id_, vc, sends_until_);
            observer_->on_send_begin(id_, vc, id_, vc, at);
        }
        sending_ = !is_tail;
        sends_until_ = at + 1;
        if (!is_tail) return;
        observer_->on_send_end(id_, vc, sends_until_);
        observer_->on_release(id_, vc, sends_until_);
    }
    bool has_credit(std::uint32_t vc, std::uint64_t flits, Cycle now, const Sleeper& sleeper,
                    Cycle& next) {
        return writers_[vc].has_credit_or_wakes(now, flits, sleeper, next);
    }

    std::vector<FlitWriter> writers_;  // per virtual channel, from first_ on
    std::uint32_t first_ = 0;
    std::uint32_t vc_ = 0;      // counted from first_: that of the packet being or last sent
    std::uint32_t chosen_ = 0;  // that of the next packet
    ChannelId id_ = 0;
    // Observation only: the packet at hand sends in every cycle up to here, as far as is known.
    bool sending_ = false;
    Cycle sends_until_ = 0;
    ChannelObserver* observer_ = nullptr;
};

}  // namespace flitscope::hw
