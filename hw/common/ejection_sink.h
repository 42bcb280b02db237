// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a node's ejection channel, or of several, which have no FIFO: a router core
// hands it the flits that have arrived. Kernel-free; ports bind to EjectionChannel
// (flit_channel.h).
#pragma once

#include <cstdint>

#include "hw/common/flit.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// Takes one flit of each ejection channel in every cycle, at once.
class EjectionSink {
public:
    virtual ~EjectionSink() = default;
    /// Takes a flit that leaves the router in cycle `now` on ejection virtual channel `vc`. Those
    /// of the k-th of its local ports, from 0, begin at k * next_power_of_two(virtual channels);
    /// there are several if a node has an ejection channel per link.
    virtual void eject(const Flit& flit, std::uint32_t vc, Cycle now) = 0;
    /// Whether the node takes the packet with this header in cycle `now`, so that it may be given
    /// an ejection channel. If not, `next` is no later than the cycle in which the node may take
    /// it, or `sleeper` is woken then.
    virtual bool takes_or_wakes(std::uint64_t header, Cycle now, const Sleeper& sleeper,
                                Cycle& next) {
        static_cast<void>(header);
        static_cast<void>(now);
        static_cast<void>(sleeper);
        static_cast<void>(next);
        return true;
    }
    /// Whether the node would take the packet after this cycle, for the search for deadlocks.
    virtual bool takes(std::uint64_t header) const {
        static_cast<void>(header);
        return true;
    }
    /// Tells that the packet with this header has been given an ejection channel.
    virtual void granted(std::uint64_t header) { static_cast<void>(header); }
};

}  // namespace flitscope::hw
