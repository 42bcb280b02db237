// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// By how many cycles the messages of a run could be later and disturb no other (README.md,
// "Slack").
#pragma once

#include <vector>

#include "models/base/types.h"
#include "testbench/app/explain/message_times.h"
#include "testbench/app/explain/slack.h"

namespace flitscope {

/// Per message the most by which it may be later. First by itself, in the network; what waits for
/// the message lowers that, from the end of the program on.
class MessageLimits {
public:
    /// `times`, of a run that completed with this makespan, must outlive this object.
    MessageLimits(const Machine& machine, const MessageTimes& times, Cycle makespan);

    Cycle operator[](MessageId id) const { return limits_[id]; }
    void lower(MessageId id, Cycle to) {
        if (to < limits_[id]) limits_[id] = to;
    }
    /// The same for a message that is followed on its path by the next one of its node, which may
    /// be later by `later_next`.
    void lower_by_next(MessageId id, Cycle later_next);

private:
    const MessageTimes& times_;
    std::vector<Cycle> limits_;
};

/// The links that messages cross under fixed paths, those with most flits first. `slack`: per
/// message, of its send.
std::vector<LinkSlack> slack_of_links(const Machine& machine, const std::vector<Cycle>& slack);

}  // namespace flitscope
