// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/class_arbiter.h"

#include <cstddef>

namespace flitscope::hw {

std::uint32_t ClassPolicy::channels_of(ClassMask classes) const {
    std::uint32_t channels = 0;
    const std::uint32_t one = (1U << channels_per_class) - 1;
    for (std::uint32_t k = 0; classes >> k != 0; ++k) {
        if ((classes >> k & 1) != 0) channels |= one << k * channels_per_class;
    }
    return channels;
}

ClassArbiter::ClassArbiter(const ClassPolicy& policy) : weights_(policy.weights) {
    const auto priority_of = [&policy](std::size_t k) {
        return k < policy.priorities.size() ? policy.priorities[k] : 0;
    };
    for (std::size_t k = 0; k < kMost; ++k) {
        for (std::size_t other = 0; other < kMost; ++other) {
            const auto bit = static_cast<ClassMask>(1U << other);
            if (priority_of(other) == priority_of(k)) equals_[k] |= bit;
            if (priority_of(other) > priority_of(k)) betters_[k] |= bit;
        }
    }
    for (std::size_t k = 0; k < weights_.size(); ++k) {
        left_[k] = weights_[k];
        in_budget_ |= static_cast<ClassMask>(1U << k);
    }
}

ClassMask ClassArbiter::preferred(ClassMask competing) const {
    auto best = static_cast<std::size_t>(__builtin_ctz(competing));
    while ((competing & betters_[best]) != 0) {
        best = static_cast<std::size_t>(__builtin_ctz(competing & betters_[best]));
    }
    const auto urgent = static_cast<ClassMask>(competing & equals_[best]);
    const auto due = static_cast<ClassMask>(urgent & in_budget_);
    return due != 0 ? due : urgent;
}

void ClassArbiter::sent(MessageClass sender) {
    if (weights_.empty()) return;
    if (left_[sender] == 0) {  // all classes that compete have used up their turns
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            if ((equals_[sender] >> k & 1) == 0) continue;
            left_[k] = weights_[k];
            in_budget_ |= static_cast<ClassMask>(1U << k);
        }
    }
    if (--left_[sender] == 0) in_budget_ &= static_cast<ClassMask>(~(1U << sender));
}

}  // namespace flitscope::hw
