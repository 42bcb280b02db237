// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Every decision on the critical path of random machines under contended traffic is what another
// model saw: the golden model says what was lacking in the cycle before.
#include <gtest/gtest.h>

#include <string>

#include "testbench/app/build/machine.h"
#include "testbench/verification/tests/explain/explained_cases.h"
#include "testbench/verification/tests/explain/path_judge.h"

namespace flitscope {
namespace {

constexpr Cycle kMaxCycles = 1'000'000;

/// The error in the critical path of a case; empty: none.
std::string fault_of(const RandomCase& test, JudgedCounts& sums) {
    const Machine machine = machine_of(test);
    const auto order =
        test.config.seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
    const Explained explained = explain(machine, "cycle", order);
    GoldenWitness witness;
    const GoldenResult golden = run_golden(machine.config, machine.graph, *machine.routing,
                                           *machine.program, kMaxCycles, &witness);
    PathJudge judge(machine, golden, witness);
    std::string fault = judge.judge(explained.events);
    if (fault.empty()) fault = PathJudge::judge(explained.path.segments, explained.events);
    sums.add(judge.counts());
    return fault;
}

class CriticalPathWitness : public ExplainedCases {};

TEST_P(CriticalPathWitness, SeesWhatEveryEventOfThePathNames) {
    const auto [first, end] = seeds();
    constexpr int kReported = 5;
    JudgedCounts sums;
    int faulty = 0;
    for (std::uint64_t seed = first; seed < end && faulty < kReported; ++seed) {
        const RandomCase test = plain_case(random_case(seed));
        const std::string fault = fault_of(test, sums);
        if (fault.empty()) continue;
        ADD_FAILURE() << describe(test) << '\n' << fault;
        ++faulty;
    }
    RecordProperty("events", text(sums));
    // Enough of everything that a default run could miss.
    const auto of = [&](Cause cause) { return sums.events[static_cast<std::size_t>(cause)]; };
    for (const Cause cause :
         {Cause::kStartup, Cause::kReceive, Cause::kAssembly, Cause::kSourceQueue,
          Cause::kTraversal, Cause::kSerialization, Cause::kHeadOfLine, Cause::kVcBusy,
          Cause::kCreditStall, Cause::kSwitchStall, Cause::kStore, Cause::kDependency,
          Cause::kBarrier, Cause::kProgramTime}) {
        EXPECT_GT(of(cause), 0U) << cause_name(cause);
    }
}

TEST_P(CriticalPathWitness, SeesWhatEveryEventNamesThatOperationsLeadTo) {
    // The golden model looks at all operations in every cycle: one for three of the others.
    const auto [first, end] = seeds();
    JudgedCounts sums;
    for (std::uint64_t seed = first; seed < end; seed += 3) {
        const RandomCase test = operation_case(plain_case(random_case(seed)));
        ASSERT_EQ(fault_of(test, sums), "") << describe(test);
    }
    RecordProperty("events", text(sums));
    for (const Cause cause :
         {Cause::kCompute, Cause::kStartup, Cause::kReceive, Cause::kSourceQueue, Cause::kTraversal,
          Cause::kSerialization, Cause::kVcBusy, Cause::kCreditStall, Cause::kSwitchStall}) {
        EXPECT_GT(sums.events[static_cast<std::size_t>(cause)], 0U) << cause_name(cause);
    }
}

TEST_P(CriticalPathWitness, SeesItOnWideMachines) {
    // These are large: one for fifty of the others.
    const auto [first, end] = seeds();
    JudgedCounts sums;
    for (std::uint64_t seed = first; seed < first + (end - first + 49) / 50; ++seed) {
        const RandomCase test = random_case(seed, CaseRange::kWide);
        ASSERT_EQ(fault_of(test, sums), "") << describe(test);
    }
    RecordProperty("events", text(sums));
}

TEST_P(CriticalPathWitness, DoesNotDependOnTheOrderOfCallsInACycle) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = plain_case(random_case(seed));
        const Machine machine = machine_of(test);
        const Explained ascending = explain(machine, "cycle");
        const Explained descending = explain(machine, "cycle", hw::ScanOrder::kDescending);
        ASSERT_EQ(ascending.events.size(), descending.events.size()) << describe(test);
        for (std::size_t i = 0; i < ascending.events.size(); ++i) {
            ASSERT_EQ(text(ascending.events[i]), text(descending.events[i])) << describe(test);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CriticalPathWitness, testing::Range(0, ExplainedCases::kBlocks));

}  // namespace
}  // namespace flitscope
