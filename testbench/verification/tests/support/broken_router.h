// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The faults of the routers of broken_router.cpp, by router number. All concern the first packet.
#pragma once

#include <cstdint>

namespace flitscope::hw {

enum class Fault : std::uint32_t {
    kNone,
    kSwallowsFlit,
    kSwallowsPacket,
    kSwallowsTail,
    kHolds,  ///< keeps the packet in the FIFO
    kDoublesFlit,
    kDoublesTail,
    kDoublesHead,
    kDoublesPacket,
    kChangesWord,
    kChangesHead,
    kLosesTail,     ///< its mark
    kEndsEarly,     ///< marks a flit before the tail as one
    kKeepsCredits,  ///< returns none
    kDelays,        ///< a flit leaves a cycle later, which is no fault
};

inline constexpr std::uint32_t kStruckFlit = 2;  ///< the head is flit 0

}  // namespace flitscope::hw
