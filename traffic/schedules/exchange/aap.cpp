// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/exchange/aap.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "traffic/schedules/exchange/exchange_rules.h"

namespace flitscope {
namespace {

/// The sets of `size` out of `dimensions` dimensions as masks, in lexicographic order of their
/// members.
std::vector<NodeId> sets_of_size(std::uint32_t dimensions, std::uint32_t size) {
    std::vector<bool> chosen(dimensions, false);
    std::fill(chosen.begin(), chosen.begin() + size, true);
    std::vector<NodeId> masks;
    do {
        NodeId mask = 0;
        for (std::uint32_t d = 0; d < dimensions; ++d) {
            if (chosen[d]) mask |= NodeId{1} << d;
        }
        masks.push_back(mask);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return masks;
}

/// The step of the mask in place `place` of the order.
StepId step_of(StepId place, AapOrder order) {
    if (order == AapOrder::kBySize) return place;
    return order == AapOrder::kInterleavedWaiting ? 0 : (place + 1) / 2;
}

}  // namespace

std::vector<NodeId> aap_masks(std::uint32_t dimensions, AapOrder order) {
    std::vector<NodeId> masks;
    if (order == AapOrder::kBySize) {
        for (std::uint32_t size = dimensions; size > 0; --size) {
            const std::vector<NodeId> sets = sets_of_size(dimensions, size);
            masks.insert(masks.end(), sets.begin(), sets.end());
        }
        return masks;
    }
    if (dimensions == 0) return masks;
    const NodeId all = (NodeId{1} << dimensions) - 1;
    masks.push_back(all);
    // Phase i has the sets of n - i dimensions; the complement of one is in phase n - i. If both
    // are the same phase, half of its sets are the complements of the other half.
    for (std::uint32_t i = 1; 2 * i <= dimensions; ++i) {
        std::vector<NodeId> sets = sets_of_size(dimensions, dimensions - i);
        if (2 * i == dimensions) sets.resize(sets.size() / 2);
        for (const NodeId mask : sets) {
            const bool small_first = order == AapOrder::kInterleavedSmallFirst;
            masks.push_back(small_first ? all ^ mask : mask);
            masks.push_back(all ^ masks.back());
        }
    }
    return masks;
}

Program aap(std::uint32_t dimensions, std::uint64_t bytes, AapOrder order) {
    std::vector<MaskRule::Round> rounds;
    for (const NodeId mask : aap_masks(dimensions, order)) {
        rounds.push_back({mask, step_of(static_cast<StepId>(rounds.size()), order)});
    }
    const NodeId nodes = NodeId{1} << dimensions;
    Program program = empty_program("aap", nodes, 0);
    program.transfers = {std::make_shared<MaskRule>(nodes, std::move(rounds)), bytes};
    return program;
}

}  // namespace flitscope
