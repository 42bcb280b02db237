// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "models/performance/link_load.h"
#include "models/routing/routing_factory.h"
#include "models/topology/topologies.h"
#include "traffic/aap.h"
#include "traffic/program_report.h"

namespace flitscope {
namespace {

TEST(Aap, GoesThroughLargerSetsFirstInLexicographicOrder) {
    // {0,1,2}; {0,1}, {0,2}, {1,2}; {0}, {1}, {2}
    EXPECT_THAT(aap_masks(3, AapOrder::kBySize), testing::ElementsAre(7, 3, 5, 6, 1, 2, 4));
    EXPECT_THAT(aap_masks(0, AapOrder::kBySize), testing::IsEmpty());
}

TEST(Aap, FollowsEverySetByItsComplementWhenInterleaved) {
    EXPECT_THAT(aap_masks(3, AapOrder::kInterleaved), testing::ElementsAre(7, 3, 4, 5, 2, 6, 1));
    EXPECT_THAT(aap_masks(2, AapOrder::kInterleaved), testing::ElementsAre(3, 1, 2));
    for (std::uint32_t n = 1; n <= 10; ++n) {
        const std::vector<NodeId> masks = aap_masks(n, AapOrder::kInterleaved);
        ASSERT_EQ(masks.size(), (std::size_t{1} << n) - 1);
        EXPECT_EQ(std::set<NodeId>(masks.begin(), masks.end()).size(), masks.size());
        for (std::size_t i = 1; i < masks.size(); i += 2) {
            EXPECT_EQ(masks[i] ^ masks[i + 1], masks[0]);
        }
    }
}

TEST(Aap, UsesEveryLinkOfTheDimensionsOfAStepOnce) {
    for (std::uint32_t n = 1; n <= 7; ++n) {
        const Graph graph = build_hypercube(n);
        const auto routing = make_dimension_order(graph);
        for (const AapOrder order : {AapOrder::kBySize, AapOrder::kInterleaved}) {
            const Program program = aap(n, 64, order);
            EXPECT_TRUE(check_complete_exchange(program).complete());
            const std::vector<NodeId> masks = aap_masks(n, order);
            ASSERT_EQ(program.step_count(), masks.size());
            std::size_t next = 0;
            for (StepId step = 0; step < masks.size(); ++step) {
                LinkLoad load(graph, *routing);
                for (; next < program.transfers.size() && program.transfers[next].step == step;
                     ++next) {
                    load.add(program.transfers[next].source, program.transfers[next].destination,
                             1);
                }
                for (LinkId id = 0; id < graph.link_count(); ++id) {
                    ASSERT_EQ(load.loads()[id], masks[step] >> graph.link(id).dimension & 1);
                }
            }
        }
    }
}

}  // namespace
}  // namespace flitscope
