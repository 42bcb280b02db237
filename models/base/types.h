// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary types that every layer shares: identifiers and simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace flitscope {

using NodeId = std::uint32_t;       ///< 0 .. nodes-1, row-major (last dimension varies fastest)
using PortId = std::uint32_t;       ///< port of a router; kLocalPort is injection and ejection
using LinkId = std::uint32_t;       ///< 0 .. links-1, one per direction
using ChannelId = std::uint32_t;    ///< links, then injection, then ejection channels (ChannelMap)
using MessageId = std::uint32_t;    ///< unique in a run
using StepId = std::uint32_t;       ///< number of a schedule step, from 0
using MessageClass = std::uint8_t;  ///< 0 .. classes-1, in the order of `fabric.classes`
using Cycle = std::uint64_t;        ///< clock cycles since the start of the run

inline constexpr NodeId kMaxNodes = 1U << 16;  ///< a header flit carries 16-bit node numbers
/// Of a network with a table of nodes^2 entries, two bytes each: 128 MB, and no more.
inline constexpr NodeId kMostTableNodes = 1U << 13;
inline constexpr std::size_t kMostDims = 32;  ///< of a network with coordinates
/// Of a channel: masks of them are bytes.
inline constexpr std::uint32_t kMaxVirtualChannels = 8;
/// Of a message: with all headers its flits are counted in 64 bits.
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 56;
inline constexpr PortId kLocalPort = 0;
inline constexpr LinkId kNoLink = std::numeric_limits<LinkId>::max();
inline constexpr ChannelId kNoChannel = std::numeric_limits<ChannelId>::max();
static_assert(kNoChannel == kNoLink);  // a link that is missing is a channel that is missing
inline constexpr MessageId kNoMessage = std::numeric_limits<MessageId>::max();
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
/// The most cycles that a key or a program may name: sums of some of them stay below 2^64.
inline constexpr Cycle kLongTime = 1'000'000'000'000'000;

}  // namespace flitscope
