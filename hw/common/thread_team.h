// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that share work which comes in portions of a few microseconds, such as that of a cycle.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace flitscope::hw {

/// Every thread has the same share of the items in every portion, so that what belongs to an item
/// stays in its processor's cache. A thread that does not begin within a few microseconds finds
/// nothing left: the caller does its share, and then waits only for items that others have begun.
class ThreadTeam {
public:
    /// Does one item, in any thread; must not throw.
    using Work = std::function<void(std::size_t item)>;

    /// `threads` >= 1 in all, or as many as the system allows; the thread that calls run() is one
    /// of them.
    ThreadTeam(std::uint32_t threads, Work work);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    static constexpr std::size_t kMost = 0xffff;  ///< items of a portion

    /// Does the items 0 to `count` - 1 (at most kMost), each once; returns when all are done.
    void run(std::size_t count);

private:
    /// The items of a share that are still to be taken: portion << 32 | end << 16 | begin. The
    /// portion number makes the compare-exchange fail for a thread still at an earlier portion.
    struct alignas(64) Share {
        std::atomic<std::uint64_t> left{0};
    };

    void serve(std::size_t own);
    void take_share(std::size_t whose, std::uint32_t portion);
    bool take_one(Share& share, std::uint32_t portion);
    std::uint32_t await_portion(std::uint32_t done);

    const Work work_;
    std::vector<Share> shares_;  // one per thread, the caller's first
    alignas(64) std::atomic<std::uint32_t> portion_{0};
    std::atomic<bool> ending_{false};
    alignas(64) std::atomic<std::size_t> done_{0};  // items of the portion
    std::atomic<std::uint32_t> asleep_{0};
    std::mutex mutex_;  // held while a thread falls asleep
    std::condition_variable called_;
    std::vector<std::thread> threads_;  // last: they begin when all else is there
};

}  // namespace flitscope::hw
