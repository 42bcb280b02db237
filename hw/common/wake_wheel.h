// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Who is to be ticked in which cycle. Kernel-free: a ClockDomain turns the wheel as SystemC's time
// goes on, and all that modules need to sleep and to be woken is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "hw/common/thread_team.h"
#include "models/base/types.h"

namespace flitscope::hw {

/// A module that works on the edges of a clock.
class Clocked {
public:
    virtual ~Clocked() = default;

    /// Does the work of cycle `now`. Returns the next cycle (> now) in which the module wants to
    /// be ticked, or kNever to sleep until somebody wakes it.
    virtual Cycle tick(Cycle now) = 0;

    /// The first part of tick(now), where WakeWheel::prepare_ahead() was asked for: what looks at
    /// nothing that any tick changes in cycle `now`, and changes nothing that another prepare()
    /// looks at. Must not throw. May be called by any thread before the ticks of the cycle, or not
    /// at all: then tick() does it.
    virtual void prepare(Cycle) {}
};

/// The order in which the modules of one cycle are evaluated. Results must not depend on it; the
/// tests prove that by running both.
enum class ScanOrder : std::uint8_t { kAscending, kDescending };

class WakeWheel {
public:
    explicit WakeWheel(ScanOrder order = ScanOrder::kAscending) : order_(order) {}
    virtual ~WakeWheel() = default;
    WakeWheel(const WakeWheel&) = delete;
    WakeWheel& operator=(const WakeWheel&) = delete;

    /// Registers a module; the returned index is its name for wake().
    std::uint32_t add(Clocked& module);

    /// Has prepare() of `module` called ahead of its ticks, where there are several threads.
    void prepare_ahead(std::uint32_t module) { prepared_.push_back(module); }
    /// The threads that share the calls of prepare(), the caller's among them; 1, as from the
    /// start: no other. They begin with the first cycle that has enough for them to do.
    void set_threads(std::uint32_t threads) { threads_ = threads; }

    /// Ticks `module` in cycle `at`, which must lie in the future (before the simulation starts:
    /// at >= 0). Waking twice for one cycle ticks once; waking too early does no harm.
    void wake(std::uint32_t module, Cycle at) {
        if (at - now_ < kSlots) {
            const std::size_t slot = at % kSlots;
            wheel_[slot * words_ + module / 64] |= std::uint64_t{1} << module % 64;
            occupied_ |= std::uint64_t{1} << slot;
            if (between_ticks_) woken_between_ticks();
        } else {
            wake_later(module, at);
        }
    }

    /// The cycle being simulated, or the last one that was.
    Cycle now() const { return now_; }
    /// The last cycle up to which a module may do ahead of time what nothing can change any more.
    /// Nobody looks at the fabric between now and then. 0, as from the start: none does.
    Cycle ahead_until() const { return ahead_until_; }
    /// The first cycle has begun.
    bool started() const { return started_; }
    /// No module is awake and none will wake by itself.
    bool idle() const { return occupied_ == 0 && later_.empty(); }

    // For whoever turns the wheel.

    /// Ticks the modules that are awake in `cycle`. Cycles come in ascending order, and all of them
    /// in which a module is awake.
    void tick_awake(Cycle cycle);
    /// The next cycle in which a module is awake; kNever when there is none.
    Cycle next_cycle() const;

protected:
    /// The work of a cycle is done: until the next tick_awake() whoever wakes a module is none that
    /// is being ticked, and woken_between_ticks() is called behind it.
    void end_tick() { between_ticks_ = true; }
    virtual void woken_between_ticks() {}
    /// As ahead_until(); no earlier than what modules have done.
    void allow_ahead(Cycle until) { ahead_until_ = until; }
    /// No module will be added any more: gives up the room for them, which every cycle would scan.
    void trim() { resize_slots((modules_.size() + 63) / 64); }

private:
    static constexpr std::size_t kSlots = 64;  // cycles; one bit of occupied_ each

    void resize_slots(std::size_t words);
    template <ScanOrder kOrder>
    void tick_slot();
    bool is_awake(std::uint32_t module) const {
        return (wheel_[now_ % kSlots * words_ + module / 64] >> module % 64 & 1) != 0;
    }
    void prepare_awake();
    void wake_later(std::uint32_t module, Cycle at);

    ScanOrder order_;
    std::vector<Clocked*> modules_;
    std::size_t words_ = 0;             // 64-bit words per slot
    std::vector<std::uint64_t> wheel_;  // [slot][word]: who is to be ticked
    std::uint64_t occupied_ = 0;        // slots that hold a bit
    using Alarm = std::pair<Cycle, std::uint32_t>;
    std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> later_;
    Cycle now_ = 0;
    Cycle ahead_until_ = 0;
    bool between_ticks_ = false;
    bool started_ = false;
    std::vector<std::uint32_t> prepared_;  // modules of prepare_ahead()
    std::uint32_t threads_ = 1;
    std::unique_ptr<ThreadTeam> team_;  // last: its threads use the rest
};

/// Somebody asleep until a flit or a credit comes: the bit to raise and the module to tick.
struct Sleeper {
    std::uint64_t* word = nullptr;
    std::uint64_t bit = 0;
    std::uint32_t module = 0;
    std::uint32_t lead = 0;  ///< so many cycles before it can be used

    void wake(WakeWheel& clock, Cycle at) const {
        *word |= bit;
        clock.wake(module, at - lead);
    }
};

}  // namespace flitscope::hw
