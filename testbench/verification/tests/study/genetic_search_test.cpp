// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches by selection: how near they come to the exact front, also if little can be built.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbench/verification/tests/study/exploration_fixture.h"
#include "testbench/verification/tests/study/hypervolume.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope::study {
namespace {

TEST_F(Exploration, AGeneticSearchFindsMostOfTheFrontWithFewSimulations) {
    const std::string objectives = "objectives: {min: [time_ns, buffer_bits]}\n";
    const ExploreResult all = run(kSpace + objectives + kEverything, 2, "all.db");
    Objectives worst(2, 0);
    Database database(path("all.db"), Database::Access::kRead);
    for (const DesignRow& row : database.designs(database.studies().back())) {
        if (row.state != DesignState::kSimulated) continue;
        worst[0] = std::max(worst[0], row.objectives.at("time_ns").get<double>() + 1);
        worst[1] = std::max(worst[1], row.objectives.at("buffer_bits").get<double>() + 1);
    }
    const auto volume = [&](const ExploreResult& result) {
        std::vector<Objectives> designs;
        for (const Design& design : result.front) designs.push_back(design.objectives);
        return hypervolume(designs, worst);
    };
    for (int seed = 1; seed <= (takes_all() ? 3 : 1); ++seed) {
        const std::string search = fmt::format(
            "search: {{method: nsga2, evaluations: 50, population: 16, seed: {}}}\n", seed);
        const ExploreResult found = run(kSpace + objectives + search);
        EXPECT_LE(found.simulated, 50U);
        EXPECT_EQ(found.simulated + found.pruned + found.refused, found.points);
        EXPECT_GE(volume(found), 0.95 * volume(all));
        EXPECT_EQ(front(run(kSpace + objectives + search, 1)), front(found));
    }
}

TEST_F(Exploration, AGeneticSearchFindsItsWayIntoTheConstraints) {
    // One of 24 designs keeps them; most first populations have none, those of both seeds too.
    const std::string text = std::string(kSpace) +
                             "objectives: {min: [time_ns, pins]}\n"
                             "constraints: {buffer_bits: {max: 2000}}\n";
    for (int seed = 1; seed <= (takes_all() ? 5 : 2); ++seed) {
        const ExploreResult found =
            run(text +
                fmt::format("search: {{method: nsga2, evaluations: 6, population: 4, seed: {}}}\n",
                            seed));
        EXPECT_GT(found.simulated, 0U);
        EXPECT_FALSE(found.front.empty());
        EXPECT_EQ(found.simulated + found.pruned + found.refused, found.points);
    }
}

TEST_F(Exploration, AGeneticSearchGoesOnWhereNothingOfTheFirstPopulationCanBeBuilt) {
    // A torus takes two virtual channels, and packets that are stored longer FIFOs; of twelve
    // designs exactly one can be built.
    const std::string text = R"(
vary:
  fabric.topology: {torus: {kind: torus, dims: [2, 8]}}
  fabric.virtual_channels: [1, 2]
  buffers:
    a: {fabric.buffer_depth: 2}
    b: {fabric.buffer_depth: 3, fabric.switching: store_and_forward}
    c: {fabric.buffer_depth: 4, fabric.switching: store_and_forward}
    d: {fabric.buffer_depth: 5, fabric.switching: store_and_forward}
    e: {fabric.buffer_depth: 6, fabric.switching: store_and_forward}
    f: {fabric.buffer_depth: 7, fabric.switching: store_and_forward}
objectives: {min: time_ns}
)";
    for (int seed = 1; seed <= 5; ++seed) {
        const ExploreResult found =
            run(text +
                fmt::format("search: {{method: nsga2, evaluations: 6, population: 4, seed: {}}}\n",
                            seed));
        EXPECT_EQ(found.simulated, 1U);
        EXPECT_EQ(found.refused, 11U);
    }
}

}  // namespace
}  // namespace flitscope::study
