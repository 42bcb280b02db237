// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules the ticks of modules by cycle. Kernel-free: a ClockDomain turns the wheel as SystemC
// time advances, and all that modules need to sleep and to be woken is here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope::hw {

/// A module that works on the edges of a clock.
class Clocked {
public:
    virtual ~Clocked() = default;

    /// Does the work of cycle `now`. Returns the next cycle (> now) in which the module is to be
    /// ticked, or kNever to sleep until it is woken. In a domain of several parts other threads
    /// tick modules of other parts at the same time (clock_domain.h).
    virtual Cycle tick(Cycle now) = 0;
};

/// The order in which the modules of one cycle are evaluated. Results must not depend on it; the
/// tests prove that by running both.
enum class ScanOrder : std::uint8_t { kAscending, kDescending };

class Waiter;

class WakeupWheel {
public:
    explicit WakeupWheel(ScanOrder order = ScanOrder::kAscending) : order_(order) {}
    virtual ~WakeupWheel() = default;
    WakeupWheel(const WakeupWheel&) = delete;
    WakeupWheel& operator=(const WakeupWheel&) = delete;

    /// Registers a module; the returned index is its name for wake().
    std::uint32_t add(Clocked& module);

    /// Ticks `module` in cycle `at`, which must be in the future (before the simulation starts: at
    /// >= 0). Waking twice for one cycle ticks once; waking too early does no harm.
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
    /// The last cycle up to which a module may do ahead of time what nothing can change any more;
    /// the fabric is not inspected between now and then. 0, the default: no module may.
    Cycle ahead_until() const { return ahead_until_; }
    /// Notes that a module has done work ahead of time, up to cycle `last` at most.
    void reach(Cycle last) { reached_ = std::max(reached_, last); }
    /// Whether the first cycle has begun.
    bool started() const { return started_; }
    /// Whether no module is awake and none will wake by itself.
    bool idle() const { return occupied_ == 0 && later_.empty(); }

    // For several wheels, each turned by its own thread. News that are posted in one round are
    // taken in the next one, in which all wheels post to other places.

    /// Makes this the wheel number `part` of `parts`.
    void join(std::uint32_t part, std::uint32_t parts) {
        part_ = part;
        parts_ = parts;
        outboxes_.resize(std::size_t{2} * parts);
    }
    std::uint32_t part() const { return part_; }
    /// Posts news for `waiter`, whose module is on wheel `part`: the flit or credit that it may
    /// wait for is usable from cycle `at` on. Delivered when that wheel takes its news.
    void tell(std::uint32_t part, Waiter& waiter, Cycle at);
    /// Starts the next round on this wheel; wakes during it do not call woken_between_ticks().
    void begin_round() {
        ++round_;
        between_ticks_ = false;
    }
    /// Delivers the news that `from` posted for this wheel in the previous round. `from` must have
    /// begun or ended the current one.
    void take_news(WakeupWheel& from);

    // For the clock domain that turns the wheel.

    /// Ticks the modules that are awake in `cycle`. Must be called in ascending order, and for
    /// every cycle in which a module is awake.
    void tick_awake(Cycle cycle);
    /// The next cycle in which a module is awake; kNever if no module is awake.
    Cycle next_cycle() const;
    /// Number of modules that were ticked in the last cycle.
    std::size_t ticked() const { return ticked_; }

protected:
    /// Call after the modules of a cycle were ticked. Until the next tick_awake(), each wake()
    /// comes from outside and is followed by woken_between_ticks().
    void end_tick() { between_ticks_ = true; }
    virtual void woken_between_ticks() {}
    /// Sets ahead_until().
    void allow_ahead(Cycle until) { ahead_until_ = until; }
    /// The last cycle up to which a module has done work ahead of time.
    Cycle reached() const { return reached_; }
    /// Gives up the room for further modules, which every cycle would scan. No module may be added
    /// afterwards.
    void trim() { resize_slots((modules_.size() + 63) / 64); }

private:
    static constexpr std::size_t kSlots = 64;  // cycles; one bit of occupied_ each

    void resize_slots(std::size_t words);
    template <ScanOrder kOrder>
    void tick_slot();
    void wake_later(std::uint32_t module, Cycle at);

    ScanOrder order_;
    std::vector<Clocked*> modules_;
    std::size_t words_ = 0;             // 64-bit words per slot
    std::vector<std::uint64_t> wheel_;  // [slot][word]: modules to be ticked
    std::uint64_t occupied_ = 0;        // slots that hold a bit
    using Alarm = std::pair<Cycle, std::uint32_t>;
    std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> later_;
    Cycle now_ = 0;
    Cycle ahead_until_ = 0;
    Cycle reached_ = 0;
    std::size_t ticked_ = 0;
    bool between_ticks_ = false;
    bool started_ = false;

    struct News {
        Waiter* waiter = nullptr;
        Cycle at = 0;
    };
    struct alignas(64) Outbox {  // so that filling one does not slow down emptying another
        std::vector<News> news;
    };
    Outbox& outbox(std::uint32_t round, std::uint32_t to) {
        return outboxes_[std::size_t{round % 2} * parts_ + to];
    }
    std::vector<Outbox> outboxes_;  // of even rounds, one per destination wheel, then of odd ones
    std::uint32_t part_ = 0;
    std::uint32_t parts_ = 1;
    std::uint32_t round_ = 0;
};

/// The response to an awaited flit or credit: the bit to raise and the module to tick.
struct Sleeper {
    std::uint64_t* word = nullptr;
    std::uint32_t module = 0;
    std::uint32_t lead = 0;  ///< cycles by which the module is woken before it can be used
    /// 0: `word` is the only word. Else `word` starts a ring of per-cycle words; cycle c uses
    /// word[2 * c & ring].
    std::uint32_t ring = 0;
    std::uint8_t bit = 0;  ///< below 64

    void wake(WakeupWheel& clock, Cycle at) const {
        word[2 * at & ring] |= std::uint64_t{1} << bit;
        clock.wake(module, at - lead);
    }
};

/// Waits at one end of a FIFO for what comes from the other end.
class Waiter {
public:
    /// Sets what to wake, from the next wait() on.
    void set(const Sleeper& sleeper) { sleeper_ = sleeper; }
    void wait() { waits_ = true; }
    /// Waits no longer.
    void forget() { waits_ = waits_always_; }
    /// Waits now, and again whenever it has been woken.
    void wait_always() { waits_ = waits_always_ = true; }
    /// Says that our module is on wheel `home` and the modules that call wake() are on others.
    void live_on(const WakeupWheel& home) { home_ = home.part(); }

    /// Called from the other end, whose module is on wheel `clock`: the flit or credit is usable
    /// from cycle `at` on. Across two wheels the caller cannot see whether we wait, so the news are
    /// posted and we are woken when they are taken.
    void wake(WakeupWheel& clock, Cycle at) {
        if (home_ == kSameWheel) {
            sleeper_.wake(clock, at);
        } else {
            clock.tell(home_, *this, at);
        }
    }
    /// Called on our own wheel, with news from the other end. A module that is woken by news of
    /// something other than what it waits for looks, and waits again.
    void hear(WakeupWheel& home, Cycle at) {
        if (waits_) sleeper_.wake(home, at);
        waits_ = waits_always_;
    }

private:
    static constexpr std::uint32_t kSameWheel = UINT32_MAX;

    // All that wake() reads, kept together.
    Sleeper sleeper_;
    std::uint32_t home_ = kSameWheel;  // number of our wheel, if it is not that of the other end
    bool waits_ = false;               // read only across two wheels, in hear()
    bool waits_always_ = false;
};

}  // namespace flitscope::hw
