// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a node's ejection channels, which have no FIFO: what a router core hands
// flits to that have arrived. Kernel-free; EjectionChannel (flit_channel.h) is what ports bind to.
#pragma once

#include <cstdint>

#include "hw/common/flit.h"
#include "hw/common/wake_wheel.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// Takes one flit of each ejection channel in every cycle, at once.
class EjectionSink {
public:
    virtual ~EjectionSink() = default;
    /// A flit that leaves the router in cycle `now` on ejection virtual channel `vc`; where a node
    /// has an ejection channel for every link, those of port k begin at (k - 1) *
    /// next_power_of_two(virtual channels).
    virtual void eject(const Flit& flit, std::uint32_t vc, Cycle now) = 0;
    /// Whether the node takes the packet with this header, which may be given an ejection channel,
    /// in cycle `now`. If not, `next` is no later than the cycle in which it may, or `sleeper` is
    /// woken then.
    virtual bool takes_or_wakes(std::uint64_t header, Cycle now, const Sleeper& sleeper,
                                Cycle& next) {
        static_cast<void>(header);
        static_cast<void>(now);
        static_cast<void>(sleeper);
        static_cast<void>(next);
        return true;
    }
    /// Whether the node would take it once the cycle is over, for the search for deadlocks.
    virtual bool takes(std::uint64_t header) const {
        static_cast<void>(header);
        return true;
    }
    /// The packet with this header has been given one.
    virtual void granted(std::uint64_t header) { static_cast<void>(header); }
};

}  // namespace flitscope::hw
