// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The SystemC fabric against the golden model on random machines and contended traffic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/topology/graph.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope {
namespace {

/// Seeds are split over several tests so that CTest can run them side by side.
constexpr int kBlocks = 8;
constexpr std::uint64_t kSeedsPerBlock = 375;
constexpr std::uint64_t kRepliesPerBlock = 100;
constexpr std::uint64_t kOperationsPerBlock = 150;
constexpr std::uint64_t kClassesPerBlock = 200;
constexpr std::uint64_t kSlowRoutersPerBlock = 60;
constexpr std::uint64_t kFilesPerBlock = 60;

class GoldenComparison : public testing::TestWithParam<int> {
protected:
    /// Number of cases from seeds of this block, or a sample of them, and the minimum number of
    /// packets compared in all of them.
    template <class MakeCase>
    void compare(std::uint64_t all, std::uint64_t least_packets, MakeCase make_case) {
        const std::uint64_t cases = sample_of(all);
        for (std::uint64_t i = 0; i < cases; ++i) {
            const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * cases + i + 1;
            const RandomCase test = make_case(seed);
            const auto order =
                seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
            // Half of the cases without observers, with routers that report nothing.
            const bool observed = seed / 2 % 2 == 0;
            CompareRun run{"cycle", order, observed};
            vary(run, random_case_graph(test).router_count(), seed);
            const std::string difference = compare_with_golden(test, run, counts_);
            ASSERT_EQ(difference, "") << describe(test);
        }
        EXPECT_GT(counts_.packets, least_of(least_packets));
        fmt::print("{} packets, {} busy intervals, {} flit-hops compared\n", counts_.packets,
                   counts_.busy_intervals, counts_.flit_hops);
    }

    CompareCounts counts_;
};

TEST_P(GoldenComparison, FabricEqualsGoldenModelOnRandomMachines) {
    compare(kSeedsPerBlock, 10'000, [](std::uint64_t seed) { return random_case(seed); });
    EXPECT_GT(counts_.busy_intervals, least_of(50'000));
}

TEST_P(GoldenComparison, RepliesEqualTheGoldenModelOnRandomMachines) {
    compare(kRepliesPerBlock, 10'000,
            [](std::uint64_t seed) { return reply_case(random_case(seed)); });
}

TEST_P(GoldenComparison, OperationsEqualTheGoldenModelOnRandomMachines) {
    compare(kOperationsPerBlock, 5'000,
            [](std::uint64_t seed) { return operation_case(random_case(seed)); });
}

TEST_P(GoldenComparison, ReceivesByTransferEqualTheGoldenModelOnRandomMachines) {
    compare(kOperationsPerBlock, 5'000, [](std::uint64_t seed) {
        return operation_case(random_case(seed), ReceiveTime::kTransfer);
    });
}

TEST_P(GoldenComparison, ClassesOfMessagesEqualTheGoldenModelOnRandomMachines) {
    compare(kClassesPerBlock, 10'000, [](std::uint64_t seed) {
        RandomCase test = class_case(random_case(seed));
        return seed % 3 == 0 ? reply_case(std::move(test)) : test;
    });
}

// Routers are not notified of flits that are further away than the cycles of a wheel.
TEST_P(GoldenComparison, SlowRoutersEqualTheGoldenModelOnRandomMachines) {
    compare(kSlowRoutersPerBlock, 1'000, [](std::uint64_t seed) {
        RandomCase test = random_case(seed);
        test.config.fabric.router_delay = static_cast<std::uint32_t>(55 + seed % 12);
        return test;
    });
}

TEST_P(GoldenComparison, RoutesFromAFileEqualTheGoldenModelOnRandomMachines) {
    const std::string path = fmt::format("{}golden_routes_{}.csv", testing::TempDir(), GetParam());
    compare(kFilesPerBlock, 1'000,
            [&](std::uint64_t seed) { return file_case(random_case(seed), path); });
}

INSTANTIATE_TEST_SUITE_P(Seeds, GoldenComparison, testing::Range(0, kBlocks));

}  // namespace
}  // namespace flitscope
