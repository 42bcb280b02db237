// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One clock for many modules: a single SystemC process that ticks, in each cycle, just those
// modules that asked to be awake. One SC_METHOD per router costs more than moving its flits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/fabric/run_control.h"

namespace flitscope::hw {

/// A module that works on the edges of a ClockDomain.
class Clocked {
public:
    virtual ~Clocked() = default;

    /// Does the work of cycle `now`. Returns the next cycle (> now) in which the module wants to
    /// be ticked, or kNever to sleep until somebody wakes it.
    virtual Cycle tick(Cycle now) = 0;
};

/// The order in which the modules of one cycle are evaluated. Results must not depend on it; the
/// tests prove that by running both.
enum class ScanOrder : std::uint8_t { kAscending, kDescending };

class ClockDomain final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(ClockDomain);
    ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                ScanOrder order = ScanOrder::kAscending);

    /// Registers a module; the returned index is its name for wake().
    std::uint32_t add(Clocked& module);

    /// Ticks `module` in cycle `at`, which must lie in the future (before the simulation starts:
    /// at >= 0). Waking twice for one cycle ticks once; waking too early does no harm.
    void wake(std::uint32_t module, Cycle at) {
        if (at - now_ < kWheelSlots) {
            const std::size_t slot = at % kWheelSlots;
            wheel_[slot * words_ + module / 64] |= std::uint64_t{1} << module % 64;
            occupied_ |= std::uint64_t{1} << slot;
            if (between_edges_) resume();
        } else {
            wake_later(module, at);
        }
    }

    /// Has the inspections and polls of `control` made, as long as any module is going to be
    /// ticked, and its limit kept.
    void supervise(RunControl control);

    /// No cycle >= `limit` is simulated, and none that SystemC's time does not reach.
    void set_limit(Cycle limit) { limit_ = std::min(limit, end_of_time(period_.value())); }
    Cycle limit() const { return limit_; }

    /// The cycle being simulated, or the last one that was.
    Cycle now() const { return now_; }
    /// The first cycle has begun.
    bool started() const { return started_; }
    /// No module is awake and none will wake by itself.
    bool idle() const { return occupied_ == 0 && later_.empty(); }
    /// The limit or somebody who was asked ended the simulation.
    bool stopped() const { return stopped_; }
    /// Somebody who was asked did.
    bool interrupted() const { return interrupted_; }

private:
    static constexpr std::size_t kWheelSlots = 64;  // cycles; one bit of occupied_ each

    void start_of_simulation() override;
    void resize_slots(std::size_t words);
    void edge();
    template <ScanOrder kOrder>
    void tick_awake();
    Cycle next_cycle() const;
    sc_core::sc_time start_of(Cycle cycle) const {
        return sc_core::sc_time::from_value(cycle * period_.value());
    }
    void resume();
    void wake_later(std::uint32_t module, Cycle at);

    sc_core::sc_time period_;
    ScanOrder order_;
    std::vector<Clocked*> modules_;
    std::size_t words_ = 0;             // 64-bit words per wheel slot
    std::vector<std::uint64_t> wheel_;  // [slot][word]: who is to be ticked
    std::uint64_t occupied_ = 0;        // slots that hold a bit
    using Alarm = std::pair<Cycle, std::uint32_t>;
    std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> later_;
    Cycle now_ = 0;
    Cycle limit_ = kNever;
    Supervisor supervisor_;
    bool between_edges_ = false;  // a wake() now comes from another process
    bool started_ = false;
    bool stopped_ = false;
    bool interrupted_ = false;
    sc_core::sc_event resumed_;
};

}  // namespace flitscope::hw
