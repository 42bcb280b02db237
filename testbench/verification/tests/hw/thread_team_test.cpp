// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The threads that share the work of a cycle: everything is done, once, before run() returns.
#include "hw/common/thread_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

/// Allocations of this thread that succeed before one that does not.
thread_local std::size_t allocations_left = SIZE_MAX;

}  // namespace

void* operator new(std::size_t bytes) {
    if (allocations_left != SIZE_MAX && allocations_left-- == 0) throw std::bad_alloc();
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
// Inlined they would seem to gcc to free what is not from malloc().
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace flitscope {
namespace {

using hw::ThreadTeam;

TEST(ThreadTeam, DoesEveryItemOnceHoweverManyThreadsThereAre) {
    for (const std::uint32_t threads : {0, 1, 2, 3, 8}) {
        SCOPED_TRACE(threads);
        // Not atomic: run() has to see what the threads did, and they what it was before.
        std::vector<std::uint64_t> done(1000);
        ThreadTeam team(threads, [&done](std::size_t item) { ++done[item]; });
        std::vector<std::uint64_t> expected(done.size());
        for (std::size_t portion = 0; portion < 3000; ++portion) {
            const std::size_t count = portion * 37 % (done.size() + 1);
            team.run(count);
            for (std::size_t i = 0; i < count; ++i) ++expected[i];
            ASSERT_EQ(done, expected) << count;
        }
    }
}

TEST(ThreadTeam, TakesTheMostThatItSaysItDoes) {
    std::vector<std::uint8_t> done(ThreadTeam::kMost);
    ThreadTeam team(3, [&done](std::size_t item) { ++done[item]; });
    team.run(done.size());
    EXPECT_EQ(done, std::vector<std::uint8_t>(done.size(), 1));
}

TEST(ThreadTeam, LetsThreadsWorkAtOnceAndWaitsForThem) {
    using Clock = std::chrono::steady_clock;
    std::atomic<int> inside{0};
    std::atomic<bool> met{false};
    const std::thread::id caller = std::this_thread::get_id();
    // Whoever comes first waits for another, and would wait in vain if it were to follow.
    ThreadTeam team(2, [&](std::size_t) {
        if (++inside == 2) met = true;
        const auto end = Clock::now() + std::chrono::seconds(10);
        while (!met && Clock::now() < end) std::this_thread::yield();
        if (std::this_thread::get_id() != caller) {  // takes longer than the caller
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        --inside;
    });
    // They are called when they have just begun to wait, and when they have long been asleep.
    for (const int idle_ms : {0, 100, 0, 100}) {
        met = false;
        std::this_thread::sleep_for(std::chrono::milliseconds(idle_ms));
        team.run(2);
        EXPECT_TRUE(met);
        EXPECT_EQ(inside, 0);
    }
}

// Whichever allocation fails, a thread that has begun is not left running.
TEST(ThreadTeam, DoesWithFewerThreadsWhereMemoryEnds) {
    bool is_whole = false;
    std::size_t refused = 0;
    for (std::size_t succeed = 0; !is_whole; ++succeed) {
        SCOPED_TRACE(succeed);
        std::vector<std::uint64_t> done(100);
        const ThreadTeam::Work work = [&done](std::size_t item) { ++done[item]; };
        std::optional<ThreadTeam> team;
        allocations_left = succeed;
        try {
            team.emplace(4, work);
        } catch (const std::bad_alloc&) {
            ++refused;
        }
        is_whole = std::exchange(allocations_left, SIZE_MAX) != SIZE_MAX;
        if (!team) continue;
        team->run(done.size());
        EXPECT_EQ(done, std::vector<std::uint64_t>(done.size(), 1));
    }
    EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace flitscope
