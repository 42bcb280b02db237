// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/wakeup_wheel.h"

#include <algorithm>

namespace flitscope::hw {
std::uint32_t WakeupWheel::add(Clocked& module) {
    modules_.push_back(&module);
    const std::size_t needed = (modules_.size() + 63) / 64;
    if (needed > words_) resize_slots(std::max(needed, 2 * words_));
    return static_cast<std::uint32_t>(modules_.size() - 1);
}

void WakeupWheel::resize_slots(std::size_t words) {
    std::vector<std::uint64_t> wheel(kSlots * words, 0);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        for (std::size_t w = 0; w < std::min(words, words_); ++w) {
            wheel[slot * words + w] = wheel_[slot * words_ + w];
        }
    }
    wheel_ = std::move(wheel);
    words_ = words;
}

void WakeupWheel::tick_awake(Cycle cycle) {
    between_ticks_ = false;
    started_ = true;
    now_ = cycle;
    while (!later_.empty() && later_.top().first <= now_) {
        wheel_[now_ % kSlots * words_ + later_.top().second / 64] |= std::uint64_t{1}
                                                                     << later_.top().second % 64;
        later_.pop();
    }
    occupied_ &= ~(std::uint64_t{1} << now_ % kSlots);
    if (order_ == ScanOrder::kAscending) {
        tick_slot<ScanOrder::kAscending>();
    } else {
        tick_slot<ScanOrder::kDescending>();
    }
}

template <ScanOrder kOrder>
void WakeupWheel::tick_slot() {
    std::uint64_t* const slot = wheel_.data() + now_ % kSlots * words_;
    const std::size_t next_index = (now_ + 1) % kSlots;
    std::uint64_t* const next_slot = wheel_.data() + next_index * words_;
    std::uint64_t any_again = 0;
    std::size_t ticked = 0;
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
            ++ticked;
            const Cycle next = modules[bit]->tick(now_);
            // Whether it is the next cycle is as good as random, and costs no branch.
            again |= std::uint64_t{next == now_ + 1} << bit;
            static_assert(kNever + 1 == 0);
            if (next + 1 > now_ + 2) {  // neither that nor never
                wake(static_cast<std::uint32_t>(w * 64 + bit), next);
            }
        }
        next_slot[w] |= again;
        any_again |= again;
    }
    if (any_again != 0) occupied_ |= std::uint64_t{1} << next_index;
    ticked_ = ticked;
}

Cycle WakeupWheel::next_cycle() const {
    Cycle next = later_.empty() ? kNever : later_.top().first;
    if (occupied_ != 0) {
        const unsigned shift = (now_ + 1) % kSlots;
        const std::uint64_t rotated =
            shift == 0 ? occupied_ : occupied_ >> shift | occupied_ << (kSlots - shift);
        next = std::min<Cycle>(next, now_ + 1 + static_cast<Cycle>(__builtin_ctzll(rotated)));
    }
    return next;
}

void WakeupWheel::take_news(WakeupWheel& from) {
    std::vector<News>& news = from.outbox(round_ - 1, part_).news;
    for (const News& item : news) item.waiter->hear(*this, item.at);
    news.clear();
}

void WakeupWheel::tell(std::uint32_t part, Waiter& waiter, Cycle at) {
    outbox(round_, part).news.push_back({&waiter, at});
}

void WakeupWheel::wake_later(std::uint32_t module, Cycle at) {
    later_.emplace(at, module);
    if (between_ticks_) woken_between_ticks();
}

}  // namespace flitscope::hw
