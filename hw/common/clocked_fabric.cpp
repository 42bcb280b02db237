// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/clocked_fabric.h"

#include <algorithm>

namespace flitscope::hw {

ClockedFabric::ClockedFabric(double clock_ns, ScanOrder scan_order)
    : clock_("clock", sc_core::sc_time(clock_ns, sc_core::SC_NS), scan_order) {}

void ClockedFabric::start(const RunControl& control) { clock_.supervise(control); }

RunEnd ClockedFabric::finish() {
    if (clock_.interrupted()) return RunEnd::kInterrupted;
    return clock_.stopped() ? RunEnd::kLimit : RunEnd::kIdle;
}

Cycle ClockedFabric::end_cycle() const {
    // All may have slept through the last cycles before the limit.
    if (clock_.stopped() || clock_.interrupted()) {
        return std::max(clock_.limit(), clock_.now() + 1);
    }
    return cycles_of_moves();
}

}  // namespace flitscope::hw
