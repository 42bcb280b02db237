// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The thread of a trace and its table of owners by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "waveforms/batch_thread.h"
#include "waveforms/owner_table.h"
#include "waveforms/time_axis.h"

namespace flitscope::testing {
namespace {

TEST(BatchThread, TakesAllInOrderAndGivesBackEmptyBatches) {
    std::vector<Cycle> taken;
    std::string digits;
    BatchThread thread([&](const EventBatch& batch) {
        for (std::size_t i = 0; i < batch.count; ++i) taken.push_back(batch.events[i].cycle);
        digits += batch.digits;
    });
    EventBatch batch;
    for (Cycle cycle = 0; cycle < 500; ++cycle) {
        ASSERT_EQ(batch.count, 0U);
        ASSERT_EQ(batch.digits, "");
        batch.events[batch.count++].cycle = cycle;
        batch.digits += static_cast<char>('0' + cycle % 2);
        thread.put(batch);
    }
    thread.finish();
    ASSERT_EQ(taken.size(), 500U);
    for (Cycle cycle = 0; cycle < 500; ++cycle) EXPECT_EQ(taken[cycle], cycle);
    EXPECT_EQ(digits.substr(0, 6), "010101");
}

TEST(BatchThread, ThrowsWhatItsTakerHasThrownAndGoesOnNoMore) {
    int taken = 0;
    const auto fails = [&taken](const EventBatch&) {
        if (++taken == 3) throw std::runtime_error("no room");
    };
    {
        BatchThread thread(fails);
        EventBatch batch;
        const auto put_many = [&] {
            for (int i = 0; i < 1000; ++i) thread.put(batch);
        };
        EXPECT_THROW(put_many(), std::runtime_error);
        EXPECT_THROW(thread.finish(), std::runtime_error);
    }
    EXPECT_EQ(taken, 3);
    taken = 0;
    BatchThread left(fails);  // without finish(): the destructor is silent
    EventBatch batch;
    for (std::size_t i = 0; i < BatchThread::kBatches; ++i) {
        try {
            left.put(batch);
        } catch (const std::runtime_error&) {
            break;
        }
    }
}

TEST(OwnerTable, NumbersWhoHoldsAChannelByFirstUse) {
    OwnerTable table;
    EXPECT_EQ(table.number({3, 4, 100, 1}), 1U);
    EXPECT_EQ(table.number({3, 5, 7, 1}), 2U);
    EXPECT_EQ(table.number({3, 4, 100, 1}), 1U);
    EXPECT_EQ(table.number({3, 4, 101, 1}), 1U);  // another message of the same
    EXPECT_EQ(table.number({3, 4, 102, 2}), 3U);
    EXPECT_EQ(table.number({4, 3, 103, 1}), 4U);
    // So many that places for their numbers are taken by others of the same pair.
    for (std::uint32_t step = 3; step < 1000; ++step) {
        EXPECT_EQ(table.number({3, 4, 200 + step, step}), step + 2);
    }
}

TEST(OwnerTable, HasNoMoreThanItsMost) {
    OwnerTable table;
    for (std::uint32_t i = 0; i < OwnerTable::kMost; ++i) {
        const auto source = static_cast<std::uint16_t>(i);
        ASSERT_EQ(table.number({source, 1, i, i % 7}), i + 1);
    }
    EXPECT_EQ(table.number({0, 2, 1'000'000, 0}), 0U);
    EXPECT_EQ(table.number({5, 1, 2'000'000, 5}), 6U);  // a known one
    EXPECT_EQ(OwnerTable::value(OwnerTable::kMost, true), (1U << OwnerTable::kBits) - 1);
}

TEST(TimeAxis, IsPicosecondsWhereTheClockAllows) {
    EXPECT_EQ(make_time_axis(1).per_cycle, 1000U);
    EXPECT_EQ(make_time_axis(0.7).per_cycle, 700U);
    EXPECT_STREQ(make_time_axis(0.7).timescale, "1ps");
    EXPECT_EQ(make_time_axis(0.0125).per_cycle, 12'500U);
    EXPECT_STREQ(make_time_axis(0.0125).timescale, "1fs");
    EXPECT_EQ(make_time_axis(1.0 / 3).per_cycle, 333'333U);
    EXPECT_EQ(make_time_axis(123456.7891234).per_cycle, 123'456'789'123U);
    EXPECT_STREQ(make_time_axis(123456.7891234).timescale, "1fs");
    EXPECT_EQ(make_time_axis(123456.789).per_cycle, 123'456'789U);
    EXPECT_STREQ(make_time_axis(123456.789).timescale, "1ps");
    EXPECT_THROW(make_time_axis(0), std::invalid_argument);
}

}  // namespace
}  // namespace flitscope::testing
