// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of a clocked fabric, in addition to the machine that it simulates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "hw/common/wakeup_wheel.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/observers.h"

namespace flitscope {
struct FaultedNetwork;
}  // namespace flitscope

namespace flitscope::hw {

struct FabricOptions {
    ChannelObserver* channels = nullptr;  ///< sees every channel; null costs nothing
    PacketObserver* packets = nullptr;
    InnerSignalObserver* inner_signals = nullptr;  ///< of the routers in waveform.rtl_nodes
    ScanOrder scan_order = ScanOrder::kAscending;
    /// Modules may do ahead of the clock what nothing can change any more. Only for runs that look
    /// at the fabric only at inspections. Results do not depend on it.
    bool runs_ahead = false;
    /// The most threads that simulate the fabric, the caller's included, if it is made of packet
    /// routers and can be split into parts (hw/README.md, "Threads"). Results do not depend on it.
    std::uint32_t threads = 1;
    /// If not empty: the part of each router, numbered from 0 without gaps, instead of our own
    /// partition; threads are then called in every cycle, however little there is to do. Results do
    /// not depend on it.
    std::vector<std::uint32_t> parts = {};
    /// The folder with the verilated routers; empty: that of the program.
    std::filesystem::path rtl_libraries = {};
    /// The network that replaces this one during the run; null: none. Needs packet switching, one
    /// channel per node and our own routers. Must outlive the fabric.
    const FaultedNetwork* later = nullptr;
};

}  // namespace flitscope::hw
