// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "models/performance/link_load.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/aap.h"

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

TEST(Aap, PutsTheSmallerSetFirstWhereItsSetUpIsToShow) {
    EXPECT_THAT(aap_masks(3, AapOrder::kInterleavedSmallFirst),
                testing::ElementsAre(7, 4, 3, 2, 5, 1, 6));
    EXPECT_EQ(aap_masks(4, AapOrder::kInterleavedWaiting), aap_masks(4, AapOrder::kInterleaved));
}

/// The masks of the messages of each step, in order.
std::vector<std::vector<NodeId>> masks_by_step(const Program& program) {
    std::vector<std::vector<NodeId>> masks(program.step_count());
    for (const Transfer& t : program.transfers) {
        if (t.source == 0) masks[t.step].push_back(t.source ^ t.destination);
    }
    return masks;
}

TEST(Aap, PutsASetAndItsComplementInOneStep) {
    using testing::ElementsAre;
    EXPECT_THAT(
        masks_by_step(aap(3, 8, AapOrder::kInterleaved)),
        ElementsAre(ElementsAre(7), ElementsAre(3, 4), ElementsAre(5, 2), ElementsAre(6, 1)));
    EXPECT_THAT(masks_by_step(aap(2, 8, AapOrder::kInterleavedSmallFirst)),
                ElementsAre(ElementsAre(3), ElementsAre(2, 1)));
    EXPECT_THAT(masks_by_step(aap(3, 8, AapOrder::kInterleavedWaiting)),
                ElementsAre(ElementsAre(7, 3, 4, 5, 2, 6, 1)));
    EXPECT_TRUE(check_complete_exchange(aap(4, 8, AapOrder::kInterleavedWaiting)).complete());
}

TEST(Aap, UsesEveryLinkOfTheDimensionsOfAStepOnce) {
    for (std::uint32_t n = 1; n <= 7; ++n) {
        const Graph graph = build_hypercube(n);
        const auto routing = make_dimension_order(graph);
        for (const AapOrder order :
             {AapOrder::kBySize, AapOrder::kInterleaved, AapOrder::kInterleavedSmallFirst}) {
            const Program program = aap(n, 64, order);
            EXPECT_TRUE(check_complete_exchange(program).complete());
            const std::vector<std::vector<NodeId>> masks = masks_by_step(program);
            std::size_t next = 0;
            for (StepId step = 0; step < masks.size(); ++step) {
                NodeId dimensions = 0;
                for (const NodeId mask : masks[step]) {
                    EXPECT_EQ(dimensions & mask, 0U);
                    dimensions |= mask;
                }
                LinkLoad load(graph, *routing);
                for (; next < program.transfers.size() && program.transfers[next].step == step;
                     ++next) {
                    load.add(program.transfers[next].source, program.transfers[next].destination,
                             1);
                }
                for (LinkId id = 0; id < graph.link_count(); ++id) {
                    const std::uint32_t bit = graph.dimension_number(graph.link(id).dimension);
                    ASSERT_EQ(load.loads()[id], dimensions >> bit & 1);
                }
            }
        }
    }
}

}  // namespace
}  // namespace flitscope
