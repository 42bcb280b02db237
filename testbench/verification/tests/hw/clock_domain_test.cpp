// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock domain: which modules are ticked when, and what ends a simulation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hw/common/clock_domain.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/inspections.h"
#include "testbench/verification/tests/support/scripted_module.h"

namespace flitscope {
namespace {

using hw::ScanOrder;
using testing::ElementsAre;

/// Another SystemC process than the domain's: does something at a given time.
class Bystander final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Bystander);
    Bystander(sc_core::sc_module_name name, const sc_core::sc_time& at, std::function<void()> act)
        : sc_module(name), at_(at), act_(std::move(act)) {
        SC_METHOD(act);
    }

private:
    void act() {
        if (sc_core::sc_time_stamp() < at_) {
            next_trigger(at_ - sc_core::sc_time_stamp());
        } else {
            act_();
        }
    }
    sc_core::sc_time at_;
    std::function<void()> act_;
};

class ClockDomainTest : public testing::Test {
protected:
    FreshKernel kernel_;
    hw::ClockDomain clock_{"clock", kPeriod};
};

TEST_F(ClockDomainTest, TicksAModuleExactlyInTheCyclesItAsksFor) {
    // Around one turn of the wheel (64 cycles), and far beyond it.
    const std::vector<Cycle> gaps = {1, 1, 2, 62, 63, 64, 65, 127, 128, 129, 1000, 1'000'000'007};
    std::vector<Cycle> expected = {3};
    for (const Cycle gap : gaps) expected.push_back(expected.back() + gap);
    Scripted module;
    module.answer = [&](Cycle now) {
        const std::size_t n = module.ticks.size();
        return n <= gaps.size() ? now + gaps[n - 1] : kNever;
    };
    clock_.wake(clock_.add(module), 3);
    sc_core::sc_start();
    EXPECT_EQ(module.ticks, expected);
    EXPECT_EQ(clock_.now(), expected.back());
    EXPECT_TRUE(clock_.idle());
    EXPECT_FALSE(clock_.stopped());
}

TEST_F(ClockDomainTest, TicksOnceHoweverOftenAModuleIsWoken) {
    Scripted sleeper;
    Scripted waker;
    const std::uint32_t name = clock_.add(sleeper);
    waker.answer = [&](Cycle now) {
        clock_.wake(name, 5);
        clock_.wake(name, 5);
        clock_.wake(name, 500);  // beyond the wheel now, within it later
        return now < 450 ? now + 1 : kNever;
    };
    const std::uint32_t other = clock_.add(waker);
    clock_.wake(other, 0);
    clock_.wake(other, 0);
    clock_.set_limit(600);
    waker.answer = [&, first = waker.answer](Cycle now) {
        if (now < 5 || now > 400) {
            if (now < 5) return first(now);
            clock_.wake(name, 500);
        }
        return now < 450 ? now + 1 : kNever;
    };
    sc_core::sc_start();
    EXPECT_THAT(sleeper.ticks, ElementsAre(5, 500));
    EXPECT_EQ(waker.ticks.size(), 451U);
}

TEST_F(ClockDomainTest, KeepsAlarmsWhenModulesAreAddedLater) {
    std::vector<Scripted> modules(300);
    for (std::size_t i = 0; i < modules.size(); ++i) {
        clock_.wake(clock_.add(modules[i]), i % 100);
    }
    sc_core::sc_start();
    for (std::size_t i = 0; i < modules.size(); ++i) {
        ASSERT_THAT(modules[i].ticks, ElementsAre(i % 100)) << i;
    }
}

TEST_F(ClockDomainTest, TicksModulesOfAllPartsInTheCyclesTheyAskFor) {
    std::vector<Cycle> settled;
    clock_.split(
        3, 3,
        [&] {
            settled.push_back(clock_.now());
            return kNever;
        },
        0);
    ASSERT_EQ(clock_.parts(), 3U);
    // Sometimes all of them are awake, sometimes a part, sometimes nobody.
    std::vector<Scripted> modules(30);
    std::set<Cycle> awake;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        hw::WakeupWheel& wheel = clock_.part(i % 3);
        wheel.wake(wheel.add(modules[i]), i);
        modules[i].answer = [i, &wheel](Cycle now) {
            EXPECT_EQ(wheel.now(), now);
            return now < 1000 ? now + 1 + i * i % 90 : kNever;
        };
    }
    EXPECT_FALSE(clock_.all_idle());
    sc_core::sc_start();
    EXPECT_TRUE(clock_.all_idle());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        std::vector<Cycle> expected = {i};
        while (expected.back() < 1000) expected.push_back(expected.back() + 1 + i * i % 90);
        ASSERT_EQ(modules[i].ticks, expected) << i;
        awake.insert(expected.begin(), expected.end());
    }
    EXPECT_EQ(settled, std::vector<Cycle>(awake.begin(), awake.end()));
}

TEST_F(ClockDomainTest, LetsPartsBeTickedByDifferentThreads) {
    using Clock = std::chrono::steady_clock;
    clock_.split(
        2, 2, [] { return kNever; }, 0);
    std::atomic<int> here{0};
    std::vector<Scripted> modules(2);
    for (std::uint32_t part = 0; part < 2; ++part) {
        hw::WakeupWheel& wheel = clock_.part(part);
        wheel.wake(wheel.add(modules[part]), 0);
        // Whoever comes first waits for the other, and would wait in vain if it were to follow.
        modules[part].answer = [&here](Cycle) {
            ++here;
            const auto end = Clock::now() + std::chrono::seconds(10);
            while (here != 2 && Clock::now() < end) std::this_thread::yield();
            EXPECT_EQ(here, 2);
            return kNever;
        };
    }
    sc_core::sc_start();
}

TEST_F(ClockDomainTest, TellsWhoWaitsInAnotherPartBetweenTwoCycles) {
    for (const std::uint32_t threads : {1, 2}) {
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", kPeriod);
        clock.split(
            2, threads, [] { return kNever; }, 0);
        Scripted writer;
        Scripted reader;
        hw::WakeupWheel& readers = clock.part(1);
        const std::uint32_t reading = readers.add(reader);
        std::uint64_t bits = 0;
        hw::Waiter waiter;
        waiter.live_on(readers);
        waiter.set({&bits, reading, 0, 0, 2});
        readers.wake(reading, 0);
        // Hears of cycle 7 while it does not wait, then waits, and hears of 12.
        reader.answer = [&waiter](Cycle now) {
            if (now == 0) return Cycle{5};
            waiter.wait();
            return kNever;
        };
        writer.answer = [&](Cycle now) {
            waiter.wake(clock, now == 3 ? 7 : 12);
            return now == 3 ? Cycle{9} : kNever;
        };
        clock.wake(clock.add(writer), 3);
        sc_core::sc_start();
        EXPECT_THAT(reader.ticks, ElementsAre(0, 5, 12));
        EXPECT_EQ(bits, 4U);
    }
}

TEST_F(ClockDomainTest, PassesOnWhatAModuleOfAnyPartThrows) {
    clock_.split(
        2, 2, [] { return kNever; }, 0);
    Scripted module;
    module.answer = [](Cycle now) -> Cycle {
        throw std::runtime_error("in cycle " + std::to_string(now));
    };
    hw::WakeupWheel& wheel = clock_.part(1);
    wheel.wake(wheel.add(module), 6);
    try {
        sc_core::sc_start();
        FAIL();
    } catch (const std::exception& failure) {
        EXPECT_THAT(failure.what(), testing::HasSubstr("in cycle 6"));
    }
}

TEST_F(ClockDomainTest, WakesAnyPartForAnotherProcess) {
    clock_.split(
        2, 1, [] { return kNever; }, 0);
    Scripted module;
    hw::WakeupWheel& wheel = clock_.part(1);
    const std::uint32_t name = wheel.add(module);
    Bystander bystander("bystander", 10 * kPeriod, [&] { wheel.wake(name, 25); });
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(25));
}

TEST_F(ClockDomainTest, WakesForAnotherProcessWhileItSleeps) {
    for (const Cycle distance : {1, 2, 63, 64, 65, 5000}) {
        SCOPED_TRACE(distance);
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", kPeriod);
        Scripted module;
        const std::uint32_t name = clock.add(module);
        const Cycle asleep = 777;  // long after the domain's last edge
        Bystander other("other", asleep * kPeriod, [&] {
            clock.wake(name, asleep + distance + 9);
            clock.wake(name, asleep + distance);  // the earlier one comes second
        });
        clock.wake(name, 2);
        sc_core::sc_start();
        EXPECT_THAT(module.ticks, ElementsAre(2, asleep + distance, asleep + distance + 9));
        EXPECT_EQ(sc_core::sc_time_stamp(), (asleep + distance + 9) * kPeriod);
    }
}

TEST_F(ClockDomainTest, WakesForAnotherProcessBeforeItsOwnNextCycle) {
    Scripted module;
    const std::uint32_t name = clock_.add(module);
    module.answer = [](Cycle now) { return now == 0 ? Cycle{40} : kNever; };
    Bystander other("other", 10 * kPeriod, [&] { clock_.wake(name, 12); });
    clock_.wake(name, 0);
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(0, 12, 40));
}

TEST_F(ClockDomainTest, SimulatesNoCycleFromTheLimitOn) {
    Scripted module;
    module.answer = [](Cycle now) { return now + 1; };
    clock_.wake(clock_.add(module), 0);
    clock_.set_limit(100);
    sc_core::sc_start();
    EXPECT_EQ(module.ticks.size(), 100U);
    EXPECT_EQ(clock_.now(), 99U);
    EXPECT_TRUE(clock_.stopped());
}

TEST_F(ClockDomainTest, TheLimitHoldsForWakesOfOthersToo) {
    Scripted module;
    const std::uint32_t name = clock_.add(module);
    Bystander other("other", 50 * kPeriod, [&] { clock_.wake(name, 150); });
    clock_.wake(name, 2);
    clock_.set_limit(100);
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(2));
    EXPECT_TRUE(clock_.stopped());
}

TEST_F(ClockDomainTest, WorkThatEndsJustBelowTheLimitDoesNotStopIt) {
    Scripted module;
    module.answer = [](Cycle now) { return now < 99 ? now + 1 : kNever; };
    clock_.wake(clock_.add(module), 0);
    clock_.set_limit(100);
    sc_core::sc_start();
    EXPECT_EQ(clock_.now(), 99U);
    EXPECT_FALSE(clock_.stopped());
}

TEST_F(ClockDomainTest, IsInspectedInTheCyclesAskedForAndStopsWhenTold) {
    Scripted module;
    module.answer = [](Cycle now) { return now + 1; };
    clock_.wake(clock_.add(module), 0);
    std::vector<Cycle> checks;
    clock_.supervise(inspected_every(16, [&checks](Cycle now) {
        checks.push_back(now);
        return now < 48;
    }));
    sc_core::sc_start();
    EXPECT_THAT(checks, ElementsAre(16, 32, 48));
    EXPECT_EQ(module.ticks.back(), 48U);
    EXPECT_TRUE(clock_.stopped());
}

TEST_F(ClockDomainTest, SleepsThroughTimeInWhichNothingHappens) {
    Scripted module;
    module.answer = [](Cycle now) { return now < 10 ? now + 10'000'000'000 : kNever; };
    clock_.wake(clock_.add(module), 3);
    std::uint64_t wakes = 0;
    clock_.supervise(counting_wakes(wakes));
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(3, 10'000'000'003));
    EXPECT_EQ(wakes, 3U);  // with the first edge of all
}

TEST_F(ClockDomainTest, IsInspectedWhileEverybodySleepsAndNeverBehindTheLast) {
    Scripted module;
    module.answer = [](Cycle now) { return now == 0 ? Cycle{1000} : kNever; };
    clock_.wake(clock_.add(module), 0);
    std::vector<Cycle> inspected;
    RunControl control;
    control.first_inspection = 7;
    control.inspect = [&inspected](Cycle now) {
        inspected.push_back(now);
        return now == 7 ? Cycle{500} : now == 500 ? Cycle{1000} : Cycle{1001};
    };
    clock_.supervise(control);
    sc_core::sc_start();
    EXPECT_THAT(inspected, ElementsAre(7, 500, 1000));  // nothing happens any more
    EXPECT_THAT(module.ticks, ElementsAre(0, 1000));
}

/// How far modules may run ahead in cycles 0, 20, 40 and 60 of 80, with an inspection in every
/// 30th.
class ClockAhead : public ClockDomainTest {
protected:
    std::vector<Cycle> ahead_until(Cycle most) {
        Scripted module;
        std::vector<Cycle> until;
        module.answer = [&](Cycle now) {
            until.push_back(clock_.ahead_until());
            return now < 60 ? now + 20 : now + 10;
        };
        clock_.wake(clock_.add(module), 0);
        clock_.run_ahead(most);
        RunControl control = inspected_every(30, [](Cycle) { return true; });
        control.limit = 80;
        clock_.supervise(control);
        sc_core::sc_start();
        return until;
    }
};

TEST_F(ClockAhead, ReachesToTheNextInspectionAndNotToTheLimit) {
    EXPECT_THAT(ahead_until(kNever), ElementsAre(30, 30, 60, 60, 79));
}

TEST_F(ClockAhead, ReachesNoFurtherThanIsAsked) {
    EXPECT_THAT(ahead_until(25), ElementsAre(25, 30, 60, 60, 79));
}

/// So what is counted then is the state of one cycle.
TEST_F(ClockDomainTest, IsInterruptedWhereModulesHaveReached) {
    Scripted module;
    std::vector<Cycle> until;
    module.answer = [&](Cycle now) {
        until.push_back(clock_.ahead_until());
        if (now == 20) clock_.reach(37);
        return now + 5;
    };
    clock_.wake(clock_.add(module), 0);
    clock_.run_ahead();
    RunControl control;
    control.poll_interval = 1;
    control.keep_going = [](Cycle now) { return now < 25; };
    control.limit = 1000;
    clock_.supervise(control);
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(0, 5, 10, 15, 20, 25, 30, 35));
    EXPECT_THAT(until, ElementsAre(999, 999, 999, 999, 999, 999, 0, 0));
    EXPECT_TRUE(clock_.interrupted());
    EXPECT_EQ(clock_.limit(), 38U);
}

TEST(Supervisor, TakesAnIntervalOfNoCyclesForOne) {
    RunControl control;
    control.poll_interval = 0;
    std::vector<Cycle> polled;
    control.keep_going = [&](Cycle now) {
        polled.push_back(now);
        return now < 2;
    };
    Supervisor supervisor(control);
    EXPECT_TRUE(supervisor.after(0));
    EXPECT_TRUE(supervisor.after(1));
    EXPECT_FALSE(supervisor.after(2));
    EXPECT_THAT(polled, ElementsAre(0, 1, 2));
}

TEST_F(ClockDomainTest, SettlesInTheCyclesThatAreAskedForWhoeverIsAwake) {
    std::vector<Cycle> settled;
    clock_.split(1, 1, [&] {
        settled.push_back(clock_.now());
        return clock_.now() < 9 ? clock_.now() + 4 : kNever;
    });
    Scripted module;
    module.answer = [](Cycle now) { return now == 2 ? Cycle{5} : kNever; };
    clock_.wake(clock_.add(module), 2);
    clock_.supervise({});
    sc_core::sc_start();
    EXPECT_THAT(module.ticks, ElementsAre(2, 5));
    EXPECT_THAT(settled, ElementsAre(0, 2, 5, 9));
    EXPECT_TRUE(clock_.all_idle());
}

TEST_F(ClockDomainTest, NeedsOneTimeStepOfAKernelOfItsOwn) {
    Scripted module;
    module.answer = [](Cycle now) {
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        return now < 90 ? now + 1 : now + 1000;
    };
    clock_.wake(clock_.add(module), 3);
    std::vector<Cycle> inspected;
    RunControl control = inspected_every(40, [&inspected](Cycle now) {
        inspected.push_back(now);
        return now < 160;
    });
    control.owns_kernel = true;
    clock_.supervise(control);
    sc_core::sc_start();
    EXPECT_EQ(module.ticks.size(), 88U);  // 3 to 90
    EXPECT_THAT(inspected, ElementsAre(40, 80, 120, 160));
    EXPECT_TRUE(clock_.interrupted());
    EXPECT_EQ(clock_.now(), 160U);
}

TEST_F(ClockDomainTest, LetsNobodyRunAheadUnasked) {
    Scripted module;
    module.answer = [this](Cycle now) {
        EXPECT_EQ(clock_.ahead_until(), 0U);
        return now < 5 ? now + 1 : kNever;
    };
    clock_.wake(clock_.add(module), 0);
    clock_.supervise(inspected_every(3, [](Cycle) { return true; }));
    sc_core::sc_start();
    EXPECT_EQ(clock_.now(), 5U);
}

TEST_F(ClockDomainTest, IsInspectedUpToTheLimit) {
    Scripted module;
    clock_.wake(clock_.add(module), 5000);
    std::vector<Cycle> inspected;
    RunControl control = inspected_every(40, [&inspected](Cycle now) {
        inspected.push_back(now);
        return true;
    });
    control.limit = 120;
    clock_.supervise(control);
    sc_core::sc_start();
    EXPECT_THAT(inspected, ElementsAre(40, 80));
    EXPECT_TRUE(clock_.stopped());
    EXPECT_FALSE(clock_.interrupted());
}

TEST(ClockDomain, EndsWhereTheTimeOfSystemCDoes) {
    constexpr Cycle kLast = 18'446'744'072;  // 2^64 ps are 18,446,744,073.7 ms
    for (const Cycle last : {kLast, kLast + 1, Cycle{40'000'000'000}, kNever - 1}) {
        SCOPED_TRACE(last);
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", sc_core::sc_time(1, sc_core::SC_MS));
        Scripted module;
        module.answer = [last](Cycle now) { return now == 0 ? last : kNever; };
        clock.wake(clock.add(module), 0);
        sc_core::sc_start();
        EXPECT_EQ(module.ticks.size(), last == kLast ? 2U : 1U);
        EXPECT_EQ(module.ticks.back(), last == kLast ? kLast : 0U);
        EXPECT_EQ(clock.stopped(), last != kLast);
    }
}

TEST_F(ClockDomainTest, AWakeBeyondTheLimitDoesNotWrapIntoThePast) {
    for (const Cycle at : {Cycle{150}, kNever - 1}) {
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", kPeriod);
        Scripted module;
        const std::uint32_t name = clock.add(module);
        Bystander other("other", 120 * kPeriod, [&] { clock.wake(name, at); });
        clock.wake(name, 2);
        clock.set_limit(100);
        sc_core::sc_start();
        EXPECT_THAT(module.ticks, ElementsAre(2));
        EXPECT_TRUE(clock.stopped());
        EXPECT_EQ(sc_core::sc_time_stamp(), 120 * kPeriod);
    }
}

TEST(ClockDomain, EvaluatesModulesInScanOrder) {
    for (const ScanOrder order : {ScanOrder::kAscending, ScanOrder::kDescending}) {
        const FreshKernel kernel;
        hw::ClockDomain clock("clock", kPeriod, order);
        std::vector<Scripted> modules(200);
        std::vector<std::size_t> sequence;
        for (std::size_t i = 0; i < modules.size(); ++i) {
            modules[i].answer = [&sequence, i](Cycle now) {
                sequence.push_back(i);
                return now == 0 ? Cycle{1} : kNever;
            };
            clock.wake(clock.add(modules[i]), 0);
        }
        sc_core::sc_start();
        std::vector<std::size_t> expected(200);
        for (std::size_t i = 0; i < 200; ++i) {
            expected[i] = order == ScanOrder::kAscending ? i : 199 - i;
        }
        expected.insert(expected.end(), expected.begin(), expected.begin() + 200);
        EXPECT_EQ(sequence, expected);
    }
}

}  // namespace
}  // namespace flitscope
