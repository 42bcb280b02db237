// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Request-reply traffic: every message of a pattern is a request, which its destination answers.
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/types.h"
#include "models/fabric/message.h"
#include "traffic/patterns/message_lengths.h"

namespace flitscope {

struct WorkloadConfig;

/// The replies of nodes, and the numbers of the two messages of an exchange: a reply has the number
/// after its request's, which is even.
class Replies {
public:
    /// `config.traffic.reply_bytes` must be set.
    explicit Replies(const WorkloadConfig& config);

    std::uint64_t bytes() const { return bytes_; }  ///< payload
    std::uint64_t flits() const { return flits_; }  ///< headers included

    /// The reply to a request.
    Message reply_to(const Message& request) const;
    /// The cycle from which a node that receives the tail of a message in cycle `tail` has it.
    Cycle received(Cycle tail) const { return tail + receive_; }
    /// The cycle in which the reply to a request whose tail was delivered in cycle `tail` begins.
    Cycle begin(Cycle tail) const { return received(tail) + delay_; }

    static bool is_reply(MessageId id) { return id % 2 != 0; }
    static MessageId request_of(MessageId reply) { return reply - 1; }

private:
    std::uint64_t bytes_;
    std::uint64_t flits_;
    Cycle receive_;
    Cycle delay_;
    std::optional<MessageClass> class_;
};

/// The replies of the pattern, if any.
std::optional<Replies> replies_of(const WorkloadConfig& config);

/// Mean flits of a message and of its reply, if any.
double exchange_flits(const MessageLengths& lengths, const std::optional<Replies>& replies);

}  // namespace flitscope
