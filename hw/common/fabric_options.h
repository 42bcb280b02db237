// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a clocked fabric is given beside the machine that it is to be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "hw/common/wake_wheel.h"
#include "models/fabric/inner_signals.h"
#include "models/fabric/later_network.h"
#include "models/fabric/observers.h"

namespace flitscope::hw {

struct FabricOptions {
    ChannelObserver* channels = nullptr;  ///< sees every channel; null costs nothing
    PacketObserver* packets = nullptr;
    InnerSignalObserver* inner_signals = nullptr;  ///< of the routers of trace.rtl_nodes
    ScanOrder scan_order = ScanOrder::kAscending;
    /// Modules may do ahead of the clock what nothing can change any more: for whoever looks at the
    /// fabric at inspections only. Nothing else depends on it.
    bool runs_ahead = false;
    /// At most so many threads simulate the fabric, the caller's among them, where it is made of
    /// packet routers and can be split into parts (hw/README.md, "Threads"). Results do not depend
    /// on it.
    std::uint32_t threads = 1;
    /// Per node the part that it belongs to, from 0 on without a gap, in place of a partition of
    /// our own, and threads are called in every cycle, however little there is to do; empty:
    /// neither. Results do not depend on it.
    std::vector<std::uint32_t> parts = {};
    /// The folder with the verilated routers; empty: the one that belongs to the program.
    std::filesystem::path rtl_libraries = {};
    /// What the network changes to while it runs; null: it does not. Packet switching with one
    /// channel per node and our own routers. Must outlive the fabric.
    const LaterNetwork* later = nullptr;
};

}  // namespace flitscope::hw
