// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What modules of one part of a clock domain have to tell nodes and observers, who are the same for
// all parts: put off until all parts have been ticked, and told by one thread then.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

class Arrival;
class NodeInterface;

class alignas(64) PartOutbox final : public ChannelObserver {
public:
    /// The tail of the packet `arrival` was taken at `interface` in `cycle`. Until that is told it
    /// stands there as what has arrived of it so far: no other can follow in the same cycle.
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

    void arrived(NodeInterface& interface, Arrival& arrival, Cycle cycle) {
        arrived_.push_back({&interface, &arrival, cycle});
    }
    void injected(NodeInterface& interface, const Message& message, Cycle cycle) {
        injected_.push_back({&interface, message, cycle});
    }

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override {
        events_.push_back({Kind::kGrant, vc, channel, 0, 0, cycle});
        granted_.push_back(message);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        events_.push_back({Kind::kSendBegin, vc, channel, popped, popped_vc, cycle});
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        events_.push_back({Kind::kSendEnd, vc, channel, 0, 0, cycle});
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        events_.push_back({Kind::kRelease, vc, channel, 0, 0, cycle});
    }

    /// Tells `observer` what was observed since the last time, in the same order.
    void tell(ChannelObserver& observer);
    /// Moves the rest to the end of `arrived` and `injected`.
    void empty_into(std::vector<Arrived>& arrived, std::vector<Injected>& injected);

private:
    enum class Kind : std::uint8_t { kGrant, kSendBegin, kSendEnd, kRelease };
    struct Event {
        Kind kind = Kind::kGrant;
        std::uint32_t vc = 0;
        ChannelId channel = 0;
        ChannelId popped = 0;
        std::uint32_t popped_vc = 0;
        Cycle cycle = 0;
    };

    std::vector<Arrived> arrived_;
    std::vector<Injected> injected_;
    std::vector<Event> events_;
    std::vector<Message> granted_;  // of the grants among them
};

}  // namespace flitscope::hw
