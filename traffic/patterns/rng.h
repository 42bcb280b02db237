// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of synthetic traffic. Every draw is integer arithmetic on std::mt19937_64, so that
// a seed means the same traffic on every machine and in every order of evaluation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace flitscope {

/// The random numbers of one node. Each draw has exactly the distribution it names, up to 2^-64.
class Rng {
public:
    /// Streams of different (seed, stream) are independent: both are mixed by splitmix64 (Steele,
    /// Lea and Flood 2014).
    Rng(std::uint64_t seed, std::uint64_t stream);

    /// Uniform over all 64-bit values.
    std::uint64_t bits() { return engine_(); }
    /// Uniform over 0 .. bound-1, by rejection; bound >= 1.
    std::uint64_t below(std::uint64_t bound);

private:
    std::mt19937_64 engine_;
};

/// `fraction` in 64-bit fixed point, rounded down; all ones from 1 on. A draw of bits() is below it
/// with that probability.
std::uint64_t threshold_of(double fraction);

/// Number of failures before the first success of independent trials, drawn by inversion: the
/// largest k with u < (1-p)^k, the power taken in 64-bit fixed point.
class Geometric {
public:
    /// `probability` of success in (0, 1]; below 2^-64 no trial succeeds (see never()).
    explicit Geometric(double probability);

    bool never() const { return never_; }
    /// 0 .. 2^48-1.
    std::uint64_t draw(Rng& rng) const;

private:
    static constexpr std::size_t kLevels = 48;
    std::array<std::uint64_t, kLevels> powers_{};  ///< (1-p)^(2^i) * 2^64
    std::size_t levels_ = 1;                       ///< up to the last power that is not 0
    bool never_ = false;
};

}  // namespace flitscope
