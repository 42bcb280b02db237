// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The length of a pattern's messages: all equal, or drawn by weight from a list.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/patterns/rng.h"

namespace flitscope {

struct WorkloadConfig;

struct MessageLength {
    std::uint64_t bytes = 0;  ///< payload
    std::uint64_t flits = 0;  ///< headers included
    std::uint32_t weight = 1;
};

class MessageLengths {
public:
    explicit MessageLengths(const WorkloadConfig& config);

    const std::vector<MessageLength>& all() const { return lengths_; }
    /// The length of the next message. If there is only one length nothing is drawn.
    const MessageLength& draw(Rng& rng) const;

    /// Flits of a message of one of the lengths, `bytes`.
    std::uint64_t flits_of(std::uint64_t bytes) const;

    /// The mean of `value` over the messages.
    template <class Value>
    double mean(Value value) const {
        double sum = 0;
        for (const MessageLength& length : lengths_) {
            sum += length.weight * static_cast<double>(value(length));
        }
        return sum / static_cast<double>(weight_);
    }
    double mean_flits() const {
        return mean([](const MessageLength& length) { return length.flits; });
    }
    double mean_bytes() const {
        return mean([](const MessageLength& length) { return length.bytes; });
    }
    /// The share of the messages that are of the rarest length.
    double rarest_share() const;

private:
    std::vector<MessageLength> lengths_;
    std::uint64_t weight_ = 0;
};

}  // namespace flitscope
