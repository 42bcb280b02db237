// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits of networks, messages and times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/base/types.h"

namespace flitscope {

inline constexpr NodeId kMaxNodes = 1U << 16;  ///< a header flit carries 16-bit node numbers
/// For a network with a table of nodes^2 entries of two bytes: at most 128 MB.
inline constexpr NodeId kMostTableNodes = 1U << 13;
inline constexpr std::size_t kMostDims = 32;  ///< for networks with coordinates
/// A set of virtual channels of a channel: bit v is virtual channel v.
using VcMask = std::uint16_t;
inline constexpr std::uint32_t kMaxVirtualChannels = std::numeric_limits<VcMask>::digits;
inline constexpr std::uint32_t kMostPlanes = 8;
/// Per message: its flits, with all headers, are counted in 64 bits.
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 56;
/// The most cycles that a key or a program may name: sums of some of them stay below 2^64.
inline constexpr Cycle kLongTime = 1'000'000'000'000'000;

}  // namespace flitscope
