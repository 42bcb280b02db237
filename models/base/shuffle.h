// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An order drawn from a seed, the same with every standard library, unlike that of std::shuffle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace flitscope {

/// Puts the items into an order drawn from `seed` (Fisher and Yates).
template <class Item>
void shuffle(std::vector<Item>& items, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t left = items.size(); left > 1; --left) {
        const std::uint64_t most = UINT64_MAX - UINT64_MAX % left;  // above: some come too often
        std::uint64_t drawn = random();
        while (drawn >= most) drawn = random();
        std::swap(items[left - 1], items[drawn % left]);
    }
}

}  // namespace flitscope
