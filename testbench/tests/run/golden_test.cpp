// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The SystemC fabric against the golden model on random machines and contended traffic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testbench/reference/compare.h"

namespace flitscope {
namespace {

/// Seeds are split over several tests so that CTest can run them side by side.
constexpr int kBlocks = 8;
constexpr std::uint64_t kSeedsPerBlock = 375;
constexpr std::uint64_t kRepliesPerBlock = 100;
constexpr std::uint64_t kOperationsPerBlock = 150;

class GoldenComparison : public testing::TestWithParam<int> {};

TEST_P(GoldenComparison, FabricEqualsGoldenModelOnRandomMachines) {
    CompareCounts counts;
    for (std::uint64_t i = 0; i < kSeedsPerBlock; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * kSeedsPerBlock + i + 1;
        const RandomCase test = random_case(seed);
        const auto order = seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
        // Every fifth case without observers: their absence must not change anything either.
        const std::string difference =
            compare_with_golden(test, {"cycle", order, seed % 5 != 0}, counts);
        ASSERT_EQ(difference, "") << describe(test);
    }
    EXPECT_GT(counts.packets, 10'000U);
    EXPECT_GT(counts.busy_intervals, 50'000U);
    fmt::print("{} packets, {} busy intervals, {} flit-hops compared\n", counts.packets,
               counts.busy_intervals, counts.flit_hops);
}

TEST_P(GoldenComparison, RepliesEqualTheGoldenModelOnRandomMachines) {
    CompareCounts counts;
    for (std::uint64_t i = 0; i < kRepliesPerBlock; ++i) {
        const std::uint64_t seed =
            static_cast<std::uint64_t>(GetParam()) * kRepliesPerBlock + i + 1;
        const RandomCase test = reply_case(random_case(seed));
        const auto order = seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
        const std::string difference =
            compare_with_golden(test, {"cycle", order, seed % 5 != 0}, counts);
        ASSERT_EQ(difference, "") << describe(test);
    }
    EXPECT_GT(counts.packets, 10'000U);
    fmt::print("{} packets, {} busy intervals, {} flit-hops compared\n", counts.packets,
               counts.busy_intervals, counts.flit_hops);
}

TEST_P(GoldenComparison, OperationsEqualTheGoldenModelOnRandomMachines) {
    CompareCounts counts;
    for (std::uint64_t i = 0; i < kOperationsPerBlock; ++i) {
        const std::uint64_t seed =
            static_cast<std::uint64_t>(GetParam()) * kOperationsPerBlock + i + 1;
        const RandomCase test = operation_case(random_case(seed));
        const auto order = seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
        const std::string difference =
            compare_with_golden(test, {"cycle", order, seed % 5 != 0}, counts);
        ASSERT_EQ(difference, "") << describe(test);
    }
    EXPECT_GT(counts.packets, 5'000U);
    fmt::print("{} packets, {} busy intervals, {} flit-hops compared\n", counts.packets,
               counts.busy_intervals, counts.flit_hops);
}

INSTANTIATE_TEST_SUITE_P(Seeds, GoldenComparison, testing::Range(0, kBlocks));

}  // namespace
}  // namespace flitscope
