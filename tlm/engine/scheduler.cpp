// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/scheduler.h"

#include <algorithm>
#include <cassert>

namespace flitscope::burst {

Scheduler::Scheduler(sc_core::sc_module_name name, const sc_core::sc_time& period)
    : sc_module(name), period_(period) {
    set_limit(kNever);
    SC_METHOD(wake);
    sensitive << woken_;
}

void Scheduler::start(const RunControl& control) {
    set_limit(control.limit);
    owns_kernel_ = control.owns_kernel;
    supervisor_ = Supervisor(control);
}

/// Between two cycles nothing more comes of the last one but what it has decided.
void Scheduler::halt() {
    halted_ = true;
    if (running_ || !started_ || stopped_) return;
    stopped_ = true;
    limit_ = now_ + 1;
    close();
}

void Scheduler::set_limit(Cycle limit) {
    limit_ = static_cast<Tick>(std::min(limit, end_of_time(period_.value())));
}

RunEnd Scheduler::finish() const {
    if (interrupted_) return RunEnd::kInterrupted;
    return stopped_ ? RunEnd::kLimit : RunEnd::kIdle;
}

Cycle Scheduler::end_cycle() const {
    if (!stopped_) return static_cast<Cycle>(last_move_ + 1);
    return static_cast<Cycle>(interrupted_ || halted_ ? now_ + 1 : limit_);
}

Tick Scheduler::soonest() const {
    if (!started_) return 0;
    if (running_) return now_;  // called in the first phase: the second one is still to come
    return std::max(now_, cycle_of(sc_core::sc_time_stamp())) + 1;
}

/// Schedules an event for this cycle's second phase, for the first cycle of all, or not at all.
void Scheduler::schedule_now(Event& event, Tick time) {
    if (running_ && time == now_) {
        event.time_ = time;
        begins_.push_back(&event);
    } else if (is_known(time)) {
        assert(!started_ && time == 0);
        wheel_.insert(event, time);
    } else {
        event.time_ = kUnknown;
    }
}

void Scheduler::wake() {
    started_ = true;
    Tick next = cycle_of(sc_core::sc_time_stamp());
    do {
        next = simulate(next);
    } while (owns_kernel_ && is_known(next));
    if (is_known(next)) notify(next);
}

/// Returns the next cycle to be simulated; kUnknown: none, for now.
Tick Scheduler::simulate(Tick t) {
    stopped_ = stopped_ || halted_ || t >= limit_;  // woken from outside after the limit
    if (stopped_) return kUnknown;
    now_ = t;
    run_cycle();
    interrupted_ = !supervisor_.after(static_cast<Cycle>(now_));
    stopped_ = interrupted_ || halted_;
    if (interrupted_) {
        limit_ = now_ + 1;
        close();
    }
    if (stopped_) return kUnknown;
    const Tick work = wheel_.earliest(now_ + 1);
    if (!is_known(work)) return kUnknown;
    // Inspections come in the same cycles for every engine, whether or not an event is due.
    const Tick next = static_cast<Tick>(std::min(static_cast<Cycle>(work), supervisor_.next()));
    if (next >= limit_) {
        stopped_ = true;
        close();
        return kUnknown;
    }
    return next;
}

void Scheduler::run_cycle() {
    running_ = true;
    take_due();
    run_ends();
    // Nothing of the second phase makes more of it.
    for (std::size_t i = 0, count = begins_.size(); i < count; ++i) {
        fetch_behind(begins_, i);
        begins_[i]->time_ = kUnknown;
        begins_[i]->run(now_);
        assert(begins_.size() == count);
    }
    begins_.clear();
    running_ = false;
}

/// Brings everything to the state after the last cycle before the limit. A burst that ends in the
/// cycle of the limit moved its last flit before it, and is counted.
void Scheduler::close() {
    running_ = true;
    closing_ = true;
    now_ = limit_;
    take_due();
    run_ends();
    begins_.clear();
    now_ = limit_ - 1;
    running_ = false;
}

void Scheduler::take_due() {
    wheel_.take(now_, [this](Event& event) { (event.ends_ ? ends_ : begins_).push_back(&event); });
}

void Scheduler::run_ends() {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        fetch_behind(ends_, i);
        ends_[i]->time_ = kUnknown;
        ends_[i]->run(now_);
    }
    ends_.clear();
}

void Scheduler::notify(Tick next) {
    // The earliest notification of an event takes effect.
    const auto ticks = static_cast<sc_dt::uint64>(std::min(next, limit_)) * period_.value();
    const auto time = std::max(sc_core::sc_time::from_value(ticks), sc_core::sc_time_stamp());
    woken_.notify(time - sc_core::sc_time_stamp());
}

}  // namespace flitscope::burst
