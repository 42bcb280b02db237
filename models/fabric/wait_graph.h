// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds packets that can never move again, in a fabric that is idle or still runs elsewhere. Every
// engine fills in which packet waits for which.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/fabric.h"

namespace flitscope {

/// The FIFOs of a fabric, the queues at nodes that packets wait for, and what the packet at the
/// front of each waits for. A FIFO can advance if one of its alternatives can; after crossing off
/// all that can advance, the rest are deadlocked.
struct WaitGraph {
    struct Fifo {
        bool waits = false;  ///< else empty, or free to move
        WaitingPacket packet;
        std::vector<std::uint32_t> alternatives;  ///< FIFOs any of which would have to advance
    };
    std::vector<Fifo> fifos;

    /// Packets that wait for each other cyclically, in order; empty when every FIFO can advance.
    std::vector<WaitingPacket> deadlocked_cycle() const;
};

}  // namespace flitscope
