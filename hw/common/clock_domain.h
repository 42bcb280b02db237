// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One clock for many modules: a single SystemC process that ticks, in each cycle, only the modules
// that asked to be awake. One SC_METHOD per router costs more than moving its flits.
//
// A domain can be split into parts, each with its own wheel, turned by several threads in parallel.
// Nothing that a module does in a cycle is visible to a module of another part in that cycle: flits
// and credits take at least one cycle, and sleeping modules are woken between two cycles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/common/thread_team.h"
#include "hw/common/wakeup_wheel.h"
#include "models/base/types.h"
#include "models/fabric/run_control.h"

namespace flitscope::hw {

/// The domain is itself the wheel of its first part, or of all modules if it is not split.
class ClockDomain final : public sc_core::sc_module, public WakeupWheel {
public:
    SC_HAS_PROCESS(ClockDomain);
    ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                ScanOrder order = ScanOrder::kAscending);
    ~ClockDomain() override;

    /// Number of modules ticked in a cycle from which it is worth calling other threads, which
    /// takes about a microsecond.
    static constexpr std::size_t kWorthCalling = 32;

    /// Splits the domain into `parts` (1 to ThreadTeam::kMost). At most `threads` threads turn
    /// them, the caller's included, while `worth_calling` modules or more are ticked per cycle.
    /// When all parts have been turned in a cycle, one thread calls `settle` for what modules put
    /// off because it concerns other parts. `settle` returns the next cycle in which it has to be
    /// called even if no module is awake; kNever: none. A single part can be settled, too. Must be
    /// called before any module is added.
    void split(std::uint32_t parts, std::uint32_t threads, std::function<Cycle()> settle,
               std::size_t worth_calling = kWorthCalling);
    std::uint32_t parts() const { return static_cast<std::uint32_t>(others_.size() + 1); }
    /// The wheel for the modules of a part.
    WakeupWheel& part(std::uint32_t number);

    /// Makes the inspections and polls of `control` as long as any module is going to be ticked,
    /// and keeps its limit.
    void supervise(RunControl control);

    /// Lets modules run ahead of the clock up to the next inspection, but by no more than `most`
    /// cycles. For runs that are not looked at in between.
    void run_ahead(Cycle most = kNever);

    /// Ends the simulation before cycle `limit`, and before the end of SystemC's time.
    void set_limit(Cycle limit) { limit_ = std::min(limit, end_of_time(period_.value())); }
    Cycle limit() const { return limit_; }

    /// Whether the limit or a poll ended the simulation.
    bool stopped() const { return stopped_; }
    /// Whether a poll ended the simulation.
    bool interrupted() const { return interrupted_; }
    /// Whether no module of any part is awake and none will wake by itself.
    bool all_idle() const;

private:
    class OtherPart;

    void start_of_simulation() override;
    void woken_between_ticks() override;
    void edge();
    Cycle simulate(Cycle cycle);
    void interrupt(Cycle cycle);
    void turn(Cycle cycle);
    void turn_part(std::uint32_t number);
    void end_round(std::uint32_t number);
    void take_news();
    void choose_threads();
    void use_threads(bool worth_while);
    Cycle next_of_all() const;
    void look_ahead(Cycle now);
    void allow_all_ahead(Cycle until);
    sc_core::sc_time start_of(Cycle cycle) const {
        return sc_core::sc_time::from_value(cycle * period_.value());
    }

    sc_core::sc_time period_;
    ScanOrder order_;
    Cycle limit_ = kNever;
    Cycle most_ahead_ = 0;  // cycles
    Supervisor supervisor_;
    bool owns_kernel_ = false;  // RunControl
    bool stopped_ = false;
    bool interrupted_ = false;
    sc_core::sc_event resumed_;

    /// State of a part after a round. One cache line each, so reading them does not contend with
    /// the threads that write them.
    struct alignas(64) Report {
        Cycle next = kNever;     // the next cycle in which a module is awake
        std::size_t ticked = 0;  // modules
        std::exception_ptr failure;
    };
    std::vector<std::unique_ptr<OtherPart>> others_;  // all parts but the first
    std::vector<Report> reports_;                     // per part, if there are several
    std::function<Cycle()> settle_;
    Cycle settle_next_ = kNever;
    std::uint32_t threads_ = 1;
    std::size_t worth_calling_ = kWorthCalling;
    bool turning_ = true;               // until the first round is over, and in every round
    bool by_threads_ = false;           // whether threads are called in this spell of cycles
    std::uint32_t turns_ = 0;           // cycles of the spell that have been turned
    std::size_t spell_ticks_ = 0;       // modules that were ticked in them
    alignas(64) Cycle cycle_ = 0;       // the cycle of the round; threads read this and the next
    bool news_taken_ = true;            // whether the news of the last round have been taken
    std::unique_ptr<ThreadTeam> team_;  // last: its threads use the rest
};

}  // namespace flitscope::hw
