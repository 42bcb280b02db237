// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/clock_domain.h"

#include <algorithm>
#include <utility>

namespace flitscope::hw {
namespace {

/// Length of a spell in cycles: for all of them together it is decided whether threads are called.
constexpr std::uint32_t kSpell = 64;

}  // namespace

/// The wheel of a part other than the first.
class ClockDomain::OtherPart final : public WakeupWheel {
public:
    OtherPart(ClockDomain& domain, ScanOrder order) : WakeupWheel(order), domain_(domain) {}

    using WakeupWheel::allow_ahead;
    using WakeupWheel::end_tick;
    using WakeupWheel::reached;
    using WakeupWheel::trim;

private:
    void woken_between_ticks() override {
        domain_.reports_[part()].next = next_cycle();
        if (!domain_.turning_) domain_.woken_between_ticks();
    }

    ClockDomain& domain_;
};

ClockDomain::ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                         ScanOrder order)
    : sc_module(name), WakeupWheel(order), period_(period), order_(order) {
    set_limit(kNever);
    SC_METHOD(edge);
}

ClockDomain::~ClockDomain() = default;

void ClockDomain::split(std::uint32_t parts, std::uint32_t threads, std::function<Cycle()> settle,
                        std::size_t worth_calling) {
    settle_ = std::move(settle);
    threads_ = threads;
    worth_calling_ = worth_calling;
    reports_.resize(parts);
    join(0, parts);
    for (std::uint32_t number = 1; number < parts; ++number) {
        others_.push_back(std::make_unique<OtherPart>(*this, order_));
        others_.back()->join(number, parts);
        others_.back()->end_tick();
    }
    use_threads(worth_calling == 0);
}

WakeupWheel& ClockDomain::part(std::uint32_t number) {
    if (number == 0) return *this;
    return *others_[number - 1];
}

bool ClockDomain::all_idle() const {
    return idle() && settle_next_ == kNever &&
           std::all_of(others_.begin(), others_.end(),
                       [](const auto& other) { return other->idle(); });
}

void ClockDomain::start_of_simulation() {
    trim();
    for (const auto& other : others_) other->trim();
}

void ClockDomain::supervise(RunControl control) {
    set_limit(control.limit);
    owns_kernel_ = control.owns_kernel;
    supervisor_ = Supervisor(std::move(control));
}

void ClockDomain::run_ahead(Cycle most) { most_ahead_ = most; }

/// Says how far ahead modules may run that are ticked in cycle `now`.
void ClockDomain::look_ahead(Cycle now) {
    if (most_ahead_ == 0) return;
    // An inspection sees the state at the end of its cycle. One that came while all modules slept,
    // until they were woken from outside, is still to be made.
    Cycle until = std::max(now, std::min(supervisor_.next(), limit_ - 1));
    if (until - now > most_ahead_) until = now + most_ahead_;
    if (until == ahead_until()) return;
    allow_all_ahead(until);
}

void ClockDomain::allow_all_ahead(Cycle until) {
    allow_ahead(until);
    for (const auto& other : others_) other->allow_ahead(until);
}

void ClockDomain::edge() {
    Cycle next = sc_core::sc_time_stamp().value() / period_.value();
    do {
        next = simulate(next);
    } while (owns_kernel_ && next != kNever);
    if (stopped_) return;  // not triggered again: the kernel runs out of events
    end_tick();
    if (next == kNever) {
        next_trigger(resumed_);
    } else {
        next_trigger(start_of(next) - sc_core::sc_time_stamp(), resumed_);
    }
}

/// Returns the next cycle to be simulated; kNever: none, for now.
Cycle ClockDomain::simulate(Cycle cycle) {
    stopped_ = stopped_ || cycle >= limit_;  // woken from outside after the limit
    if (stopped_) return kNever;
    look_ahead(cycle);
    turn(cycle);
    if (!interrupted_ && !supervisor_.after(cycle)) interrupt(cycle);
    const Cycle work = next_of_all();
    // Inspections come in the same cycles for every engine, whether or not a module is awake.
    const Cycle next = interrupted_ ? work : std::min(work, supervisor_.next());
    stopped_ = work != kNever && next >= limit_;
    return stopped_ || work == kNever ? kNever : next;
}

/// Ends the simulation after `cycle`, or, if modules are ahead of it, when all are equally far: so
/// counters show the state of one cycle.
void ClockDomain::interrupt(Cycle cycle) {
    interrupted_ = true;
    most_ahead_ = 0;
    allow_all_ahead(0);
    Cycle last = std::max(cycle, reached());
    for (const auto& other : others_) last = std::max(last, other->reached());
    set_limit(last + 1);
}

/// Ticks the modules that are awake in `cycle`, whatever their part.
void ClockDomain::turn(Cycle cycle) {
    if (others_.empty()) {
        tick_awake(cycle);
        if (settle_) settle_next_ = settle_();
        return;
    }
    turning_ = true;
    cycle_ = cycle;
    if (by_threads_) {
        team_->run(parts());
    } else {
        for (std::uint32_t number = 0; number < parts(); ++number) turn_part(number);
    }
    for (const Report& report : reports_) {
        if (report.failure) std::rethrow_exception(report.failure);
    }
    news_taken_ = false;
    settle_next_ = settle_();
    choose_threads();
    // Parts take their news when they are next turned. If that need not be in the next cycle, the
    // news can make it earlier.
    if (next_of_all() != cycle + 1) take_news();
    turning_ = false;
}

/// Turns one part in a round; other threads turn other parts at the same time.
void ClockDomain::turn_part(std::uint32_t number) {
    WakeupWheel& wheel = part(number);
    try {
        wheel.begin_round();
        if (!news_taken_) {
            for (std::uint32_t from = 0; from < parts(); ++from) wheel.take_news(part(from));
        }
        wheel.tick_awake(cycle_);
    } catch (...) {
        reports_[number].failure = std::current_exception();
    }
    end_round(number);
}

void ClockDomain::end_round(std::uint32_t number) {
    reports_[number].next = part(number).next_cycle();
    reports_[number].ticked = part(number).ticked();
    if (number != 0) others_[number - 1]->end_tick();
}

/// Delivers the news of all parts, in a separate round.
void ClockDomain::take_news() {
    for (std::uint32_t number = 0; number < parts(); ++number) {
        WakeupWheel& wheel = part(number);
        wheel.begin_round();
        for (std::uint32_t from = 0; from < parts(); ++from) wheel.take_news(part(from));
        end_round(number);
    }
    news_taken_ = true;
}

/// Decides whether threads are called in the next spell of cycles. A part that goes from one
/// processor to another takes its data along, so this is not decided anew in every cycle.
void ClockDomain::choose_threads() {
    for (const Report& report : reports_) spell_ticks_ += report.ticked;
    if (++turns_ < kSpell) return;
    use_threads(spell_ticks_ >= worth_calling_ * kSpell);
    turns_ = 0;
    spell_ticks_ = 0;
}

void ClockDomain::use_threads(bool worth_while) {
    by_threads_ = worth_while && threads_ > 1;
    if (!by_threads_ || team_ != nullptr) return;
    team_ = std::make_unique<ThreadTeam>(
        threads_, [this](std::size_t number) { turn_part(static_cast<std::uint32_t>(number)); });
}

Cycle ClockDomain::next_of_all() const {
    Cycle next = std::min(next_cycle(), settle_next_);
    for (std::size_t number = 1; number < reports_.size(); ++number) {
        next = std::min(next, reports_[number].next);
    }
    return next;
}

void ClockDomain::woken_between_ticks() {
    if (stopped_) return;
    // If an event is notified several times, the earliest counts; a superfluous edge ticks no
    // module.
    const sc_core::sc_time next = start_of(std::min(next_of_all(), limit_));
    resumed_.notify(std::max(next, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
}

}  // namespace flitscope::hw
