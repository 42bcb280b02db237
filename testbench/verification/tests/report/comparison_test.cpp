// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The usual networks of a number of nodes.
#include "testbench/app/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace flitscope {
namespace {

// Their figures would take ten seconds of a processor: compare_test.py has them.
TEST(UsualNetworks, OnesWithTooManyPortsAreLeftOut) {
    std::vector<std::string> kinds;
    std::vector<std::uint32_t> windows;
    for (const Contender& contender : usual_networks(4099, {})) {
        const TopologyConfig& topology = contender.config.fabric.topology;
        EXPECT_EQ(topology.dims, std::vector<std::uint32_t>{4099});
        kinds.push_back(topology.kind);
        if (topology.kind == "how") windows.push_back(topology.windows.at(0));
    }
    ASSERT_GT(kinds.size(), 2U);
    EXPECT_EQ(kinds[0], "mesh");
    EXPECT_EQ(kinds[1], "torus");
    EXPECT_THAT(kinds, testing::Not(testing::Contains("ghc")));
    // One of 2048 would have 2^24 ports and more.
    EXPECT_THAT(windows, testing::ElementsAre(2, 4, 8, 16, 32, 64, 128, 256, 512, 1024));
}

}  // namespace
}  // namespace flitscope
