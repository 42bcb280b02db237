// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All notifications of an observer of channels, to compare runs.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "models/fabric/observers.h"

namespace flitscope {

/// Throws std::logic_error when cycles come in another order than that of ChannelObserver.
class ChannelLog final : public ChannelObserver {
public:
    /// The channel, its event (grant, begin, end, release, cut, loss), and the message, or the
    /// source channel, or when it was to be visible.
    using Event = std::tuple<Cycle, ChannelId, std::uint32_t, char, std::uint64_t, std::uint32_t>;

    void on_grant(ChannelId channel, std::uint32_t vc, const Message& message,
                  Cycle cycle) override {
        add({cycle, channel, vc, 'g', message.id, message.destination});
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        add({cycle, channel, vc, 'b', popped, popped_vc});
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add({cycle, channel, vc, 'e', 0, 0});
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add({cycle, channel, vc, 'r', 0, 0});
    }
    void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        add({cycle, channel, vc, 'c', 0, 0});
    }
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override {
        add({cycle, channel, vc, 'l', visible, 0});
    }

    /// By cycle and channel: events of one channel in a cycle keep their order, that of several has
    /// no meaning.
    std::vector<Event> sorted() const {
        std::vector<Event> events = events_;
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return std::tuple(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
                   std::tuple(std::get<0>(b), std::get<1>(b), std::get<2>(b));
        });
        return events;
    }

private:
    void add(const Event& event) {
        if (!events_.empty() && std::get<0>(event) < std::get<0>(events_.back())) {
            throw std::logic_error("told of an earlier cycle");
        }
        events_.push_back(event);
    }

    std::vector<Event> events_;
};

}  // namespace flitscope
