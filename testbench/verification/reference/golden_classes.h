// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of messages in the golden model (hw/TIMING.md, "Class arbiters"), word by word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/config/fabric_config.h"

namespace flitscope {

/// The budget that an arbiter has left for each class; empty without weights.
using GoldenBudgets = std::vector<std::uint32_t>;

class GoldenClasses {
public:
    explicit GoldenClasses(const FabricConfig& fabric)
        : count_(fabric.classes.empty() ? 1 : static_cast<std::uint32_t>(fabric.classes.size())),
          channels_(fabric.virtual_channels / count_),
          priorities_(fabric.class_priorities),
          weights_(fabric.class_weights) {
        if (priorities_.empty()) priorities_.assign(count_, 0);
    }

    std::uint32_t count() const { return count_; }
    std::uint32_t channels() const { return channels_; }  ///< of each
    std::uint32_t of_channel(std::uint32_t vc) const { return vc / channels_; }
    GoldenBudgets full_budgets() const { return weights_; }

    /// Whether one of class `of` may be taken if these classes compete.
    bool is_preferred(std::uint32_t of, const std::vector<std::uint32_t>& competing,
                      const GoldenBudgets& budgets) const {
        const auto is_higher = [&](std::uint32_t other) {
            return priorities_[other] > priorities_[of];
        };
        if (std::any_of(competing.begin(), competing.end(), is_higher)) return false;
        if (weights_.empty() || budgets[of] > 0) return true;
        const auto goes_first = [&](std::uint32_t other) {
            return priorities_[other] == priorities_[of] && budgets[other] > 0;
        };
        return std::none_of(competing.begin(), competing.end(), goes_first);
    }
    /// A flit of class `of` was sent past an arbiter with these budgets.
    void count(std::uint32_t of, GoldenBudgets& budgets) const {
        if (weights_.empty()) return;
        if (budgets[of] == 0) {
            for (std::uint32_t k = 0; k < count_; ++k) {
                if (priorities_[k] == priorities_[of]) budgets[k] = weights_[k];
            }
        }
        --budgets[of];
    }

private:
    std::uint32_t count_;
    std::uint32_t channels_;
    std::vector<std::uint32_t> priorities_;
    std::vector<std::uint32_t> weights_;
};

}  // namespace flitscope
