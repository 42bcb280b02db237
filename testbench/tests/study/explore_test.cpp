// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Explorations: the parts by themselves, and searches against simulating every design.
#include "testbench/study/explore/exploration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/run/energy_counts.h"
#include "testbench/study/explore/objectives.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

// ---- Conditions ---------------------------------------------------------------------------------

bool holds(const std::string& text) {
    static const std::vector<AxisLabels> axes = {{"fabric.topology", {"mesh", "pex-gen"}},
                                                 {"fabric.buffer_depth", {"4", "8"}},
                                                 {"node.injection_rate", {"1/2", "1"}}};
    return Expression(text, {"s.yaml", 1, 1}, axes).holds({"pex-gen", "8", "1/2"});
}

std::string error_of_expression(const std::string& text) {
    try {
        holds(text);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Expression, ComparesAxesWithWordsAndNumbers) {
    EXPECT_TRUE(holds("fabric.topology == pex-gen"));
    EXPECT_FALSE(holds("fabric.topology != 'pex-gen'"));
    EXPECT_TRUE(holds("fabric.buffer_depth >= 8"));
    EXPECT_TRUE(holds("fabric.buffer_depth == 8.0"));
    EXPECT_TRUE(holds("fabric.buffer_depth < 10"));  // not as texts
    EXPECT_TRUE(holds("2 * fabric.buffer_depth - 1 == 30 / 2"));
    EXPECT_TRUE(holds("10 - 2 - 3 == 5"));
    EXPECT_TRUE(holds("node.injection_rate == 1/2"));
    EXPECT_FALSE(holds("node.injection_rate != 0.5"));
    EXPECT_TRUE(holds("node.injection_rate < 1"));
    EXPECT_TRUE(holds("not fabric.topology == mesh and fabric.buffer_depth > 2"));
    EXPECT_TRUE(holds("1 == 2 and 1 == 1 or 3 == 3"));
    EXPECT_FALSE(holds("1 == 2 and (1 == 1 or 3 == 3)"));
}

TEST(Expression, SaysWhatIsWrong) {
    EXPECT_THAT(error_of_expression("fabric.buffer_dept > 2"),
                HasSubstr("s.yaml:1:1: error: 'fabric.buffer_dept' is no axis of this study (did "
                          "you mean 'fabric.buffer_depth'?)"));
    EXPECT_THAT(error_of_expression("1 <"), HasSubstr("it ends too early"));
    EXPECT_THAT(error_of_expression("(1 == 1"), HasSubstr("')' is missing"));
    EXPECT_THAT(error_of_expression("1 = 1"), HasSubstr("'=' is no operator"));
    EXPECT_THAT(error_of_expression("1 == 1 1"), HasSubstr("'1' is one too many"));
    EXPECT_THAT(error_of_expression("'open"), HasSubstr("a quote is not closed"));
    EXPECT_THAT(error_of_expression("fabric.topology > 3"), HasSubstr("'pex-gen' is no number"));
    EXPECT_THAT(error_of_expression("fabric.buffer_depth / 0 > 1"), HasSubstr("divides by 0"));
    EXPECT_THAT(error_of_expression("fabric.topology"), HasSubstr("neither true nor false"));
    for (const char* text : {"fabric.topology != meshh", "meshh == fabric.topology"}) {
        EXPECT_THAT(error_of_expression(text),
                    HasSubstr("'meshh' is no value of fabric.topology in this study (did you mean "
                              "'mesh'?)"));
    }
    EXPECT_EQ(error_of_expression("fabric.topology != 'meshh' or fabric.buffer_depth == 16"),
              "no error");
    EXPECT_THAT(error_of_expression(std::string(300, '(')), HasSubstr("nested too deeply"));
}

// ---- Metrics ------------------------------------------------------------------------------------

/// Two routers of 3 pJ per cycle, 5 pJ for a flit that is written.
PointOutcome counted(double cycles, double writes, double payload_bits) {
    EnergyCounts counts;
    counts.cycles = cycles;
    counts.routers = 2;
    counts.writes = writes;
    PointOutcome outcome;
    for (const auto& [name, member] : kEnergyCounts) {
        outcome.metrics.push_back({name, "", counts.*member});
    }
    outcome.metrics.push_back({kPayloadBits, "bits", payload_bits});
    outcome.metrics.push_back({"lower_bound", "cycles", cycles});
    return outcome;
}

TEST(Metrics, TheEnergyOfABitIsThatOfTheRunOverThePayloadThatArrived) {
    RouterCost router;
    router.energy.emplace();
    router.energy->idle_pj = 3;
    router.energy->write_pj = 5;
    const MetricInfo& metric = *find_metric("energy_per_bit_pj");
    // 2 x 100 x 3 + 40 x 5 = 800 pJ for 50 bytes; at least 2 x 60 x 3 = 360 pJ.
    const PointOutcome run = counted(100, 40, 400);
    const PointOutcome appraisal = counted(60, 0, 400);
    Evaluation evaluation{&appraisal, &run, &router, {}};
    EXPECT_DOUBLE_EQ(metric.value(evaluation).value(), 2);
    EXPECT_DOUBLE_EQ(metric.bound(evaluation).value(), 0.9);
    // Over workloads the mean, and not the sum: 3 x 2 pJ and 1 x 4 pJ.
    const PointOutcome half = counted(100, 40, 200);
    Evaluation other{&appraisal, &half, &router, {}};
    evaluation.weight = 3;
    EXPECT_DOUBLE_EQ(combine(metric, {evaluation, other}, false).value(), 2.5);
    // Headers alone carry nothing.
    const PointOutcome none = counted(100, 40, 0);
    other.measured = &none;
    EXPECT_FALSE(metric.value(other));
}

TEST(Metrics, ALoadThatIsTooMuchHasNoEnergy) {
    RouterCost router;
    router.energy.emplace();
    router.energy->idle_pj = 3;
    for (const char* const name : {"energy_uj", "energy_per_bit_pj"}) {
        const MetricInfo& metric = *find_metric(name);
        PointOutcome run = counted(100, 40, 400);
        const Evaluation evaluation{&run, &run, &router, {}};
        EXPECT_TRUE(metric.value(evaluation)) << name;
        run.status = PointStatus::kUnstable;
        EXPECT_FALSE(metric.value(evaluation)) << name;
        EXPECT_THAT(missing(metric, {evaluation}), HasSubstr("no steady state at this load"));
        run.status = PointStatus::kComplete;
        run.words.emplace_back(kOverloaded, "so much");
        EXPECT_FALSE(metric.value(evaluation)) << name;
        EXPECT_THAT(missing(metric, {evaluation}), HasSubstr("overloaded"));
    }
}

TEST(Metrics, ASaturationThatWasNotFoundIsNone) {
    const MetricInfo& metric = *find_metric("saturation");
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    outcome.metrics = {{"saturation_upper", "flits/node/cycle", 0.01}};
    Evaluation evaluation;
    evaluation.measured = &outcome;
    evaluation.measurement = Measurement::kSaturation;
    EXPECT_FALSE(combine(metric, {evaluation}, false));
    EXPECT_EQ(missing(metric, {evaluation}),
              "no saturation: the backlog grew at the least load that was run");
    outcome.metrics.push_back({"saturation", "flits/node/cycle", 0.005});
    EXPECT_EQ(combine(metric, {evaluation}, false), 0.005);
}

// ---- Fronts -------------------------------------------------------------------------------------

std::vector<Objectives> random_designs(std::mt19937& random, std::size_t objectives) {
    std::vector<Objectives> designs(1 + random() % 40);
    for (Objectives& design : designs) {
        for (std::size_t i = 0; i < objectives; ++i) design.push_back(random() % 10);
    }
    return designs;
}

TEST(ParetoFront, HoldsWhomNobodyDominates) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::vector<Objectives> designs = random_designs(random, 1 + round % 4);
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < designs.size(); ++i) {
            const bool is_dominated =
                std::any_of(designs.begin(), designs.end(),
                            [&](const Objectives& other) { return dominates(other, designs[i]); });
            if (!is_dominated) expected.push_back(i);
        }
        EXPECT_EQ(pareto_front(designs), expected);
        Front front;
        for (std::size_t i = designs.size(); i-- > 0;) front.add(i, designs[i]);
        std::set<std::size_t> members;
        for (const Front::Member& member : front.members()) members.insert(member.id);
        EXPECT_EQ(members, std::set<std::size_t>(expected.begin(), expected.end()));
    }
}

/// The volume that the designs dominate up to `reference`, which is worse than all in everything:
/// exact, by slicing one objective after the other.
double hypervolume(std::vector<Objectives> designs, const Objectives& reference) {
    const std::size_t last = reference.size() - 1;
    std::sort(designs.begin(), designs.end(),
              [&](const Objectives& a, const Objectives& b) { return a[last] < b[last]; });
    if (last == 0) {
        return designs.empty() ? 0 : std::max(0.0, reference[0] - designs.front()[0]);
    }
    // Between two values of the last objective the same designs count, without it.
    double volume = 0;
    const Objectives rest(reference.begin(), reference.end() - 1);
    std::vector<Objectives> slice;
    for (std::size_t i = 0; i < designs.size() && designs[i][last] < reference[last]; ++i) {
        slice.emplace_back(designs[i].begin(), designs[i].end() - 1);
        const double until = i + 1 < designs.size()
                                 ? std::min(designs[i + 1][last], reference[last])
                                 : reference[last];
        if (until > designs[i][last]) {
            volume += (until - designs[i][last]) * hypervolume(slice, rest);
        }
    }
    return volume;
}

TEST(ParetoFront, HypervolumeIsThatOfCountedCells) {
    std::mt19937 random(2);
    for (int round = 0; round < 100; ++round) {
        const std::size_t size = 1 + static_cast<std::size_t>(round) % 3;
        const std::vector<Objectives> designs = random_designs(random, size);
        std::size_t cells = 1;
        for (std::size_t i = 0; i < size; ++i) cells *= 10;
        std::size_t covered = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            covered += std::any_of(designs.begin(), designs.end(),
                                   [&](const Objectives& design) {
                                       std::size_t left = cell;
                                       for (const double value : design) {
                                           if (static_cast<double>(left % 10) < value) return false;
                                           left /= 10;
                                       }
                                       return true;
                                   })
                           ? 1
                           : 0;
        }
        EXPECT_DOUBLE_EQ(hypervolume(designs, Objectives(size, 10)), static_cast<double>(covered));
    }
}

// ---- Studies ------------------------------------------------------------------------------------

/// A folder with a base configuration, and studies in it.
class Exploration : public testing::Test {
protected:
    Exploration() {
        std::ofstream(path("base.yaml")) << "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                                            "traffic: {schedule: pex, message_bytes: 64}\n";
    }

    static std::string path(const std::string& name) { return testing::TempDir() + name; }

    static Study study(const std::string& text) {
        std::ofstream(path("study.yaml")) << "base: base.yaml\n" << text;
        return load_study(path("study.yaml"), {});
    }
    static std::string error_of(const std::string& text) {
        try {
            const Study bad = study(text);
            Database database("", Database::Access::kWrite);
            explore(bad, database, {"auto", 2});
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "no error";
    }
    static ExploreResult run(const std::string& text, unsigned processes = 2,
                             const std::string& db = "") {
        const Study chosen = study(text);
        Database database(db.empty() ? "" : path(db), Database::Access::kWrite);
        return explore(chosen, database, {"auto", processes, process_crew({processes})});
    }
    static std::vector<std::string> front(const ExploreResult& result) {
        std::vector<std::string> digests;
        for (const Design& design : result.front) digests.push_back(design.digest);
        return digests;
    }
};

constexpr const char* kSpace = R"(
vary:
  fabric.topology:
    mesh: {kind: mesh, dims: [4, 4]}
    torus: {kind: torus, dims: [2, 8]}
    cube: {kind: hypercube, dimensions: 4}
    how: {kind: how, dims: [4, 4], window: 2}
  fabric.flit_bits: [16, 32, 64]
  fabric.buffer_depth: [1, 2, 4, 8]
  fabric.virtual_channels: [1, 2]
  traffic.schedule: [pex, gen, naive]
)";
constexpr const char* kEverything = "search: {method: random, evaluations: 100000}\n";

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
    // What was refused is known, and neither simulated nor reused.
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
/// order is that of their products, and the front is measured alone.
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
    const Crew crew = [&measured](const Job& job) {
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
    const ExploreResult result = explore(chosen, database, {"auto", 2, crew});
    std::reverse(widths.begin(), widths.end());
    EXPECT_EQ(measured, widths);  // of FIFOs of one flit, the narrowest first
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
    // And where it is not as sure as it was to be.
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
    for (int seed = 1; seed <= 3; ++seed) {
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
    // One of 24 designs keeps them; most first populations have none.
    const std::string text = std::string(kSpace) +
                             "objectives: {min: [time_ns, pins]}\n"
                             "constraints: {buffer_bits: {max: 2000}}\n";
    for (int seed = 1; seed <= 5; ++seed) {
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

TEST_F(Exploration, BadStudiesAreNamedByLine) {
    const std::string good = "objectives: {min: cycles}\n";
    const auto says = [&](const std::string& text, const std::string& what) {
        EXPECT_THAT(error_of(text), HasSubstr(what)) << text;
    };
    const std::string axis = "vary: {fabric.buffer_depth: [2, 4]}\n";
    says(good, "key 'vary' is missing");
    says(axis, "key 'objectives' is missing");
    // A finding is one line, whatever its names hold.
    says("vary: {fabric.buffer_depth: [\"2\\n2\", \"2\\n2\"]}\n" + good,
         "has the value '2\\x0a2' twice");
    says(axis + good + "where: \"a\\n, b\"\n", "'a\\x0a, b' is no condition");
    says(axis + "objectives: {min: time}\n", ":3:19: error: unknown metric 'time'");
    says(axis + "objectives: {min: saturation_gbps}\n", "no measurement of this study gives");
    says(axis + "objectives: {min: [cycles, cycles]}\n", "is an objective already");
    says("vary: {fabric.buffer_dept: [2]}\n" + good,
         ":2:8: error: unknown key "
         "'fabric.buffer_dept' (did you mean "
         "'fabric.buffer_depth'?)");
    says("vary: {fabric.buffer_depth: []}\n" + good, "has no values, so there is no design");
    says("vary: {fabric.buffer_depth: 3}\n" + good, "has a list of values");
    says("vary: {fabric.buffer_depth: [2, 2]}\n" + good, "twice");
    says("vary: {fabric.buffer_depth: [2, deep]}\n" + good, ":2:33: error: 'fabric.buffer_depth'");
    std::string sum = "1";  // a tree as deep, in which each call would be within another
    for (int i = 0; i < 100'000; ++i) sum += "+1";
    says(axis + good + "where: \"" + sum + " == 1\"\n", "it has more than 1000 operators");
    says(axis + good + "where: [\"1 == 1\", \"1 == 2\"]\n",
         ":4:19: error: no design fulfils the condition '1 == 2'");
    says(axis + good + "where: [fabric.buffer_depth < 4, fabric.buffer_depth > 2]\n",
         "no design fulfils all conditions");
    says(axis + good + "constraints: {pins: {min: 9, max: 3}}\n", "no design can keep both");
    says(axis + good + "equal_cost: {fabric.pin_budget: 8}\n", "study.yaml:4:33: error: ");
    says(axis + good + "search: {method: best}\n", "exact, random, nsga2");
    says(axis + good + "search: {seed: 3}\n", "'seed' is not for the method 'exact'");
    says(axis + good + "search: {method: random, evaluations: 9, population: 8}\n",
         ":4:42: error: 'population' is not for the method 'random'");
    says(axis + good + "measure: {a: {kind: walk}}\n", "expected a measurement, found 'walk'");
    says(axis + good + "meassure: run\n", "unknown key 'meassure' (did you mean 'measure'?");
    says(axis + good + "zip: [[fabric.buffer_depth, traffic.schedule]]\n", "is no axis");
    // What sets the same key twice has no effect once.
    says("vary: {fabric.buffer_depth: [2, 4], r: {small: {fabric.buffer_depth: 1}}}\n" + good,
         "'fabric.buffer_depth' varies twice, the other time at line 2");
    says("vary: {fabric.pin_budget: [256, 512]}\nequal_cost: {fabric.pin_budget: [64]}\n" + good,
         ":3:14: error: 'fabric.pin_budget' varies twice");
    says("vary: {fabric.pin_budget: [256, 512]}\nequal_cost: {fabric.pin_budget: 64}\n" + good,
         ":3:33: error: 'fabric.pin_budget' varies at line 2, which has no effect where equal_cost "
         "sets it");
    says(axis + good + "measure: {a: {set: {fabric.buffer_depth: 8}}}\n",
         "'fabric.buffer_depth' varies at line 2, which has no effect where every measurement");
    says("vary: {clock_ns: [0.5, 0.50]}\n" + good, "has the value '0.50' twice");
    // Or sets the section that a key is in.
    says("vary: {traffic.message_bytes: [8, 16], traffic: {a: {message_bytes: 8}}}\n" + good,
         "'traffic.message_bytes' varies twice, the other time at line 2");
    says("vary: {traffic.message_bytes: [8, 16]}\n" + good +
             "measure: {a: {set: {traffic: {schedule: gen}}}}\n",
         ":4:30: error: 'traffic.message_bytes' varies at line 2, which has no effect where every "
         "measurement sets it");
    says(axis + good + "equal_cost: {fabric.pin_budget: 64}\n" +
             "measure: {a: {set: {fabric: {topology: {kind: mesh, dims: [4]}}}}}\n",
         ":4:33: error: 'fabric.pin_budget' has no effect where every measurement sets it");
}

/// Wherever they stand, and a budget for all designs, too.
TEST_F(Exploration, KeysInASectionThatVariesAreSetBehindIt) {
    const auto bytes_of = [](const Study& chosen, const Choices& choices) {
        return Space(chosen, "auto").point(choices, 0).config.traffic.message_bytes;
    };
    const std::string sizes = "traffic.message_bytes: [8, 4096]";
    const std::string sections = "traffic: {gen: {schedule: gen}, pex: {schedule: pex}}";
    const std::string objectives = "objectives: {min: cycles}\n";
    const Study inner = study("vary: {" + sizes + ", " + sections + "}\n" + objectives);
    const Study outer = study("vary: {" + sections + ", " + sizes + "}\n" + objectives);
    for (std::size_t kind = 0; kind < 2; ++kind) {
        EXPECT_EQ(bytes_of(inner, {0, kind}), 8U);
        EXPECT_EQ(bytes_of(inner, {1, kind}), 4096U);
        EXPECT_EQ(bytes_of(outer, {kind, 1}), 4096U);
    }
    const Study budget = study(
        "vary: {fabric: {line: {topology: {kind: mesh, dims: [16]}}, "
        "mesh: {topology: {kind: mesh, dims: [4, 4]}}}}\n"
        "equal_cost: {fabric.pin_budget: 256}\n" +
        objectives);
    for (std::size_t kind = 0; kind < 2; ++kind) {
        EXPECT_EQ(Space(budget, "auto").point({kind}, 0).config.fabric.pin_budget, 256U);
    }
}

/// What is given on the command line changes something, or is refused.
TEST_F(Exploration, SettingsOfTheCommandLineAreNotReplacedBySections) {
    const auto error_with = [](const std::string& setting) {
        try {
            load_study(path("study.yaml"), {setting});
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    study(
        "vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n"
        "measure: {a: {set: {traffic: {schedule: gen}}}}\n");
    EXPECT_THAT(error_with("traffic.message_bytes=8"), HasSubstr("changes nothing"));
    study("vary: {traffic: {a: {schedule: gen, message_bytes: 8}}}\nobjectives: {min: cycles}\n");
    EXPECT_THAT(error_with("traffic.message_bytes=8"), HasSubstr("changes nothing"));
    study("vary: {traffic: {a: {schedule: gen}}}\nobjectives: {min: cycles}\n");
    EXPECT_EQ(error_with("traffic.message_bytes=8"), "no error");
}

// ---- The database -------------------------------------------------------------------------------

TEST_F(Exploration, OutcomesComeBackAsTheyWere) {
    PointOutcome outcome;
    outcome.status = PointStatus::kComplete;
    outcome.wall_seconds = 0.25;
    outcome.metrics = {{"a", "ns", 1.0 / 3, 0.5, 7, "guess"},
                       {"b", "", 9007199254740991.0},
                       {"c", "cycles", 11, 0.0, 5, "batch means"}};
    outcome.words = {{"engine", "tlm"}};
    Point point;
    {
        Database database(path("x.db"), Database::Access::kWrite);
        EXPECT_FALSE(database.find("d"));
        database.put("d", point_row(point), outcome);
    }
    Database database(path("x.db"), Database::Access::kRead);
    const auto found = database.find("d");
    ASSERT_TRUE(found);
    EXPECT_EQ(to_json(*found), to_json(outcome));
}

TEST_F(Exploration, HalfWidthsThatAreNotKnownAreNullAndOlderZerosAreNotKnown) {
    const std::string db = path("widths.db");
    std::remove(db.c_str());
    PointOutcome outcome;
    outcome.status = PointStatus::kStable;
    outcome.metrics = {{"cycles", "cycles", 100},
                       {"mean_latency", "cycles", 11, 0.0, 5, "batch means"},
                       {"mean_round_trip", "cycles", 30, 0.5, 7, "batch means"}};
    Database(db, Database::Access::kWrite).put("d", point_row({}), outcome);
    const auto half_width = [&](const char* name) {
        return Database(db, Database::Access::kRead).find("d")->find(name)->half_width;
    };
    EXPECT_EQ(half_width("cycles"), std::nullopt);
    EXPECT_EQ(half_width("mean_latency"), 0.0);
    EXPECT_EQ(half_width("mean_round_trip"), 0.5);
    // As older programs wrote it.
    sqlite3* file = nullptr;
    sqlite3_open(db.c_str(), &file);
    sqlite3_exec(file, "UPDATE metric SET half_width = 0 WHERE half_width IS NULL", nullptr,
                 nullptr, nullptr);
    EXPECT_EQ(sqlite3_changes(file), 1);
    sqlite3_close(file);
    EXPECT_EQ(half_width("cycles"), std::nullopt);
    EXPECT_EQ(half_width("mean_latency"), std::nullopt);
    EXPECT_EQ(half_width("mean_round_trip"), 0.5);
}

TEST_F(Exploration, AStatusThatIsNoneIsRefused) {
    const std::string db = path("status.db");
    std::remove(db.c_str());
    Database(db, Database::Access::kWrite).put("d", point_row({}), PointOutcome());
    sqlite3* file = nullptr;
    sqlite3_open(db.c_str(), &file);
    sqlite3_exec(file, "UPDATE attempt SET state = 'odd'", nullptr, nullptr, nullptr);
    sqlite3_close(file);
    Database database(db, Database::Access::kRead);
    try {
        database.find("d");
        ADD_FAILURE() << "it was read";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("table attempt, 'd': state is no status"));
    }
}

TEST_F(Exploration, SettingsOfTheCommandLineAreKeptAndAnotherStudyOfThatNameIsTold) {
    const std::string db = path("settings.db");
    std::remove(db.c_str());
    std::vector<std::pair<StudyRow, StudyRow>> told;
    const auto run_with = [&](const std::vector<std::string>& settings) {
        study(
            "vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n"
            "equal_cost: {fabric.pin_budget: 256}\n");
        ExploreOptions options{"auto", 2, process_crew({2})};
        options.on_replaced = [&](const StudyRow& kept, const StudyRow& now) {
            told.emplace_back(kept, now);
        };
        Database database(db, Database::Access::kWrite);
        explore(load_study(path("study.yaml"), settings), database, options);
        return database.studies().back().settings;
    };
    const std::vector<std::string> small = {"traffic.message_bytes=64", "seed=2"};
    const std::vector<std::string> large = {"traffic.message_bytes=4096"};
    EXPECT_EQ(run_with(small), small);
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(run_with(large), large);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].first.settings, small);
    EXPECT_EQ(told[0].second.settings, large);
    EXPECT_EQ(told[0].first.text, told[0].second.text);
    EXPECT_EQ(run_with({}), std::vector<std::string>{});
    EXPECT_EQ(told.back().first.settings, large);
}

TEST_F(Exploration, ADatabaseWithoutSettingsDoesNotSayThatThereWereNone) {
    const std::string db = path("older.db");
    std::remove(db.c_str());
    run("vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n", 2, "older.db");
    sqlite3* file = nullptr;
    sqlite3_open(db.c_str(), &file);
    sqlite3_exec(file, "DROP TABLE setting", nullptr, nullptr, nullptr);
    sqlite3_close(file);
    const auto known = [&](Database::Access access) {
        return Database(db, access).studies().back().settings.has_value();
    };
    EXPECT_FALSE(known(Database::Access::kRead));
    EXPECT_FALSE(known(Database::Access::kWrite));  // which has made the table
    run("vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n", 2, "older.db");
    EXPECT_TRUE(known(Database::Access::kRead));
}

TEST_F(Exploration, ADatabaseHasOneWriter) {
    const Database first(path("one.db"), Database::Access::kWrite);
    // Locks are between processes.
    const pid_t child = fork();
    if (child == 0) {
        try {
            const Database second(path("one.db"), Database::Access::kWrite);
        } catch (const DatabaseError& error) {
            _exit(std::string(error.what()).find("another exploration") != std::string::npos ? 7
                                                                                             : 8);
        }
        _exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(Exploration, StrangeFilesAreRefused) {
    std::ofstream(path("text.db")) << std::string(5000, 'x');
    EXPECT_THROW(Database(path("text.db"), Database::Access::kWrite), ConfigError);
    sqlite3* db = nullptr;
    sqlite3_open(path("other.db").c_str(), &db);
    sqlite3_exec(db, "CREATE TABLE t(x)", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    EXPECT_THROW(Database(path("other.db"), Database::Access::kWrite), ConfigError);
    { const Database ours(path("new.db"), Database::Access::kWrite); }
    sqlite3_open(path("new.db").c_str(), &db);
    sqlite3_exec(db, "PRAGMA user_version=1", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    try {
        const Database newer(path("new.db"), Database::Access::kRead);
        FAIL() << "not refused";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("schema 1, not 2"));
    }
    EXPECT_THROW(Database(path("nowhere.db"), Database::Access::kRead), ConfigError);
}

}  // namespace
}  // namespace flitscope::study
