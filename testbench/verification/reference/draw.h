// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The random draws of test machines: the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace flitscope {

/// Bounded draws that do not depend on the standard library (its distributions do). The bias of
/// the modulus does not matter here.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(below(std::uint64_t{high} - low + 1));
    }
    bool percent(std::uint32_t chance) { return below(100) < chance; }
    template <typename T>
    T pick(const std::vector<T>& choices) {
        return choices[below(choices.size())];
    }
    template <typename T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace flitscope
