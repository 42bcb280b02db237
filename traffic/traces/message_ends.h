// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Both ends of every message of a trace: the receive that matches each send.
#pragma once

#include <cstdint>
#include <functional>
#include <tuple>

#include "traffic/traces/trace.h"

namespace flitscope {

/// One end of a message: receiver, sender, tag, and length.
struct MessageEnd {
    RankId receiver = 0;
    RankId sender = 0;
    std::uint32_t tag = 0;
    OperationId operation = 0;  ///< operation of the rank at this end
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;
    bool receives = false;

    auto envelope() const { return std::tie(receiver, sender, tag); }
};

/// For a send without a receive, or a receive without a send, the other one is null.
using VisitMessage = std::function<void(const MessageEnd* send, const MessageEnd* receive)>;

/// Calls visit(send, receive) for every message, by envelope: receiver, sender and tag. With equal
/// envelopes the first send goes with the first receive, and so on, in the order in which ranks
/// list them; if a receive is too short then, the shortest go together, so that all fit if they
/// can. Leaves out messages to ranks that receive from any source or with any tag, which only a run
/// matches. All peers must be ranks of the trace.
void match_ends(const Trace& trace, const VisitMessage& visit);

}  // namespace flitscope
