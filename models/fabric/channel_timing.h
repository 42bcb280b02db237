// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How long the wires of a channel are and how deep its FIFOs (hw/TIMING.md, "Channels"): the one
// definition of the rule, for both engines, the waveforms and engine selection.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "models/topology/link.h"

namespace flitscope {

class Graph;
struct FabricConfig;
struct Link;

/// B, d and c of a channel.
struct ChannelTiming {
    /// B: flits in the FIFO of each virtual channel, and in the register slices before it; 0: no
    /// FIFO.
    std::uint32_t depth = 8;
    std::uint32_t delay = 1;         ///< d: cycles from sending to visibility
    std::uint32_t credit_delay = 1;  ///< c: cycles from a pop to a usable credit
    std::uint32_t rate_cycles = 1;   ///< k: at most one flit in so many cycles
    std::uint32_t slices = 0;        ///< L: register slices on the wire, with valid and ready

    bool has_fifo() const { return depth != 0; }
    /// Places of the register slices.
    std::uint32_t slice_places() const { return 2 * slices; }
    /// Cycles until a slot of the FIFO can be filled again, if its flit leaves at once. Register
    /// slices refill it meanwhile: they have as many places as cycles.
    std::uint32_t loop() const { return credit_delay + delay - slice_places(); }
    /// The buffer_depth from which on a virtual channel can send at the full rate of the channel.
    std::uint32_t streaming_depth() const { return (loop() + rate_cycles - 1) / rate_cycles; }
};

/// Timings of all channels of a machine.
struct ChannelTimings {
    std::uint32_t router_delay = 1;  ///< cycles
    std::uint32_t buffer_depth = 8;  ///< flits; 0: no channel has a FIFO
    bool valid_ready = false;        ///< LinkProtocol::kValidReady

    ChannelTimings() = default;
    explicit ChannelTimings(const FabricConfig& fabric);

    ChannelTiming link(const Link& link) const;
    ChannelTiming injection() const;
    /// Consumed at once, one flit per cycle, never short of credit.
    static ChannelTiming ejection() { return {0, 1, 1}; }
    /// Timing of the channel with this number (ChannelMap).
    ChannelTiming of(const Graph& graph, ChannelId channel) const;
    /// The depth of the deepest channel.
    std::uint32_t most_depth(const Graph& graph) const;
    /// The least buffer_depth with which every channel can send at its full rate.
    std::uint32_t streaming_depth(const Graph& graph) const;

private:
    ChannelTiming sliced(std::uint32_t cycles) const;
};

}  // namespace flitscope
