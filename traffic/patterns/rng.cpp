// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/rng.h"

#include <limits>

#include "models/base/split_mix.h"

namespace flitscope {
namespace {

constexpr double kTwo64 = 18446744073709551616.0;

std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t stream) {
    return split_mix(split_mix(seed) ^ stream);
}

__extension__ using Wide = unsigned __int128;

/// Upper half of the 128-bit product.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{a} * b >> 64);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) : engine_(mixed_seed(seed, stream)) {}

std::uint64_t Rng::below(std::uint64_t bound) {
    // 2^64 mod bound values at the bottom are rejected; the number left is a multiple of bound.
    // They are fewer than bound, so most values need no division to be accepted.
    std::uint64_t value = bits();
    while (value < bound && value < (0 - bound) % bound) value = bits();
    return value % bound;
}

std::uint64_t threshold_of(double fraction) {
    const double scaled = fraction * kTwo64;  // exact: a power of two
    return scaled >= kTwo64 ? std::numeric_limits<std::uint64_t>::max()
                            : static_cast<std::uint64_t>(scaled);
}

Geometric::Geometric(double probability) {
    const double scaled = probability * kTwo64;  // exact: a power of two
    never_ = !(scaled >= 1);
    if (never_) return;
    // (1 - p) * 2^64 as 2^64 - p * 2^64; unsigned arithmetic takes the 2^64 as 0.
    powers_[0] = scaled >= kTwo64 ? 0 : 0 - static_cast<std::uint64_t>(scaled);
    for (std::size_t i = 1; i < kLevels; ++i) {
        powers_[i] = multiply_high(powers_[i - 1], powers_[i - 1]);
        if (powers_[i] != 0) levels_ = i + 1;
    }
}

std::uint64_t Geometric::draw(Rng& rng) const {
    const std::uint64_t u = rng.bits();
    std::uint64_t count = 0;
    std::uint64_t power = 0;                   // (1-p)^count * 2^64; 0 means 2^64 while count is 0
    for (std::size_t i = levels_; i-- > 0;) {  // no draw is below a power of 0
        const std::uint64_t next = count == 0 ? powers_[i] : multiply_high(power, powers_[i]);
        if (u >= next) continue;
        power = next;
        count += std::uint64_t{1} << i;
    }
    return count;
}

}  // namespace flitscope
