// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/message_lengths.h"

#include <algorithm>

#include "models/config/packet_format.h"
#include "models/config/workload_config.h"

namespace flitscope {

MessageLengths::MessageLengths(const WorkloadConfig& config) {
    const PacketFormat format = config.packet_format();
    const auto add = [&](std::uint64_t bytes, std::uint32_t weight) {
        lengths_.push_back({bytes, format.message_flits(bytes), weight});
        weight_ += weight;
    };
    for (const auto& [bytes, weight] : config.traffic.message_lengths) add(bytes, weight);
    if (lengths_.empty()) add(config.traffic.message_bytes, 1);
}

double MessageLengths::rarest_share() const {
    const auto rarest = std::min_element(
        lengths_.begin(), lengths_.end(),
        [](const MessageLength& a, const MessageLength& b) { return a.weight < b.weight; });
    return static_cast<double>(rarest->weight) / static_cast<double>(weight_);
}

std::uint64_t MessageLengths::flits_of(std::uint64_t bytes) const {
    return std::find_if(lengths_.begin(), lengths_.end(),
                        [bytes](const MessageLength& length) { return length.bytes == bytes; })
        ->flits;
}

const MessageLength& MessageLengths::draw(Rng& rng) const {
    if (lengths_.size() == 1) return lengths_.front();
    std::uint64_t drawn = rng.below(weight_);
    std::size_t at = 0;
    while (drawn >= lengths_[at].weight) drawn -= lengths_[at++].weight;
    return lengths_[at];
}

}  // namespace flitscope
