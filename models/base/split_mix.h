// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A hash of 64-bit words, for choices that must look random and be equal in every description of
// the hardware.
#pragma once

#include <cstdint>

namespace flitscope {

/// The distance of two inputs of split_mix() that follow each other in SplitMix64; odd.
inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15;

/// Output of SplitMix64 in state `x` (Steele, Lea and Flood 2014), a bijection.
inline std::uint64_t split_mix(std::uint64_t x) {
    x += kSplitMixStep;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

}  // namespace flitscope
