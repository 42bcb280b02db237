// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of bursts against a record of every single flit, and the calendar of events
// against a sorted map.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "tlm/engine/burst_sequence.h"
#include "tlm/engine/timing_wheel.h"

namespace flitscope::burst {
namespace {

TEST(BurstSequence, HasNothingToTellBeforeTheFirstFlit) {
    const BurstSequence sequence(2);
    EXPECT_EQ(sequence.count(), 0);
    EXPECT_EQ(sequence.count_at(100), 0);
    EXPECT_FALSE(sequence.is_open());
    EXPECT_EQ(sequence.breaks(100), 0);
    EXPECT_EQ(sequence.when(0), kUnknown);
    EXPECT_EQ(sequence.when(-1), kLongAgo);
}

TEST(BurstSequence, CountsTheFlitsOfItsBursts) {
    BurstSequence sequence(4);
    sequence.start(10);
    EXPECT_TRUE(sequence.is_open());
    EXPECT_EQ(sequence.count(), 0);
    EXPECT_EQ(sequence.count_at(10), 0);
    EXPECT_EQ(sequence.count_at(13), 3);
    EXPECT_EQ(sequence.when(2), 12);
    EXPECT_EQ(sequence.when(7), 17);  // unless it stops
    sequence.stop(15);
    EXPECT_FALSE(sequence.is_open());
    EXPECT_EQ(sequence.count(), 5);
    EXPECT_EQ(sequence.count_at(16), 5);
    EXPECT_EQ(sequence.when(4), 14);
    EXPECT_EQ(sequence.when(5), kUnknown);
    sequence.start(18);
    EXPECT_EQ(sequence.when(4), 14);
    EXPECT_EQ(sequence.when(5), 18);
    EXPECT_EQ(sequence.count_at(20), 7);
}

TEST(BurstSequence, CanBeToldAfterwardsWhereItStopped) {
    BurstSequence sequence(4);
    sequence.start(10);
    sequence.stop_at(3);  // in 13
    EXPECT_FALSE(sequence.is_open());
    EXPECT_EQ(sequence.count(), 3);
    EXPECT_EQ(sequence.when(2), 12);
    EXPECT_EQ(sequence.when(3), kUnknown);
    EXPECT_EQ(sequence.breaks(10), 3);
    sequence.start(20);
    EXPECT_EQ(sequence.when(2), 12);
    EXPECT_EQ(sequence.when(3), 20);
    EXPECT_EQ(sequence.breaks(10), 3);
}

TEST(BurstSequence, NamesTheOldestBurstThatComesTooLate) {
    BurstSequence sequence(4);
    sequence.start(10);  // flits 0 and 1, offset 10
    sequence.stop(12);
    sequence.start(13);  // flit 2, offset 11
    sequence.stop(14);
    sequence.start(16);  // flit 3 and so on, offset 13
    EXPECT_EQ(sequence.breaks(13), kUnknown);
    EXPECT_EQ(sequence.breaks(12), 3);
    EXPECT_EQ(sequence.breaks(11), 3);
    EXPECT_EQ(sequence.breaks(10), 2);
    sequence.stop(19);
    EXPECT_EQ(sequence.breaks(13), 6);  // not sent yet
    EXPECT_EQ(sequence.breaks(10), 2);
}

TEST(BurstSequence, ABurstThatGoesOnWithoutABubbleIsTheSameOne) {
    BurstSequence sequence(1);  // two bursts are kept
    sequence.start(5);
    sequence.stop(7);
    for (Tick t = 8; t < 28; ++t) {
        sequence.start(t);  // back-to-back one-flit packets
        sequence.stop(t + 1);
    }
    EXPECT_EQ(sequence.when(2), 8);
    EXPECT_EQ(sequence.when(1), 6);
    EXPECT_EQ(sequence.breaks(5), 2);
    EXPECT_EQ(sequence.count(), 22);
}

/// The cycle in which each flit moved, and nothing cleverer.
struct FlitRecord {
    std::vector<Tick> moved;
    bool open = false;

    FlitIndex count() const { return static_cast<FlitIndex>(moved.size()); }
    /// The first flit from `first` on that does not move by cycle i + limit, given that an open
    /// sequence continues.
    FlitIndex breaks(FlitIndex first, Tick limit) const {
        for (FlitIndex i = std::max<FlitIndex>(first, 0); i < count(); ++i) {
            if (moved[static_cast<std::size_t>(i)] > i + limit) return i;
        }
        return open ? kUnknown : count();
    }
};

class BurstSequenceOfHorizon : public testing::TestWithParam<int> {};

/// A follower `horizon` cycles behind can ask about any flit that has come through to it, or about
/// one before the first (the slots of an empty FIFO).
TEST_P(BurstSequenceOfHorizon, EqualsARecordOfEveryFlit) {
    const Tick horizon = GetParam();
    std::uint64_t breaks_in_time = 0;
    std::uint64_t breaks_of_older = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::mt19937_64 random(seed);
        BurstSequence sequence(static_cast<std::uint32_t>(horizon));
        FlitRecord record;
        const std::uint64_t changes =
            1 + seed % 7;  // of 8 cycles, from a burst to a bubble or back
        for (Tick now = 3; now < 400; ++now) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " cycle " << now);
            const bool moves = random() % 8 < changes ? !record.open : record.open;
            const bool reopens = moves && record.open && random() % 4 == 0;  // the next packet
            if (record.open && (!moves || reopens)) sequence.stop(now);
            if (moves && (!record.open || reopens)) sequence.start(now);
            record.open = moves;
            const FlitIndex before = record.count();
            ASSERT_EQ(sequence.count_at(now), before);
            ASSERT_EQ(sequence.is_open(), moves);
            if (moves) record.moved.push_back(now);

            FlitIndex come = 0;  // flits that have come through to the follower
            while (come < record.count() &&
                   record.moved[static_cast<std::size_t>(come)] <= now - horizon) {
                ++come;
            }
            for (FlitIndex n = come - 20; n < come; ++n) {
                const Tick limit = now - horizon - n;
                const FlitIndex expected = record.breaks(n, limit);
                ASSERT_EQ(sequence.breaks(limit), expected) << "flit " << n;
                breaks_in_time += expected == kUnknown ? 1 : 0;
                breaks_of_older += expected < before ? 1 : 0;
            }
            for (FlitIndex n = come; n < record.count(); ++n) {
                ASSERT_EQ(sequence.when(n), record.moved[static_cast<std::size_t>(n)]) << n;
            }
            for (FlitIndex n = std::max<FlitIndex>(come - 20, 0); n < come; ++n) {
                const Tick said = sequence.when(n);
                ASSERT_TRUE(said == kLongAgo || said == record.moved[static_cast<std::size_t>(n)]);
            }
            ASSERT_EQ(sequence.when(record.count()), moves ? now + 1 : kUnknown);
        }
    }
    EXPECT_GT(breaks_in_time, 10'000U);
    if (horizon > 2) {
        EXPECT_GT(breaks_of_older, 1000U);
    }
}

INSTANTIATE_TEST_SUITE_P(Horizons, BurstSequenceOfHorizon, testing::Range(1, 13));

class Entry final : public Event {
public:
    Entry() : Event(false) {}
    void run(Tick) override {}
};

constexpr Tick kTurn = 1 << 14;

std::vector<Event*> taken_from(TimingWheel& wheel, Tick time) {
    std::vector<Event*> events;
    wheel.take(time, [&events](Event& event) { events.push_back(&event); });
    return events;
}

TEST(TimingWheel, IsEmptyAtFirstAndWhenAllIsTakenOut) {
    TimingWheel wheel;
    EXPECT_TRUE(wheel.empty());
    EXPECT_EQ(wheel.earliest(0), kUnknown);
    Entry a;
    Entry b;
    wheel.insert(a, 7);
    wheel.insert(b, 7);
    EXPECT_FALSE(wheel.empty());
    EXPECT_EQ(a.time(), 7);
    wheel.remove(a);
    EXPECT_FALSE(wheel.empty());
    EXPECT_EQ(wheel.earliest(0), 7);
    wheel.remove(b);
    EXPECT_TRUE(wheel.empty());
    EXPECT_EQ(wheel.earliest(0), kUnknown);
    EXPECT_TRUE(taken_from(wheel, 7).empty());
}

TEST(TimingWheel, TellsTurnsOfABucketApart) {
    TimingWheel wheel;
    Entry now;
    Entry next;
    Entry far;
    wheel.insert(far, 5 + 3 * kTurn);
    wheel.insert(now, 5);
    wheel.insert(next, 5 + kTurn);
    EXPECT_EQ(wheel.earliest(5), 5);
    EXPECT_EQ(taken_from(wheel, 5), std::vector<Event*>{&now});
    EXPECT_EQ(wheel.earliest(6), 5 + kTurn);
    EXPECT_EQ(taken_from(wheel, 5 + kTurn), std::vector<Event*>{&next});
    EXPECT_EQ(wheel.earliest(6 + kTurn), 5 + 3 * kTurn);
}

TEST(TimingWheel, FindsEveryDistanceFromEveryPlaceInAWord) {
    TimingWheel wheel;
    Entry entry;
    const std::vector<Tick> distances{
        0,    1,    62,        63,        64,    65,        127,    4031,      4095,    4096,
        4097, 8192, kTurn - 2, kTurn - 1, kTurn, kTurn + 1, 20'000, 2 * kTurn, 100'000, 1'000'000};
    // Around a whole turn, and around a multiple of what a word of the summary covers.
    for (const Tick middle : {kTurn, kTurn + 4096}) {
        for (Tick from = middle - 70; from < middle + 70; ++from) {
            for (const Tick distance : distances) {
                wheel.insert(entry, from + distance);
                ASSERT_EQ(wheel.earliest(from), from + distance) << from << " + " << distance;
                wheel.remove(entry);
            }
        }
    }
    EXPECT_TRUE(wheel.empty());
}

/// Near and far times, the same bucket in different turns, events moved before they are due.
TEST(TimingWheel, EqualsASortedMapUnderRandomUse) {
    constexpr std::size_t kEvents = 60;
    std::uint64_t taken_events = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::mt19937_64 random(seed);
        TimingWheel wheel;
        std::deque<Entry> events(kEvents);
        std::multimap<Tick, Event*> expected;
        std::vector<std::multimap<Tick, Event*>::iterator> place(kEvents, expected.end());
        Tick from = 0;
        const auto draw_time = [&]() -> Tick {
            switch (random() % 6) {
                case 0:
                    return from + static_cast<Tick>(random() % 4);
                case 1:
                    return from + static_cast<Tick>(random() % 200);
                case 2:
                    return from + static_cast<Tick>(random() % kTurn);
                case 3:
                    return from + static_cast<Tick>(random() % 4) * kTurn;
                case 4:
                    return from + kTurn - 2 + static_cast<Tick>(random() % 4);
                default:
                    return from + static_cast<Tick>(random() % (40 * kTurn));
            }
        };
        for (int operation = 0; operation < 8000; ++operation) {
            const std::size_t i = random() % kEvents;
            const bool known = place[i] != expected.end();
            switch (random() % 4) {
                case 0:
                case 1: {
                    const Tick time = draw_time();
                    if (known) {
                        wheel.remove(events[i]);
                        expected.erase(place[i]);
                    }
                    wheel.insert(events[i], time);
                    place[i] = expected.emplace(time, &events[i]);
                    ASSERT_EQ(events[i].time(), time);
                    break;
                }
                case 2:
                    if (!known || random() % 2 == 0) break;
                    wheel.remove(events[i]);
                    expected.erase(place[i]);
                    place[i] = expected.end();
                    break;
                default: {
                    const Tick earliest = expected.empty() ? kUnknown : expected.begin()->first;
                    ASSERT_EQ(wheel.earliest(from), earliest) << "seed " << seed;
                    if (earliest == kUnknown) break;
                    std::vector<Event*> taken = taken_from(wheel, earliest);
                    std::vector<Event*> due;
                    for (std::size_t k = 0; k < kEvents; ++k) {
                        if (place[k] == expected.end() || place[k]->first != earliest) continue;
                        due.push_back(&events[k]);
                        expected.erase(place[k]);
                        place[k] = expected.end();
                    }
                    std::sort(due.begin(), due.end());
                    std::sort(taken.begin(), taken.end());
                    ASSERT_EQ(taken, due) << "seed " << seed;
                    taken_events += taken.size();
                    from = earliest + 1;
                    break;
                }
            }
            ASSERT_EQ(wheel.empty(), expected.empty());
        }
    }
    EXPECT_GT(taken_events, 20'000U);
}

}  // namespace
}  // namespace flitscope::burst
