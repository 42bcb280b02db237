// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One clock for many modules: a single SystemC process that ticks, in each cycle, just those
// modules that asked to be awake. One SC_METHOD per router costs more than moving its flits.
#pragma once

#include <algorithm>
#include <systemc>

#include "hw/common/wake_wheel.h"
#include "models/base/types.h"
#include "models/fabric/run_control.h"

namespace flitscope::hw {

class ClockDomain final : public sc_core::sc_module, public WakeWheel {
public:
    SC_HAS_PROCESS(ClockDomain);
    ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                ScanOrder order = ScanOrder::kAscending);

    /// Has the inspections and polls of `control` made, as long as any module is going to be
    /// ticked, and its limit kept.
    void supervise(RunControl control);

    /// Modules may run ahead of the clock up to the next inspection. For runs at which nobody looks
    /// in between.
    void run_ahead();

    /// No cycle >= `limit` is simulated, and none that SystemC's time does not reach.
    void set_limit(Cycle limit) { limit_ = std::min(limit, end_of_time(period_.value())); }
    Cycle limit() const { return limit_; }

    /// The limit or somebody who was asked ended the simulation.
    bool stopped() const { return stopped_; }
    /// Somebody who was asked did.
    bool interrupted() const { return interrupted_; }

private:
    void start_of_simulation() override { trim(); }
    void woken_between_ticks() override;
    void edge();
    void look_ahead();
    sc_core::sc_time start_of(Cycle cycle) const {
        return sc_core::sc_time::from_value(cycle * period_.value());
    }

    sc_core::sc_time period_;
    Cycle limit_ = kNever;
    bool runs_ahead_ = false;
    Supervisor supervisor_;
    bool stopped_ = false;
    bool interrupted_ = false;
    sc_core::sc_event resumed_;
};

}  // namespace flitscope::hw
