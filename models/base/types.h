// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary types that every layer shares: identifiers and simulated time. Nearly every source
// sees them, so nothing here is likely to change (limits.h).
#pragma once

#include <cstdint>
#include <limits>

namespace flitscope {

using NodeId = std::uint32_t;       ///< 0 .. nodes-1, row-major (last dimension varies fastest)
using PortId = std::uint32_t;       ///< port of a router; those of its nodes come first
using LinkId = std::uint32_t;       ///< 0 .. links-1, one per direction
using ChannelId = std::uint32_t;    ///< links, then injection, then ejection channels (ChannelMap)
using MessageId = std::uint32_t;    ///< unique in a run
using StepId = std::uint32_t;       ///< number of a schedule step, from 0
using MessageClass = std::uint8_t;  ///< 0 .. classes-1, in the order of `fabric.classes`
using Cycle = std::uint64_t;        ///< clock cycles since the start of the run

/// Number of a router, 0 .. routers-1. It serves as an index, but no index or node is a router
/// unless it says so, and routers are not compared with nodes.
class RouterId {
public:
    constexpr RouterId() = default;
    constexpr explicit RouterId(std::uint32_t number) : number_(number) {}
    constexpr operator std::uint32_t() const { return number_; }
    constexpr std::uint32_t number() const { return number_; }
    constexpr RouterId& operator++() {
        ++number_;
        return *this;
    }

    friend constexpr bool operator==(RouterId a, RouterId b) { return a.number_ == b.number_; }
    friend constexpr bool operator!=(RouterId a, RouterId b) { return a.number_ != b.number_; }
    friend constexpr bool operator==(RouterId, std::uint32_t) = delete;
    friend constexpr bool operator==(std::uint32_t, RouterId) = delete;
    friend constexpr bool operator!=(RouterId, std::uint32_t) = delete;
    friend constexpr bool operator!=(std::uint32_t, RouterId) = delete;

    /// How fmt prints one; from version 10 on it asks and no longer converts.
    friend constexpr std::uint32_t format_as(RouterId router) { return router.number_; }

private:
    std::uint32_t number_ = 0;
};

inline constexpr PortId kLocalPort = 0;  ///< the port of a router's first node
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr LinkId kNoLink = std::numeric_limits<LinkId>::max();
inline constexpr ChannelId kNoChannel = std::numeric_limits<ChannelId>::max();
static_assert(kNoChannel == kNoLink);  // a link that is missing is a channel that is missing
inline constexpr MessageId kNoMessage = std::numeric_limits<MessageId>::max();
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

}  // namespace flitscope
