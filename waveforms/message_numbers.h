// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's numbers of messages and steps, in traces as in all other files, and what messages
// carry.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/message_labels.h"

namespace flitscope {

class MessageNumbers {
public:
    /// Every message is called by its MessageId.
    MessageNumbers() = default;
    /// The number of a message is at its MessageId; beyond the last it is the MessageId itself.
    /// `handshakes` are steps, in rising order, that count as part of the one after them. Both must
    /// outlive this object and its copies, and not change.
    explicit MessageNumbers(const std::vector<std::uint64_t>& numbers,
                            const std::vector<StepId>& handshakes = kNone)
        : first_(numbers.data()), count_(numbers.size()), handshakes_(&handshakes) {}

    /// By their MessageIds, and `labels` knows what they carry; it must outlive this object too.
    explicit MessageNumbers(const MessageLabels& labels) : labels_(&labels) {}

    std::uint64_t of(MessageId id) const { return id < count_ ? first_[id] : id; }
    /// The number of a step, from 1, as its schedule counts.
    std::uint32_t of_step(StepId step) const {
        const auto before = std::lower_bound(handshakes_->begin(), handshakes_->end(), step);
        return step + 1 - static_cast<StepId>(before - handshakes_->begin());
    }
    /// Bits of a signal that holds them: 32, or 64 if one of them needs more.
    std::uint32_t bits() const {
        const bool is_long = std::any_of(first_, first_ + count_,
                                         [](std::uint64_t number) { return number >> 32 != 0; });
        return is_long ? 64 : 32;
    }

    /// Null: messages carry nothing that is known.
    const MessageLabels* labels() const { return labels_; }

private:
    inline static const std::vector<StepId> kNone = {};

    const MessageLabels* labels_ = nullptr;
    const std::uint64_t* first_ = nullptr;
    std::size_t count_ = 0;
    const std::vector<StepId>* handshakes_ = &kNone;
};

}  // namespace flitscope
