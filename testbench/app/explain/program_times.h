// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Records when the messages of a program began, left and arrived, and how long the channels that
// they used were idle afterwards. The slack of steps is computed from that (slack.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

class ProgramTimes {
public:
    /// A gap that nothing limits. Gaps that do not fit are recorded as shorter.
    static constexpr std::uint32_t kNoLimit = UINT32_MAX;

    struct Times {
        Cycle begin = kNever;      ///< begin of its send
        Cycle injected = kNever;   ///< tail left its node
        Cycle delivered = kNever;  ///< tail arrived
        /// Cycles after it had gone in which no message requested a channel that it had used,
        std::uint32_t gap = kNoLimit;
        /// except the message that its node sent next, on the same path, which has its own gap.
        std::uint32_t gap_to_next = kNoLimit;
    };

    /// `program` must outlive this object.
    explicit ProgramTimes(const Program& program)
        : program_(program),
          nodes_(program),
          messages_(program.transfers.size()),
          place_(program.transfers.size()),
          ends_(nodes_.steps.size(), kNever),
          completed_(nodes_.first_step) {
        for (std::uint32_t i = 0; i < nodes_.sends.size(); ++i) place_[nodes_.sends[i]] = i;
    }

    const NodeSteps& nodes() const { return nodes_; }
    const Times& of(MessageId message) const { return messages_[message]; }
    /// The cycle in which a node was ready for what follows one of its steps; kNever: it was not.
    /// Steps are those of nodes().
    Cycle end_of(std::size_t node_step) const { return ends_[node_step]; }
    /// Whether events were missed, so that gaps may be too long.
    bool is_incomplete() const { return is_incomplete_; }

    void on_begin(MessageId message, Cycle cycle) { messages_[message].begin = cycle; }
    void on_injected(MessageId message, Cycle tail) { messages_[message].injected = tail; }
    void on_delivered(MessageId message, Cycle tail) { messages_[message].delivered = tail; }
    /// `node` is ready for what comes after its first step that has not been completed.
    void on_ready(NodeId node, Cycle cycle) { ends_[completed_[node]++] = cycle; }

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

private:
    bool comes_next(MessageId before, MessageId next) const {
        return place_[next] == place_[before] + 1 &&
               program_.transfers[next].source == program_.transfers[before].source;
    }
    /// Sends of one step: they begin in the same cycle, whenever that is.
    bool is_together(MessageId a, MessageId b) const {
        const Transfer& first = program_.transfers[a];
        const Transfer& second = program_.transfers[b];
        return program_.ordering == Ordering::kSteps && first.source == second.source &&
               first.step == second.step;
    }

    const Program& program_;
    NodeSteps nodes_;
    std::vector<Times> messages_;
    std::vector<std::uint32_t> place_;      // per message, in NodeSteps::sends
    std::vector<Cycle> ends_;               // per step of a node
    std::vector<std::uint32_t> completed_;  // per node, the first step that is not
    bool is_incomplete_ = false;
};

}  // namespace flitscope
