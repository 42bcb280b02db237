// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which requests have been delivered and not yet answered, and when they began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "models/fabric/message.h"
#include "traffic/patterns/replies.h"

namespace flitscope {

class RoundTrips {
public:
    explicit RoundTrips(const Replies& replies) : replies_(replies) {}

    /// The round trip that the delivery of a message ended; this packet is its last one.
    struct End {
        std::optional<Cycle> began;  ///< for a reply: start of the send of its request
        std::string problem;         ///< a sentence if it is not the reply that was due; or empty
    };
    End delivered(const PacketRecord& last);

    std::uint64_t requests() const { return replied_ + open_.size(); }  ///< delivered
    std::uint64_t replies() const { return replied_; }                  ///< delivered
    /// Requests delivered whose replies are not.
    std::size_t open() const { return open_.size(); }

private:
    struct Request {
        Message message;
        Cycle begin = 0;
        Cycle delivered = 0;
    };
    Replies replies_;
    std::unordered_map<MessageId, Request> open_;
    std::uint64_t replied_ = 0;
};

}  // namespace flitscope
