// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Views of the designs of a study apart from their front, counted by hand.
#include "testbench/app/study/explore/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/app/study/explore/losses.h"

namespace flitscope::study {
namespace {

using ::testing::ElementsAre;

StudyRow study() {
    return {"study", "", {{"time_ns", "ns", false}, {"saturation", "flits/node/cycle", true}}};
}

DesignRow design(const std::string& topology, const std::string& depth, double time,
                 double saturation) {
    DesignRow row;
    row.digest = topology + depth;
    row.state = DesignState::kSimulated;
    row.axes = {{"topology", topology}, {"depth", depth}};
    row.objectives = {{"time_ns", time}, {"saturation", saturation}};
    return row;
}

DesignRow unmeasured(const std::string& topology, const std::string& depth, DesignState state) {
    DesignRow row = design(topology, depth, 0, 0);
    row.state = state;
    row.reason = "dominated";
    row.objectives = Json::object();
    return row;
}

std::vector<DesignRow> designs() {
    return {design("mesh", "2", 100, 0.2),
            design("mesh", "4", 80, 0.3),
            design("cube", "2", 50, 0.2),
            design("cube", "4", 20, 0.6),
            unmeasured("ring", "2", DesignState::kPruned),
            design("ring", "4", 160, 0.1),
            unmeasured("ring", "8", DesignState::kRefused)};
}

const AxisEffect& effect(const std::vector<AxisEffect>& effects, const std::string& axis,
                         const std::string& objective) {
    for (const AxisEffect& one : effects) {
        if (one.axes.front() == axis && one.objective == objective) return one;
    }
    throw std::out_of_range(axis);
}

TEST(AxisEffects, AreThoseOfDesignsThatAgreeOnAllOtherAxes) {
    const auto effects = axis_effects(study(), designs());
    ASSERT_EQ(effects.size(), 4U);
    // Depth 2: 100 and 50; depth 4: 80, 20 and 160.
    const AxisEffect& topology = effect(effects, "topology", "time_ns");
    EXPECT_EQ(topology.groups, 2U);
    EXPECT_NEAR(topology.spread, std::sqrt(2.0 * 8.0), 1e-12);
    EXPECT_DOUBLE_EQ(topology.most, 8);
    EXPECT_THAT(topology.best, ElementsAre("cube"));
    EXPECT_EQ(topology.wins, 2U);
    // A single ring is not a group.
    const AxisEffect& depth = effect(effects, "depth", "time_ns");
    EXPECT_EQ(depth.groups, 2U);
    EXPECT_NEAR(depth.spread, std::sqrt(100.0 / 80 * 2.5), 1e-12);
    EXPECT_THAT(depth.best, ElementsAre("4"));
    // An objective to be maximised is best where it is largest; ties win nothing.
    const AxisEffect& saturation = effect(effects, "topology", "saturation");
    EXPECT_THAT(saturation.best, ElementsAre("cube"));
    EXPECT_EQ(saturation.wins, 1U);
    EXPECT_NEAR(saturation.spread, std::sqrt(1.0 * 6.0), 1e-12);
}

TEST(AxisEffects, LeaveOutWhatBreaksConstraintsAndHasNoRatio) {
    auto rows = designs();
    rows[3].reason = "time_ns is too small";
    rows[0].objectives["saturation"] = 0;
    const auto effects = axis_effects(study(), rows);
    const AxisEffect& topology = effect(effects, "topology", "time_ns");
    EXPECT_EQ(topology.groups, 2U);
    EXPECT_DOUBLE_EQ(topology.most, 2);
    EXPECT_EQ(topology.wins, 1U);  // the cube in one, the mesh in the other
    EXPECT_EQ(effect(effects, "topology", "saturation").groups, 1U);
    EXPECT_TRUE(axis_effects(study(), {}).empty());
}

TEST(AxisEffects, OfAxesThatNeverDifferAloneAreOne) {
    auto rows = designs();
    for (DesignRow& row : rows) {
        const std::string depth = row.axes["depth"];
        row.axes["width"] = "8 x " + depth;
        row.axes["clock"] = "1 ns";  // as that of all of them: it goes with none
        row.axes["wires"] = depth == "2" ? "short" : "long";  // the same for depths 4 and 8
    }
    const auto effects = axis_effects(study(), rows);
    ASSERT_EQ(effects.size(), 8U);
    EXPECT_THAT(effect(effects, "topology", "time_ns").axes, ElementsAre("topology"));
    EXPECT_EQ(effect(effects, "topology", "time_ns").groups, 2U);
    EXPECT_THAT(effect(effects, "depth", "time_ns").axes, ElementsAre("depth", "width"));
    EXPECT_EQ(effect(effects, "depth", "time_ns").groups, 0U);  // wires differ, too
    for (DesignRow& row : rows) row.axes.erase("wires");
    const auto without = axis_effects(study(), rows);
    const AxisEffect& both = effect(without, "depth", "time_ns");
    EXPECT_EQ(both.groups, 2U);
    EXPECT_THAT(both.best, ElementsAre("4", "8 x 4"));
    EXPECT_EQ(both.wins, 2U);
}

TEST(BestWithin, KeepsToTheBudgetInItsDirection) {
    const auto by_time = best_within(study(), designs(), "time_ns", {10, 50, 99});
    ASSERT_EQ(by_time.size(), 3U);
    EXPECT_FALSE(by_time[0].design.has_value());
    EXPECT_EQ(by_time[1].design->digest, "cube4");
    EXPECT_EQ(by_time[2].objective, "saturation");
    const auto by_saturation = best_within(study(), designs(), "saturation", {0.25, 0.7});
    EXPECT_EQ(by_saturation[0].design->digest, "cube4");
    EXPECT_FALSE(by_saturation[1].design.has_value());
    EXPECT_THROW(best_within(study(), designs(), "pins", {1}), std::out_of_range);

    auto rows = designs();
    rows[3].objectives["time_ns"] = 60;  // beyond the budget by a little
    EXPECT_EQ(best_within(study(), rows, "time_ns", {59})[0].design->digest, "cube2");
}

TEST(SettingsText, IsWhatAShellTakes) {
    StudyRow one = study();
    EXPECT_EQ(settings_text(one), "");  // the database does not say
    one.settings.emplace();
    EXPECT_EQ(settings_text(one), "");
    one.settings = {"fabric.buffer_depth=4", "traffic.message_lengths={8: 1}", "x=\x1b"};
    EXPECT_EQ(settings_text(one),
              "--set fabric.buffer_depth=4 --set 'traffic.message_lengths={8: 1}' --set x=\\x1b");
}

TEST(BestWithin, OfEqualsTheOneThatIsOnTheFront) {
    StudyRow three = study();
    three.objectives.push_back({"pins", "", false});
    auto rows = designs();
    for (DesignRow& row : rows) {
        if (row.state != DesignState::kSimulated) continue;
        row.objectives["pins"] = 192;
        row.objectives["saturation"] = 0.5;
    }
    const auto choices = best_within(three, rows, "pins", {200});
    ASSERT_EQ(choices[1].objective, "saturation");
    EXPECT_EQ(choices[1].design->digest, "cube4");  // the quickest, and not the first
}

TEST(Exclusions, AreOneWhereNumbersAloneDiffer) {
    std::vector<DesignRow> rows;
    const auto add = [&rows](DesignState state, const std::string& reason) {
        rows.push_back(design("mesh", "2", 1, 1));
        rows.back().state = state;
        rows.back().reason = reason;
    };
    add(DesignState::kRefused, "timeout: limits.max_cycles = 30 reached");
    add(DesignState::kPruned, "area_mm2 is at least 4, at most 3 is allowed");
    add(DesignState::kPruned,
        "area_mm2 is at least 4.25, at most 3 is allowed (of which routers 4: 4 x 1.000 mm2 with 3 "
        "ports; registers of links 0.25)");
    add(DesignState::kPruned, "area_mm2 is at least 1.2e+06, at most 3 is allowed");
    add(DesignState::kSimulated, "area_mm2 is at least 4, at most 3 is allowed");
    add(DesignState::kRefused, "yosys failed:\n  first line\n\n  ERROR: broken\n");
    add(DesignState::kRefused, "timeout: limits.max_cycles = 30 reached");
    add(DesignState::kSimulated, "");  // counts
    const std::vector<Exclusion> all = exclusions(rows);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].designs, 3U);
    EXPECT_EQ(all[0].state, DesignState::kPruned);
    EXPECT_EQ(all[0].reason, "area_mm2 is at least 4, at most 3 is allowed");
    EXPECT_TRUE(all[0].is_only_like);
    EXPECT_EQ(all[1].designs, 2U);
    EXPECT_FALSE(all[1].is_only_like);
    EXPECT_EQ(all[2].state, DesignState::kSimulated);
    EXPECT_EQ(all[3].reason, "yosys failed: first line; ERROR: broken");
    EXPECT_TRUE(exclusions({}).empty());
}

TEST(Losses, SayWhoDominatesInWhatOrWhichConstraintIsMissed) {
    std::vector<DesignRow> rows = designs();
    rows[4].reason = std::string(kDominatedBy) + "cube4: time_ns at least 150 against 20";
    rows.push_back(design("mesh", "8", 20, 0.1));
    rows.push_back(design("mesh", "16", 10, 0.9));
    rows.back().reason = "area_mm2 is 30, at most 25 is allowed";
    rows.push_back(design("cube", "8", 15, 0.2));
    const std::vector<const DesignRow*> front{&rows[3], &rows[9]};
    const std::vector<Loss> all = losses(study(), rows, front);
    std::vector<std::string> reasons;
    for (const Loss& loss : all) reasons.push_back(loss.reason);
    EXPECT_THAT(
        reasons,
        ElementsAre(
            // By the one that is better by the larger factor.
            "dominated by cube 4 (cube4): time_ns 100 against 20, saturation 0.2 against 0.6",
            "dominated by cube 4 (cube4): time_ns 80 against 20, saturation 0.3 against 0.6",
            "dominated by cube 4 (cube4): time_ns 50 against 20, saturation 0.2 against 0.6",
            "dominated by cube 4 (cube4): time_ns at least 150 against 20",
            "dominated by cube 4 (cube4): time_ns 160 against 20, saturation 0.1 against 0.6",
            "dominated",
            "dominated by cube 4 (cube4): time_ns 20 as well, saturation 0.1 against 0.6",
            "area_mm2 is 30, at most 25 is allowed"));
    EXPECT_EQ(nearest_losses(all, front, 8).size(), 8U);
    std::vector<std::string> nearest;  // no cubes, which are on the front
    for (const Loss& loss : nearest_losses(all, front, 7)) nearest.push_back(loss.design->digest);
    EXPECT_THAT(nearest, ElementsAre("mesh8", "ring4"));
    EXPECT_THAT(constant_axes(all_of(rows)), ElementsAre());
    EXPECT_THAT(constant_axes({&rows[0], &rows[1]}), ElementsAre("topology"));
    EXPECT_EQ(against_text("time_ns", "at least ", 1234567, 1234568),
              "time_ns at least 1234567 against 1234568");
    EXPECT_EQ(against_text("area_mm2", "", 2.00001, 2), "area_mm2 2.00001 against 2");
}

TEST(CrossTable, HasTheBestOfEachKindAndSaysWhatIsNotMeasured) {
    const CrossTable table = cross_table(study(), designs(), "topology", "depth", "time_ns");
    EXPECT_EQ(table.rows, (std::vector<std::string>{"mesh", "cube", "ring"}));
    EXPECT_EQ(table.columns, (std::vector<std::string>{"2", "4", "8"}));
    EXPECT_EQ(table.cells[1][1].best->digest, "cube4");
    EXPECT_FALSE(table.cells[2][0].best.has_value());
    EXPECT_EQ(table.cells[2][0].all, 1U);  // pruned
    EXPECT_EQ(table.cells[2][0].measured, 0U);
    EXPECT_EQ(table.cells[2][2].all, 0U);  // refused: there is no such design
    const CrossTable by_row = cross_table(study(), designs(), "topology", "topology", "saturation");
    EXPECT_EQ(by_row.cells[0][0].best->digest, "mesh4");
    EXPECT_THROW(cross_table(study(), designs(), "topology", "width", "time_ns"),
                 std::out_of_range);
}

}  // namespace
}  // namespace flitscope::study
