// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact searches against simulating every design.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "testbench/app/study/design_point.h"
#include "testbench/verification/tests/study/exploration_fixture.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

TEST_F(Exploration, TheExactFrontIsThatOfSimulatingEverything) {
    for (const char* objectives :
         {"{min: [time_ns, buffer_bits]}", "{min: [cycles, pins]}",
          "{min: [time_ns, wire_bits, buffer_bits]}", "{min: time_ns, max: flit_bits}"}) {
        SCOPED_TRACE(objectives);
        const std::string text = std::string(kSpace) + "objectives: " + objectives + "\n";
        const ExploreResult exact = run(text);
        const ExploreResult all = run(text + kEverything);
        EXPECT_EQ(exact.points, 4U * 3 * 4 * 2 * 3);
        EXPECT_EQ(exact.refused, 4U * 3 * 3);  // tori with one virtual channel
        EXPECT_EQ(all.simulated + all.refused, all.points);
        EXPECT_EQ(front(exact), front(all));
        EXPECT_FALSE(front(exact).empty());
        EXPECT_LT(exact.simulated, all.simulated);
        EXPECT_EQ(exact.simulated + exact.pruned - exact.stopped + exact.refused, exact.points);
    }
}

TEST_F(Exploration, WhatIsDrawnIsAppraisedOnlyWhereAFigureOfThatIsNeeded) {
    // Tori with one virtual channel are refused: beforehand, or as they are to be measured.
    const std::string space = kSpace;
    const auto refusals = [](const std::string& db) {
        std::vector<std::string> reasons;
        Database database(path(db), Database::Access::kRead);
        for (const DesignRow& row : database.designs(database.studies().back())) {
            if (row.state == DesignState::kRefused) reasons.push_back(row.digest + row.reason);
        }
        return reasons;
    };
    const ExploreResult alone =
        run(space + "objectives: {min: time_ns}\n" + kEverything, 2, "alone.db");
    const ExploreResult appraised = run(
        space + "objectives: {min: time_ns}\nconstraints: {pins: {max: 1000000}}\n" + kEverything,
        2, "appraised.db");
    EXPECT_EQ(alone.refused, 4U * 3 * 3);
    EXPECT_EQ(refusals("alone.db"), refusals("appraised.db"));
    EXPECT_EQ(alone.simulated, appraised.simulated);
    EXPECT_EQ(front(alone), front(appraised));
    const std::string one = alone.front.front().points.front();
    Database with(path("appraised.db"), Database::Access::kRead);
    Database without(path("alone.db"), Database::Access::kRead);
    EXPECT_TRUE(with.find(appraisal_digest(one)));
    EXPECT_FALSE(without.find(appraisal_digest(one)));
    EXPECT_NE(without.config(one), "");
    EXPECT_EQ(without.config(one), with.config(one));
    // Refused designs are known, and neither simulated nor reused.
    const ExploreResult again =
        run(space + "objectives: {min: time_ns}\n" + kEverything, 2, "alone.db");
    EXPECT_EQ(again.simulated, 0U);
    EXPECT_EQ(again.reused, alone.simulated);
    EXPECT_EQ(again.refused, alone.refused);
}

TEST_F(Exploration, ABoundFromTheWrongSidePrunesNothing) {
    const std::string text = std::string(kSpace) + "objectives: {max: cycles, min: pins}\n";
    const ExploreResult exact = run(text);
    EXPECT_EQ(front(exact), front(run(text + kEverything)));
    EXPECT_EQ(exact.pruned, 0U);
}

TEST_F(Exploration, TheOrderOfTheAxesIsOfNoImportance) {
    const std::string turned = R"(
vary:
  traffic.schedule: [naive, gen, pex]
  fabric.virtual_channels: [2, 1]
  fabric.buffer_depth: [8, 1, 4, 2]
  fabric.flit_bits: [64, 16, 32]
  fabric.topology:
    how: {kind: how, dims: [4, 4], window: 2}
    cube: {kind: hypercube, dimensions: 4}
    mesh: {kind: mesh, dims: [4, 4]}
    torus: {kind: torus, dims: [2, 8]}
)";
    const std::string objectives = "objectives: {min: [time_ns, buffer_bits]}\n";
    EXPECT_EQ(front(run(turned + objectives)), front(run(kSpace + objectives, 1)));
}

/// More designs than the search keeps in one block. All objectives are known beforehand, so the
/// order is that of their products, and only the front is measured.
TEST_F(Exploration, TheBestOfManyDesignsGoesFirst) {
    std::string text = "vary: {fabric.flit_bits: [";
    std::vector<std::uint32_t> widths;
    for (std::uint32_t width = 136; width >= 16; width -= 8) {  // the best in the last block
        text += (widths.empty() ? "" : ", ") + std::to_string(width);
        widths.push_back(width);
    }
    text += "], fabric.buffer_depth: [1";
    constexpr std::size_t kDepths = 40;
    for (std::size_t depth = 2; depth <= kDepths; ++depth) text += ", " + std::to_string(depth);
    const Study chosen =
        study(text + "]}\nobjectives: {min: [buffer_bits, pins], max: flit_bits}\n");
    std::vector<std::uint32_t> measured;
    const WorkerPool pool = [&measured](const Job& job) {
        while (const std::optional<Task> task = job.next()) {
            const Config& config = job.point(task->recipe).config;
            measured.push_back(config.fabric.flit_bits * config.fabric.buffer_depth);
            PointOutcome outcome;
            outcome.status = PointStatus::kComplete;
            job.on_outcome(task->id, std::move(outcome));
            job.catch_up();
        }
    };
    Database database("", Database::Access::kWrite);
    const ExploreResult result = explore(chosen, database, {"auto", 2, pool});
    std::reverse(widths.begin(), widths.end());
    EXPECT_EQ(measured, widths);  // widths of FIFOs of one flit, the narrowest first
    EXPECT_EQ(result.front.size(), widths.size());
    EXPECT_EQ(result.pruned, widths.size() * (kDepths - 1));
}

TEST_F(Exploration, ConstraintsConditionsAndZippedAxesLimitTheSpace) {
    const std::string objectives = "objectives: {min: [time_ns, buffer_bits]}\n";
    const ExploreResult wanted =
        run(std::string(kSpace) + objectives +
            "where: [\"fabric.topology != torus or fabric.virtual_channels >= 2\"]\n");
    EXPECT_EQ(wanted.refused, 0U);
    EXPECT_EQ(wanted.points, 288U - 36);
    const ExploreResult negative = run(
        "vary: {fabric.buffer_depth: [2, 3, 4]}\n" + objectives +
        "where: [fabric.buffer_depth - 4 > -2, \"-(fabric.buffer_depth) == -3 or 1 - -1 == 1\"]\n");
    EXPECT_EQ(negative.points, 1U);
    EXPECT_THAT(negative.front.front().labels, testing::ElementsAre("3"));
    const std::string limits = "constraints: {pins: {max: 128}, time_ns: {max: 900}}\n";
    const ExploreResult limited = run(kSpace + objectives + limits);
    EXPECT_EQ(front(limited), front(run(kSpace + objectives + limits + kEverything)));
    for (const Design& design : limited.front) EXPECT_LE(design.objectives[0], 900);
    const ExploreResult zipped = run(R"(
vary:
  fabric.virtual_channels: [1, 2, 4]
  fabric.buffer_depth: [8, 4, 2]
zip: [[fabric.virtual_channels, fabric.buffer_depth]]
)" + objectives);
    EXPECT_EQ(zipped.points, 3U);
    EXPECT_THAT(zipped.front.front().labels, testing::SizeIs(2));
}

TEST_F(Exploration, SeveralMeasurementsAddUp) {
    const std::string text = R"(
vary: {fabric.flit_bits: [32, 64]}
measure:
  small: {set: {traffic.message_bytes: 8}, weight: 3}
  large: {set: {traffic.message_bytes: 512}}
objectives: {min: [cycles, pins]}
)";
    const ExploreResult both = run(text);
    ASSERT_THAT(both.front, testing::SizeIs(2));
    for (const Design& design : both.front) {
        ASSERT_THAT(design.outcomes, testing::SizeIs(2));
        EXPECT_EQ(design.objectives[0],
                  3 * design.outcomes[0].value("cycles") + design.outcomes[1].value("cycles"));
    }
}

TEST_F(Exploration, SaturationIsBoundedFromAbove) {
    std::ofstream(path("base.yaml")) << "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
                                        "traffic: {pattern: uniform, message_bytes: 16}\n"
                                        "steady: {half_width: 0.2, max_cycles: 60000}\n";
    const std::string text = R"(
vary: {fabric.flit_bits: [16, 32], fabric.buffer_depth: [1, 4]}
measure: saturation
objectives: {max: saturation_gbps, min: [pins, buffer_bits]}
)";
    const ExploreResult exact = run(text);
    EXPECT_EQ(front(exact), front(run(text + kEverything)));
    ASSERT_FALSE(exact.front.empty());
    for (const Design& design : exact.front) {
        EXPECT_LE(design.best[0], design.objectives[0]);  // both with their sign turned
        EXPECT_LT(design.objectives[0], 0);
    }
}

TEST_F(Exploration, TheExactFrontOfLatenciesIsThatOfSimulatingEverything) {
    // Seeds draw other messages: a run may be quicker than what is drawn in the long run.
    const std::string vary =
        "vary: {seed: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "
        "fabric.buffer_depth: [2, 8]}\n";
    for (const std::string traffic :
         {"injection_rate: 0.002}\nsteady: {half_width: 0.2}\n",
          "injection_rate: 0.002, measure_cycles: 20000}\n",
          "reply_bytes: 8, injection_rate: 0.002, measure_cycles: 20000}\n"}) {
        std::ofstream(path("base.yaml")) << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                                            "traffic: {pattern: uniform, message_bytes: 64, " +
                                                traffic;
        for (const char* const metric : {"latency_ns", "round_trip_ns"}) {
            if (metric[0] == 'r' && traffic[0] != 'r') continue;
            const std::string text = vary + "objectives: {min: [" + metric + ", buffer_bits]}\n";
            const ExploreResult exact = run(text);
            EXPECT_EQ(front(exact), front(run(text + kEverything))) << metric << ' ' << traffic;
            for (const Design& design : exact.front) {
                EXPECT_LE(design.best[0], design.objectives[0]);
            }
        }
    }
}

/// The reasons of all designs in a state, each once.
std::set<std::string> reasons_of(const std::string& db, DesignState state) {
    std::set<std::string> reasons;
    Database database(db, Database::Access::kRead);
    for (const DesignRow& row : database.designs(database.studies().back())) {
        if (row.state == state) reasons.insert(row.reason);
    }
    return reasons;
}

TEST_F(Exploration, ALatencyIsThatOfASteadyState) {
    std::ofstream(path("base.yaml")) << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                                        "traffic: {pattern: uniform, message_bytes: 64}\n"
                                        "steady: {half_width: 0.2, max_cycles: 200000}\n";
    const std::string vary = "vary: {traffic.injection_rate: [0.1, 0.95]}\n";
    for (const char* const search :
         {"", kEverything, "search: {method: nsga2, evaluations: 2, population: 4}\n"}) {
        const ExploreResult result =
            run(vary + "objectives: {min: latency_ns}\n" + search, 2, "latency.db");
        ASSERT_THAT(result.front, testing::SizeIs(1)) << search;
        EXPECT_EQ(result.front[0].labels, std::vector<std::string>{"0.1"});
    }
    run(vary + "objectives: {min: latency_ns}\n" + kEverything, 2, "latency.db");
    EXPECT_THAT(reasons_of(path("latency.db"), DesignState::kRefused),
                testing::ElementsAre(HasSubstr("no steady state at this load")));
    // Nor does it keep a limit of one.
    const ExploreResult limited = run(vary +
                                          "objectives: {min: buffer_bits}\n"
                                          "constraints: {latency_ns: {max: 1000000}}\n" +
                                          kEverything,
                                      2, "limited.db");
    ASSERT_THAT(limited.front, testing::SizeIs(1));
    EXPECT_EQ(limited.front[0].labels, std::vector<std::string>{"0.1"});
    // And if it is not as precise as required.
    std::ofstream(path("base.yaml"))
        << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
           "traffic: {pattern: uniform, message_bytes: 64, injection_rate: 0.1}\n"
           "steady: {half_width: 0.001, max_cycles: 40000}\n";
    const ExploreResult unsure =
        run("vary: {seed: [1, 2]}\nobjectives: {min: latency_ns}\n", 2, "unsure.db");
    EXPECT_EQ(unsure.refused, 2U);
    EXPECT_THAT(reasons_of(path("unsure.db"), DesignState::kRefused),
                testing::ElementsAre(HasSubstr("steady.max_cycles")));
}

TEST_F(Exploration, WhatDeliversNothingIsNotTheQuickest) {
    std::ofstream(path("base.yaml"))
        << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
           "traffic: {pattern: uniform, message_bytes: 64, warmup_cycles: 10, measure_cycles: "
           "400}\n";
    const std::string study =
        "vary: {traffic.injection_rate: [0.0000001, 0.05]}\nobjectives: {min: latency_ns}\n";
    for (const char* const search : {"", kEverything}) {
        const ExploreResult result = run(study + search, 2, "silent.db");
        ASSERT_THAT(result.front, testing::SizeIs(1)) << search;
        EXPECT_EQ(result.front[0].labels, std::vector<std::string>{"0.05"});
        EXPECT_GT(result.front[0].objectives[0], 0);
    }
    EXPECT_THAT(reasons_of(path("silent.db"), DesignState::kRefused),
                testing::ElementsAre("its measurement does not give latency_ns"));
}

TEST_F(Exploration, WhatIsKnownIsNotSimulatedAgain) {
    const std::string space = "vary: {fabric.buffer_depth: [1, 2, 4]}\n";
    const std::string objectives = "objectives: {min: [cycles, buffer_bits]}\n";
    const ExploreResult first = run(space + objectives, 2, "kept.db");
    EXPECT_GT(first.simulated, 0U);
    const ExploreResult second = run(space + objectives, 2, "kept.db");
    EXPECT_EQ(second.simulated, 0U);
    EXPECT_EQ(front(second), front(first));
    const ExploreResult more =
        run("vary: {fabric.buffer_depth: [1, 2, 4, 8]}\n" + objectives + kEverything, 2, "kept.db");
    EXPECT_EQ(more.simulated + more.reused, 4U);
    EXPECT_GE(more.reused, first.simulated - first.stopped);
}

}  // namespace
}  // namespace flitscope::study
