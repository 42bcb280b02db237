// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The critical path of random programs of operations under contention, and what their nodes wait
// for: every cycle has a cause, on both engines the same.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "models/routing/routing.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/verification/tests/explain/explained_cases.h"

namespace flitscope {
namespace {

/// 10,000 cases at full depth.
class OperationPaths : public ExplainedCases {
protected:
    static std::pair<std::uint64_t, std::uint64_t> seeds() {
        return ExplainedCases::seeds(600, 10'000);
    }
};

Cycle sum(const CauseCycles& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), Cycle{0});
}

std::string text(const Explained& explained) {
    std::string all;
    for (const PathSegment& s : explained.path.segments) {
        all += fmt::format("{} to {}: {} at {}, message {} holder {} operation {}\n", s.from, s.to,
                           cause_name(s.cause), s.channel, s.message, s.holder, s.operation);
    }
    for (const CauseCycles& waits : explained.waits) {
        all += fmt::format("waits {}\n", fmt::join(waits, " "));
    }
    return all;
}

TEST_P(OperationPaths, AccountForEveryCycle) {
    const auto [first, end] = seeds();
    CauseCycles causes{};
    CauseCycles waits{};
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = operation_case(plain_case(random_case(seed)));
        const Machine machine = machine_of(test);
        const Explained explained = explain(machine, "cycle");
        ASSERT_EQ(explained.run.verdict, Verdict::kComplete) << describe(test);
        ASSERT_EQ(explained.path.cycles, explained_cycles(explained.run)) << describe(test);
        const CauseCycles by_cause = explained.path.cycles_by_cause();
        ASSERT_EQ(sum(by_cause), explained.path.cycles) << describe(test);
        if (machine.routing->path_choice() != PathChoice::kAdaptive) {
            // Only an adaptive routing leaves something else to wait for than what we know.
            ASSERT_EQ(cycles_of(by_cause, Cause::kRouteChoice), 0U) << describe(test);
        }
        for (const NodeOperations& node : explained.run.node_operations) {
            ASSERT_EQ(node.computing + node.sending + node.receiving + node.waiting, node.end)
                << describe(test) << " node " << node.node;
            ASSERT_EQ(sum(explained.waits[node.node]), node.waiting)
                << describe(test) << " node " << node.node;
            for (std::size_t i = 0; i < kCauses; ++i) waits[i] += explained.waits[node.node][i];
        }
        for (std::size_t i = 0; i < kCauses; ++i) causes[i] += by_cause[i];
    }
    for (const Cause cause :
         {Cause::kCompute, Cause::kStartup, Cause::kReceive, Cause::kSourceQueue, Cause::kTraversal,
          Cause::kSerialization, Cause::kVcBusy}) {
        EXPECT_GT(cycles_of(causes, cause), 0U) << cause_name(cause);
        EXPECT_GT(cycles_of(waits, cause), 0U) << cause_name(cause);
    }
}

TEST_P(OperationPaths, AreTheSameOnBothEnginesAndInAnyOrderOfCalls) {
    const auto [first, end] = seeds();
    for (std::uint64_t seed = first; seed < end; ++seed) {
        const RandomCase test = operation_case(tlm_case(random_case(seed)));
        const Machine machine = machine_of(test);
        if (find_engine("tlm")->refusal(machine)) continue;
        const std::string cycle = text(explain(machine, "cycle"));
        ASSERT_EQ(cycle, text(explain(machine, "tlm"))) << describe(test);
        ASSERT_EQ(cycle, text(explain(machine, "cycle", hw::ScanOrder::kDescending)))
            << describe(test);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OperationPaths, testing::Range(0, OperationPaths::kBlocks));

}  // namespace
}  // namespace flitscope
