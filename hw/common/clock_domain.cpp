// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/clock_domain.h"

#include <algorithm>

namespace flitscope::hw {

ClockDomain::ClockDomain(sc_core::sc_module_name name, const sc_core::sc_time& period,
                         ScanOrder order)
    : sc_module(name), period_(period), order_(order) {
    set_limit(kNever);
    SC_METHOD(edge);
}

std::uint32_t ClockDomain::add(Clocked& module) {
    modules_.push_back(&module);
    const std::size_t needed = (modules_.size() + 63) / 64;
    if (needed > words_) resize_slots(std::max(needed, 2 * words_));
    return static_cast<std::uint32_t>(modules_.size() - 1);
}

void ClockDomain::resize_slots(std::size_t words) {
    std::vector<std::uint64_t> wheel(kWheelSlots * words, 0);
    for (std::size_t slot = 0; slot < kWheelSlots; ++slot) {
        for (std::size_t w = 0; w < std::min(words, words_); ++w) {
            wheel[slot * words + w] = wheel_[slot * words_ + w];
        }
    }
    wheel_ = std::move(wheel);
    words_ = words;
}

void ClockDomain::supervise(RunControl control) {
    set_limit(control.limit);
    supervisor_ = Supervisor(std::move(control));
}

void ClockDomain::start_of_simulation() {
    // Growth left spare words behind, which every cycle would scan.
    resize_slots((modules_.size() + 63) / 64);
}

void ClockDomain::edge() {
    between_edges_ = false;
    started_ = true;
    const Cycle cycle = sc_core::sc_time_stamp().value() / period_.value();
    stopped_ = stopped_ || cycle >= limit_;  // somebody else may have woken us after the limit
    if (stopped_) return;
    now_ = cycle;
    while (!later_.empty() && later_.top().first <= now_) {
        wheel_[now_ % kWheelSlots * words_ + later_.top().second / 64] |=
            std::uint64_t{1} << later_.top().second % 64;
        later_.pop();
    }
    occupied_ &= ~(std::uint64_t{1} << now_ % kWheelSlots);
    if (order_ == ScanOrder::kAscending) {
        tick_awake<ScanOrder::kAscending>();
    } else {
        tick_awake<ScanOrder::kDescending>();
    }
    interrupted_ = !supervisor_.after(now_);
    const Cycle work = next_cycle();
    // Inspections come in the same cycles for every engine, whoever is awake.
    const Cycle next = std::min(work, supervisor_.next());
    stopped_ = interrupted_ || (work != kNever && next >= limit_);
    if (stopped_) return;  // not triggered again: the kernel runs out of events
    between_edges_ = true;
    if (work == kNever) {
        next_trigger(resumed_);
    } else {
        next_trigger(start_of(next) - sc_core::sc_time_stamp(), resumed_);
    }
}

template <ScanOrder kOrder>
void ClockDomain::tick_awake() {
    std::uint64_t* const slot = wheel_.data() + now_ % kWheelSlots * words_;
    const std::size_t next_index = (now_ + 1) % kWheelSlots;
    std::uint64_t* const next_slot = wheel_.data() + next_index * words_;
    std::uint64_t any_again = 0;
    for (std::size_t i = 0; i < words_; ++i) {
        const std::size_t w = kOrder == ScanOrder::kAscending ? i : words_ - 1 - i;
        std::uint64_t bits = slot[w];
        slot[w] = 0;
        Clocked* const* const modules = modules_.data() + w * 64;
        std::uint64_t again = 0;  // most modules that are awake stay awake
        while (bits != 0) {
            const unsigned bit = kOrder == ScanOrder::kAscending
                                     ? static_cast<unsigned>(__builtin_ctzll(bits))
                                     : 63U - static_cast<unsigned>(__builtin_clzll(bits));
            const std::uint64_t mask = std::uint64_t{1} << bit;
            bits ^= mask;
            const Cycle next = modules[bit]->tick(now_);
            if (next == now_ + 1) {
                again |= mask;
            } else if (next != kNever) {
                wake(static_cast<std::uint32_t>(w * 64 + bit), next);
            }
        }
        next_slot[w] |= again;
        any_again |= again;
    }
    if (any_again != 0) occupied_ |= std::uint64_t{1} << next_index;
}

Cycle ClockDomain::next_cycle() const {
    Cycle next = later_.empty() ? kNever : later_.top().first;
    if (occupied_ != 0) {
        const unsigned shift = (now_ + 1) % kWheelSlots;
        const std::uint64_t rotated =
            shift == 0 ? occupied_ : occupied_ >> shift | occupied_ << (kWheelSlots - shift);
        next = std::min<Cycle>(next, now_ + 1 + static_cast<Cycle>(__builtin_ctzll(rotated)));
    }
    return next;
}

void ClockDomain::resume() {
    // Of several notifications of one event the earliest counts; a superfluous edge ticks nobody.
    const sc_core::sc_time next = start_of(std::min(next_cycle(), limit_));
    resumed_.notify(std::max(next, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
}

void ClockDomain::wake_later(std::uint32_t module, Cycle at) {
    later_.emplace(at, module);
    if (between_edges_) resume();
}

}  // namespace flitscope::hw
