// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects events of the modules of one part of a clock domain for nodes and observers, which all
// parts share. One thread passes it on when all parts have been ticked. Events of channels may come
// ahead of the clock; they wait here for their cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

class Arrival;
class NodeInterface;

class alignas(64) PartitionOutbox final : public ChannelObserver {
public:
    /// Events of channels may come less than this many cycles ahead.
    static constexpr Cycle kCycles = 64;

    /// The head, or the tail, of the packet `arrival` was taken at `interface` in `cycle`. Until
    /// delivery, `arrival` keeps this packet's state; no other packet can arrive on it in the same
    /// cycle.
    struct Arrived {
        NodeInterface* interface = nullptr;
        Arrival* arrival = nullptr;
        Cycle cycle = 0;
    };
    /// The last tail of a message left `interface` in `cycle`.
    struct Injected {
        NodeInterface* interface = nullptr;
        Message message;
        Cycle cycle = 0;
    };

    void arriving(NodeInterface& interface, Arrival& arrival, Cycle cycle) {
        arriving_.push_back({&interface, &arrival, cycle});
    }
    void arrived(NodeInterface& interface, Arrival& arrival, Cycle cycle) {
        arrived_.push_back({&interface, &arrival, cycle});
    }
    void injected(NodeInterface& interface, const Message& message, Cycle cycle) {
        injected_.push_back({&interface, message, cycle});
    }

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override {
        add(cycle, Kind::kGrant, channel, vc);
        events_[cycle % kCycles].granted.push_back(message);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        add(cycle, Kind::kSendBegin, channel, vc, popped, popped_vc);
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add(cycle, Kind::kSendEnd, channel, vc);
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add(cycle, Kind::kRelease, channel, vc);
    }
    void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add(cycle, Kind::kCut, channel, vc);
    }
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override {
        add(cycle, Kind::kLoss, channel, vc);
        events_[cycle % kCycles].lost_visible.push_back(visible);
    }

    /// Tells `observer` the events of `cycle`, which is over, in the order in which they came.
    void tell(ChannelObserver& observer, Cycle cycle);
    /// The next cycle after `cycle` that has events to deliver; kNever: none.
    Cycle next_event(Cycle cycle) const {
        const unsigned first = (cycle + 1) % kCycles;
        if (occupied_ == 0) return kNever;
        const std::uint64_t ahead =
            occupied_ >> first | (first == 0 ? 0 : occupied_ << (kCycles - first));
        return cycle + 1 + static_cast<unsigned>(__builtin_ctzll(ahead));
    }
    /// Moves all heads, arrivals and injections to the end of these lists.
    void empty_into(std::vector<Arrived>& arriving, std::vector<Arrived>& arrived,
                    std::vector<Injected>& injected);

private:
    enum class Kind : std::uint8_t { kGrant, kSendBegin, kSendEnd, kRelease, kCut, kLoss };
    struct Event {
        ChannelId channel = 0;
        ChannelId popped = 0;
        Kind kind = Kind::kGrant;
        std::uint8_t vc = 0;
        std::uint8_t popped_vc = 0;
    };
    struct Events {
        std::vector<Event> list;
        std::vector<Message> granted;     // messages of the grants in `list`
        std::vector<Cycle> lost_visible;  // `visible` of the losses in `list`
    };
    void add(Cycle cycle, Kind kind, ChannelId channel, std::uint32_t vc, ChannelId popped = 0,
             std::uint32_t popped_vc = 0) {
        occupied_ |= std::uint64_t{1} << cycle % kCycles;
        events_[cycle % kCycles].list.push_back({channel, popped, kind,
                                                 static_cast<std::uint8_t>(vc),
                                                 static_cast<std::uint8_t>(popped_vc)});
    }

    std::vector<Arrived> arriving_;
    std::vector<Arrived> arrived_;
    std::vector<Injected> injected_;
    std::uint64_t occupied_ = 0;          // bit c: cycles c modulo 64 with events
    std::array<Events, kCycles> events_;  // by cycle
};

}  // namespace flitscope::hw
