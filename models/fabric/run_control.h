// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Ends a run from outside: by the limit, by inspections that its owner requests, and by polls. One
// place for all engines, so that the same happens in the same cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "models/base/types.h"

namespace flitscope {

/// Why a simulation ended.
enum class RunEnd : std::uint8_t {
    kIdle,         ///< nothing is left to happen: all work is done, or all that is left is stuck
    kLimit,        ///< the cycle limit was reached, or the last cycle that the clock can count
    kInterrupted,  ///< an inspection or a watcher asked to stop
};

/// The period of a clock as SystemC rounds it.
inline std::uint64_t clock_period_ps(double clock_ns) {
    return static_cast<std::uint64_t>(clock_ns * 1000 + 0.5);
}

/// SystemC counts picoseconds in 64 bits: no cycle from this one on is simulated with a clock
/// period of `period_ps`. The TLM engine counts cycles in signed numbers with a margin for sums.
inline Cycle end_of_time(std::uint64_t period_ps) {
    constexpr Cycle kMargin = Cycle{1} << 60;
    const Cycle last = std::numeric_limits<std::uint64_t>::max() / period_ps;
    return last < kMargin ? last : kMargin;
}

struct RunControl {
    /// Returned by inspect() to stop the run.
    static constexpr Cycle kStop = 0;

    Cycle limit = kNever;  ///< no cycle >= limit is simulated
    /// Nothing else runs in the SystemC kernel, so its time may stop while the engine advances from
    /// cycle to cycle: a time step of the kernel takes longer than a cycle of a small network.
    bool owns_kernel = false;
    /// Called when cycle `first_inspection` is over, then after each cycle that it has returned
    /// (later than `now`; kNever: none), whether or not a module is awake in it, while events
    /// remain. So all engines are inspected in the same cycles. May be empty.
    std::function<Cycle(Cycle now)> inspect;
    Cycle first_inspection = kNever;
    /// Called after every `poll_interval`th cycle with events, so that idle time costs nothing;
    /// false: stop. May be empty.
    std::function<bool(Cycle now)> keep_going;
    std::uint32_t poll_interval = 256;  ///< at least 1; 0 is taken for it
};

/// Puts the questions of a RunControl when they are due.
class Supervisor {
public:
    Supervisor() = default;
    explicit Supervisor(RunControl control)
        : next_(control.inspect ? control.first_inspection : kNever),
          until_poll_(std::max(control.poll_interval, 1U)),
          control_(std::move(control)) {
        control_.poll_interval = until_poll_;
    }

    /// The next inspection: a cycle that the engine must not sleep through. kNever: none.
    Cycle next() const { return next_; }
    /// After each cycle in which the engine is awake. False: no further one is simulated.
    bool after(Cycle now) {
        if (now >= next_) {
            next_ = control_.inspect(now);
            if (next_ == RunControl::kStop) return false;
        }
        if (--until_poll_ != 0) return true;
        until_poll_ = control_.poll_interval;
        return !control_.keep_going || control_.keep_going(now);
    }

private:
    Cycle next_ = kNever;
    std::uint32_t until_poll_ = RunControl().poll_interval;
    RunControl control_;
};

}  // namespace flitscope
