// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/common/thread_team.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace flitscope::hw {
namespace {

/// Number of looks before a waiting thread gives its processor away: some tens of microseconds, the
/// serial part of a cycle. Waking up takes longer than that.
constexpr int kLooks = 2000;

/// Number of looks before the caller, its own share done, helps with the others: a few
/// microseconds. A thread that is about to begin has the data of its share in its cache.
constexpr int kPatience = 200;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(std::uint32_t threads, Work work)
    : work_(std::move(work)), shares_(std::max(threads, 1U)) {
    threads_.reserve(shares_.size() - 1);
    try {
        for (std::size_t own = 1; own < shares_.size(); ++own) {
            threads_.emplace_back([this, own] { serve(own); });
        }
    } catch (const std::exception&) {
        // The system has no more threads, or no memory for one: the threads that there are do the
        // missing ones' shares.
    }
}

ThreadTeam::~ThreadTeam() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        ++portion_;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(std::size_t count) {
    const std::uint32_t portion = portion_.load(std::memory_order_relaxed) + 1;
    done_.store(0, std::memory_order_relaxed);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        const std::uint64_t begin = i * count / shares_.size();
        const std::uint64_t end = (i + 1) * count / shares_.size();
        shares_[i].left.store(std::uint64_t{portion} << 32 | end << 16 | begin,
                              std::memory_order_release);
    }
    // Either we see that a thread sleeps, or it sees the portion before it falls asleep.
    portion_.store(portion);
    if (asleep_.load() != 0) {
        { const std::lock_guard lock(mutex_); }
        called_.notify_all();
    }
    take_share(0, portion);
    for (int looks = 0; looks < kPatience && done_.load(std::memory_order_acquire) != count;
         ++looks) {
        pause();
    }
    for (std::size_t whose = 1; whose < shares_.size(); ++whose) take_share(whose, portion);
    for (int looks = 0; done_.load(std::memory_order_acquire) != count; ++looks) {
        if (looks < kLooks) {
            pause();
        } else {
            std::this_thread::yield();
        }
    }
}

void ThreadTeam::serve(std::size_t own) {
    std::uint32_t portion = 0;
    while (true) {
        portion = await_portion(portion);
        if (ending_) return;
        take_share(own, portion);
    }
}

/// Waits for the portion after `done`, or a later one, and returns its number.
std::uint32_t ThreadTeam::await_portion(std::uint32_t done) {
    for (int looks = 0; looks < kLooks; ++looks) {
        const std::uint32_t portion = portion_.load(std::memory_order_acquire);
        if (portion != done) return portion;
        pause();
    }
    std::unique_lock lock(mutex_);
    ++asleep_;
    called_.wait(lock, [this, done] { return portion_.load() != done; });
    --asleep_;
    return portion_.load();
}

void ThreadTeam::take_share(std::size_t whose, std::uint32_t portion) {
    while (take_one(shares_[whose], portion)) {
    }
}

bool ThreadTeam::take_one(Share& share, std::uint32_t portion) {
    std::uint64_t left = share.left.load(std::memory_order_acquire);
    std::size_t item = 0;
    do {
        item = left & 0xffff;
        if (left >> 32 != portion || item == (left >> 16 & 0xffff)) return false;
    } while (!share.left.compare_exchange_weak(left, left + 1, std::memory_order_acq_rel,
                                               std::memory_order_acquire));
    work_(item);
    done_.fetch_add(1, std::memory_order_release);
    return true;
}

}  // namespace flitscope::hw
