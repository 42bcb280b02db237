// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/message_classes.h"

#include <algorithm>

#include "models/config/workload_config.h"

namespace flitscope {

MessageClasses::MessageClasses(const WorkloadConfig& config)
    : weights_(config.fabric.class_count(), 0) {
    const auto add = [this, &config](const std::string& name, std::uint32_t weight) {
        only_ = config.fabric.class_named(name).value_or(0);
        weights_[only_] += weight;
        weight_ += weight;
    };
    for (const auto& [name, weight] : config.traffic.classes) add(name, weight);
    for (const auto& [bytes, name] : config.traffic.length_classes) {
        add(name, 1);
        by_length_[bytes] = only_;
    }
    if (weight_ == 0) weights_[0] = weight_ = 1;
    are_drawn_ = by_length_.empty() && std::count(weights_.begin(), weights_.end(), weight_) == 0;
}

double MessageClasses::rarest_share() const {
    if (!are_drawn_) return 1;
    std::uint64_t rarest = weight_;
    for (const std::uint64_t weight : weights_) {
        if (weight != 0) rarest = std::min(rarest, weight);
    }
    return static_cast<double>(rarest) / static_cast<double>(weight_);
}

MessageClass MessageClasses::of_next(std::uint64_t bytes, Rng* rng) const {
    if (!by_length_.empty()) return by_length_.at(bytes);
    if (!are_drawn_) return only_;
    std::uint64_t drawn = rng->below(weight_);
    std::size_t at = 0;
    while (drawn >= weights_[at]) drawn -= weights_[at++];
    return static_cast<MessageClass>(at);
}

}  // namespace flitscope
