// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of strides against a record of every single flit.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tlm/engine/stride_sequence.h"

namespace flitscope::burst {
namespace {

TEST(StrideSequence, HasNothingToTellBeforeTheFirstFlit) {
    const StrideSequence sequence(2);
    EXPECT_EQ(sequence.count_at(100), 0);
    EXPECT_EQ(sequence.limit(), 0);
    EXPECT_EQ(sequence.when(0), kUnknown);
    EXPECT_EQ(sequence.when(-1), kLongAgo);
    EXPECT_EQ(sequence.when(-100), kLongAgo);
    EXPECT_FALSE(sequence.plans(0, 0, 1, 1));
}

TEST(StrideSequence, PlansFlitsWithAStrideUpToALimit) {
    StrideSequence sequence(4);
    sequence.plan(10, 11, 3, 4);  // in 11, 14, 17, 20
    EXPECT_EQ(sequence.count_at(11), 0);
    EXPECT_EQ(sequence.count_at(12), 1);
    EXPECT_EQ(sequence.count_at(14), 1);
    EXPECT_EQ(sequence.count_at(15), 2);
    EXPECT_EQ(sequence.count_at(1000), 4);
    EXPECT_EQ(sequence.when(0), 11);
    EXPECT_EQ(sequence.when(3), 20);
    EXPECT_EQ(sequence.when(4), kUnknown);
    EXPECT_EQ(sequence.limit(), 4);
    EXPECT_TRUE(sequence.plans(10, 11, 3, 4));
    EXPECT_TRUE(sequence.plans(12, 14, 3, 4));
    EXPECT_FALSE(sequence.plans(12, 14, 2, 4));
    EXPECT_FALSE(sequence.plans(12, 14, 3, 5));
    EXPECT_FALSE(sequence.plans(12, 15, 3, 4));
    EXPECT_TRUE(sequence.plans(18, 20, 7, 4));  // one flit has no stride
    EXPECT_FALSE(sequence.plans(21, 23, 3, 4));
}

TEST(StrideSequence, KeepsWhatMovedWhenThePlanChanges) {
    StrideSequence sequence(4);
    sequence.plan(10, 10, 2, 100);
    sequence.plan(15, 15, 1, 100);  // 0, 1, 2 in 10, 12, 14
    EXPECT_EQ(sequence.when(2), 14);
    EXPECT_EQ(sequence.when(1), 12);
    EXPECT_EQ(sequence.when(3), 15);
    EXPECT_EQ(sequence.when(5), 17);
    sequence.stop(17);
    EXPECT_EQ(sequence.limit(), 5);
    EXPECT_EQ(sequence.when(4), 16);
    EXPECT_EQ(sequence.when(5), kUnknown);
    EXPECT_EQ(sequence.count_at(1000), 5);
}

/// What moved, and is to move, flit by flit.
struct Record {
    std::vector<Tick> moved;

    Tick when(FlitIndex n) const {
        if (n < 0) return kLongAgo;
        return n < static_cast<FlitIndex>(moved.size()) ? moved[static_cast<std::size_t>(n)]
                                                        : kUnknown;
    }
};

/// Plans at random, one after the other, up to cycle `end`.
void plan_at_random(std::mt19937_64& random, StrideSequence& sequence, Record& record, Tick end) {
    for (Tick t = 1 + static_cast<Tick>(random() % 5); t < end;
         t += 1 + static_cast<Tick>(random() % 9)) {
        while (!record.moved.empty() && record.moved.back() >= t) record.moved.pop_back();
        const auto count = static_cast<FlitIndex>(record.moved.size());
        ASSERT_EQ(sequence.count_at(t), count);
        if (random() % 4 == 0) {
            sequence.stop(t);
            continue;
        }
        const Tick start = t + static_cast<Tick>(random() % 3);
        const Tick stride = 1 + static_cast<Tick>(random() % 4);
        const FlitIndex flits = 1 + static_cast<FlitIndex>(random() % 20);
        sequence.plan(t, start, stride, count + flits);
        for (FlitIndex i = 0; i < flits; ++i) record.moved.push_back(start + stride * i);
    }
}

TEST(StrideSequence, EqualsARecordOfEveryFlit) {
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto horizon = static_cast<std::uint32_t>(1 + random() % 12);
        StrideSequence sequence(horizon);
        Record record;
        const Tick end = 40 + static_cast<Tick>(random() % 40);
        plan_at_random(random, sequence, record, end);
        const auto flits = static_cast<FlitIndex>(record.moved.size());
        EXPECT_EQ(sequence.limit(), flits);
        for (Tick t = end; t < end + 30; ++t) {
            EXPECT_EQ(sequence.count_at(t),
                      std::lower_bound(record.moved.begin(), record.moved.end(), t) -
                          record.moved.begin());
        }
        for (FlitIndex n = -3; n < flits + 3; ++n) {
            // What is older than the horizon may be forgotten.
            const Tick when = sequence.when(n);
            if (when != record.when(n)) {
                EXPECT_EQ(when, kLongAgo);
                EXPECT_LE(record.when(n) + static_cast<Tick>(horizon), end);
            }
            const Progression p = sequence.progression(n);
            EXPECT_GT(p.end, n);
            EXPECT_EQ(p.at, when);
            for (FlitIndex i = n; i < std::min(p.end, flits + 3); ++i) {
                EXPECT_EQ(is_known(p.at) && p.at != kLongAgo ? p.at + p.stride * (i - n) : p.at,
                          sequence.when(i));
            }
        }
    }
}

/// Cycle by cycle, as hw/TIMING.md has it.
Tick first_surprise_by_cycles(const Condition& supply, const Condition& credit, FlitIndex n,
                              Tick at, Tick stride, FlitIndex end, Tick slack) {
    for (Tick t = at - stride + 1; n < end; ++t) {
        const bool is_ready = supply.since(n) <= t && credit.since(n) <= t;
        if (is_ready != (t >= at - slack)) return t;
        if (t == at) {
            ++n;
            at += stride;
        }
    }
    return kUnknown;
}

TEST(FirstSurprise, IsThatOfALookAtEveryCycle) {
    std::size_t early = 0;
    std::size_t late = 0;
    std::size_t never = 0;
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto delay = static_cast<Tick>(1 + random() % 6);
        const auto credit_delay = static_cast<Tick>(1 + random() % 6);
        StrideSequence arrivals(static_cast<std::uint32_t>(delay));
        StrideSequence pops(static_cast<std::uint32_t>(credit_delay));
        Record record;
        const Tick now = 30 + static_cast<Tick>(random() % 20);
        plan_at_random(random, arrivals, record, now);
        Record other;
        plan_at_random(random, pops, other, now);
        const auto flits = static_cast<FlitIndex>(record.moved.size());
        const Condition supply =
            random() % 8 == 0 ? Condition{}
                              : Condition{&arrivals, static_cast<FlitIndex>(random() % 3), delay};
        const Condition credit =
            random() % 4 == 0
                ? Condition{}
                : Condition{&pops, -static_cast<FlitIndex>(random() % 12), credit_delay};
        const FlitIndex n =
            std::max<FlitIndex>(0, flits - 1 - static_cast<FlitIndex>(random() % 20));
        const FlitIndex end = n + 1 + static_cast<FlitIndex>(random() % 40);
        const Tick stride = 1 + static_cast<Tick>(random() % 4);
        // The cycles before `now` have passed.
        const Tick at = now + stride + static_cast<Tick>(random() % 3);
        const auto slack = static_cast<Tick>(random() % static_cast<std::uint64_t>(stride));
        const Tick expected = first_surprise_by_cycles(supply, credit, n, at, stride, end, slack);
        const Tick found = first_surprise(supply, credit, n, at, stride, end, slack);
        ASSERT_EQ(found, expected);
        const Tick ready = std::max(supply.since(n), credit.since(n));
        ++(!is_known(found) ? never : ready < found ? early : late);
    }
    EXPECT_GT(early, 1000U);
    EXPECT_GT(late, 1000U);
    EXPECT_GT(never, 300U);
}

}  // namespace
}  // namespace flitscope::burst
