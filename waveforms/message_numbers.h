// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's numbers of messages, in traces as in all other files, and what they carry.
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
    /// `numbers` must outlive this object and its copies, and not change.
    explicit MessageNumbers(const std::vector<std::uint64_t>& numbers)
        : first_(numbers.data()), count_(numbers.size()) {}

    /// By their MessageIds, and `labels` knows what they carry; it must outlive this object too.
    explicit MessageNumbers(const MessageLabels& labels) : labels_(&labels) {}

    std::uint64_t of(MessageId id) const { return id < count_ ? first_[id] : id; }
    /// Bits of a signal that holds them: 32, or 64 if one of them needs more.
    std::uint32_t bits() const {
        const bool is_long = std::any_of(first_, first_ + count_,
                                         [](std::uint64_t number) { return number >> 32 != 0; });
        return is_long ? 64 : 32;
    }

    /// Null: messages carry nothing that is known.
    const MessageLabels* labels() const { return labels_; }

private:
    const MessageLabels* labels_ = nullptr;
    const std::uint64_t* first_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace flitscope
