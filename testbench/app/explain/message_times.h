// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records when the messages of a program began, left and arrived, and how long the channels that
// they used were idle afterwards: by how much each could be later by itself (message_limits.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class MessageTimes {
public:
    /// A gap that nothing limits. Gaps that do not fit are recorded as shorter.
    static constexpr std::uint32_t kNoLimit = UINT32_MAX;

    struct Times {
        Cycle begin = kNever;      ///< begin of its send; not of operations
        Cycle injected = kNever;   ///< tail left its node
        Cycle delivered = kNever;  ///< tail arrived
        /// Cycles after it had gone in which no message requested a channel that it had used,
        std::uint32_t gap = kNoLimit;
        /// except the message that its node sent next, on the same path, which has its own gap.
        std::uint32_t gap_to_next = kNoLimit;
    };

    /// `program` must outlive this object.
    explicit MessageTimes(const Program& program)
        : program_(program),
          messages_(program.transfers.size()),
          place_(program.transfers.size()) {}

    const Times& of(MessageId message) const { return messages_[message]; }
    /// Whether events were missed, so that gaps may be too long.
    bool is_incomplete() const { return is_incomplete_; }

    void on_begin(MessageId message, Cycle cycle) { messages_[message].begin = cycle; }
    void on_injected(MessageId message, Cycle tail) { messages_[message].injected = tail; }
    void on_delivered(MessageId message, Cycle tail) { messages_[message].delivered = tail; }

    /// `next` requested a channel in cycle `asked`; `before` was no longer in its way from cycle
    /// `gone` on (kNever: it still was). `is_behind`: `next` could not have requested earlier than
    /// `before`, as it comes out of the same buffer or node.
    void on_next(MessageId before, MessageId next, Cycle gone, Cycle asked, bool is_behind) {
        if (before == next && is_behind) return;
        Times& times = messages_[before];
        std::uint32_t& gap = is_behind && comes_next(before, next) ? times.gap_to_next : times.gap;
        if (is_behind && is_together(before, next)) return;
        const Cycle idle = asked > gone ? asked - gone : 0;
        gap = static_cast<std::uint32_t>(std::min<Cycle>({gap, idle, kNoLimit - 1}));
    }
    /// A message shared a channel with another one, flit by flit.
    void on_shared(MessageId message) { messages_[message].gap = 0; }
    void on_unseen() { is_incomplete_ = true; }

protected:
    /// A message is the one with this number among those that its node sends.
    void set_place(MessageId message, std::uint32_t place) { place_[message] = place; }

private:
    bool comes_next(MessageId before, MessageId next) const {
        return place_[next] == place_[before] + 1 &&
               program_.transfers.source(next) == program_.transfers.source(before);
    }
    /// Sends of one step: they begin in the same cycle, whenever that is.
    bool is_together(MessageId a, MessageId b) const {
        if (program_.ordering != Ordering::kSteps) return false;
        const Transfer& first = program_.transfers[a];
        const Transfer& second = program_.transfers[b];
        return first.source == second.source && first.step == second.step;
    }

    const Program& program_;
    std::vector<Times> messages_;
    std::vector<std::uint32_t> place_;  // per message
    bool is_incomplete_ = false;
};

}  // namespace flitscope
