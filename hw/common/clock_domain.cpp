// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/clock_domain.h"

#include <algorithm>
#include <utility>

namespace flitscope::hw {

ClockDomain::ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                         ScanOrder order)
    : sc_module(name), WakeWheel(order), period_(period) {
    set_limit(kNever);
    SC_METHOD(edge);
}

void ClockDomain::supervise(RunControl control) {
    set_limit(control.limit);
    supervisor_ = Supervisor(std::move(control));
    look_ahead();
}

void ClockDomain::run_ahead() {
    runs_ahead_ = true;
    look_ahead();
}

void ClockDomain::look_ahead() {
    // What an inspection sees is the state at the end of its cycle.
    if (runs_ahead_ && limit_ != 0) allow_ahead(std::min(supervisor_.next(), limit_ - 1));
}

void ClockDomain::edge() {
    const Cycle cycle = sc_core::sc_time_stamp().value() / period_.value();
    stopped_ = stopped_ || cycle >= limit_;  // somebody else may have woken us after the limit
    if (stopped_) return;
    tick_awake(cycle);
    interrupted_ = !supervisor_.after(cycle);
    look_ahead();
    const Cycle work = next_cycle();
    // Inspections come in the same cycles for every engine, whoever is awake.
    const Cycle next = std::min(work, supervisor_.next());
    stopped_ = interrupted_ || (work != kNever && next >= limit_);
    if (stopped_) return;  // not triggered again: the kernel runs out of events
    end_tick();
    if (work == kNever) {
        next_trigger(resumed_);
    } else {
        next_trigger(start_of(next) - sc_core::sc_time_stamp(), resumed_);
    }
}

void ClockDomain::woken_between_ticks() {
    if (stopped_) return;
    // Of several notifications of one event the earliest counts; a superfluous edge ticks nobody.
    const sc_core::sc_time next = start_of(std::min(next_cycle(), limit_));
    resumed_.notify(std::max(next, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
}

}  // namespace flitscope::hw
