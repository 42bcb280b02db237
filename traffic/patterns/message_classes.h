// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of a pattern's messages: drawn by weight, or by their length.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/base/types.h"
#include "traffic/patterns/rng.h"

namespace flitscope {

struct WorkloadConfig;

class MessageClasses {
public:
    explicit MessageClasses(const WorkloadConfig& config);

    /// Number of classes of the fabric, at least one.
    std::size_t count() const { return weights_.size(); }
    /// Whether messages other than replies may be of it.
    bool sends(MessageClass of) const { return weights_[of] != 0; }
    bool are_drawn() const { return are_drawn_; }
    /// The share of the messages, other than replies, that are of the rarest class if are_drawn();
    /// else 1.
    double rarest_share() const;
    /// The class of the next message, of `bytes` bytes. `rng` is used if are_drawn(), else it may
    /// be null.
    MessageClass of_next(std::uint64_t bytes, Rng* rng) const;

private:
    std::vector<std::uint64_t> weights_;  // per class
    std::uint64_t weight_ = 0;            // of all
    std::map<std::uint64_t, MessageClass> by_length_;
    MessageClass only_ = 0;  // if all messages are of one class
    bool are_drawn_ = false;
};

}  // namespace flitscope
