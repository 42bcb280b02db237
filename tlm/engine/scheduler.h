// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of the TLM fabric: one SystemC process that wakes up once per cycle in which something
// changes, for all routers and interfaces. A payload queue or an event per channel costs several
// times as much as the actual work.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/fabric/fabric.h"
#include "tlm/engine/burst_sequence.h"
#include "tlm/engine/timing_wheel.h"

namespace flitscope::burst {

/// A cycle has two phases. First all that ends: bursts, and with them the hold of packets on
/// channels. Then all that begins: grants and bursts. Events of the first phase may be seen in the
/// second one of the same cycle; those of the second are seen only in later cycles.
class Scheduler final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Scheduler);
    Scheduler(sc_core::sc_module_name name, const sc_core::sc_time& period);

    const sc_core::sc_time& period() const { return period_; }
    /// The cycle being simulated, or the last one that was.
    Tick now() const { return now_; }
    /// Nothing is left to happen.
    bool idle() const { return wheel_.empty(); }
    /// The first cycle for which a caller outside the fabric can schedule something.
    Tick soonest() const;

    /// Runs `event` in cycle `time` instead of the one it was scheduled for; kUnknown: not at all.
    /// In the first phase of a cycle that cycle's second phase is the earliest, else the next
    /// cycle.
    void schedule(Event& event, Tick time) {
        if (event.time_ == time) return;
        if (event.in_wheel_) wheel_.remove(event);
        if (time > now_ && is_known(time)) {
            wheel_.insert(event, time);
            if (!running_ && started_) notify(time);
        } else {
            schedule_now(event, time);
        }
    }
    /// No later than `time`.
    void schedule_by(Event& event, Tick time) {
        if (time < event.time_) schedule(event, time);
    }

    /// Implements Fabric::start() and the functions after it.
    void start(const RunControl& control);
    RunEnd finish() const;
    void halt();
    Cycle end_cycle() const;

    /// A flit moved in cycle `last`; for end_cycle().
    void moved(Tick last) { last_move_ = last; }
    /// Whether the limit has been reached. Bursts that end now ended within the limit, but must not
    /// be reported in a cycle that is no longer simulated.
    bool closing() const { return closing_; }

private:
    Tick cycle_of(const sc_core::sc_time& time) const {
        return static_cast<Tick>(time.value() / period_.value());
    }
    void set_limit(Cycle limit);
    void schedule_now(Event& event, Tick time);
    void wake();
    Tick simulate(Tick t);
    void notify(Tick next);
    void run_cycle();
    void take_due();
    void run_ends();
    /// Prefetches the events after number `i` while that one runs: in a large network they are in
    /// no cache.
    static void fetch_behind(const std::vector<Event*>& events, std::size_t i) {
        constexpr std::size_t kMany = 64;  // fewer are of a network that the cache holds
        constexpr std::size_t kFar = 4;
        if (events.size() < kMany || i + kFar >= events.size()) return;
        const auto* const place = reinterpret_cast<const char*>(events[i + kFar]);
        __builtin_prefetch(place);
        __builtin_prefetch(place + 64);
        events[i + kFar / 2]->fetch();
    }
    void close();

    sc_core::sc_time period_;
    TimingWheel wheel_;
    std::vector<Event*> ends_;    // events of the first phase of this cycle
    std::vector<Event*> begins_;  // events of the second phase of this cycle
    Tick now_ = 0;
    Tick last_move_ = -1;
    Tick limit_;
    Supervisor supervisor_;
    bool owns_kernel_ = false;  // RunControl
    bool running_ = false;      // within run_cycle()
    bool started_ = false;
    bool closing_ = false;
    bool stopped_ = false;
    bool halted_ = false;
    bool interrupted_ = false;  // by a poll
    sc_core::sc_event woken_;
};

}  // namespace flitscope::burst
