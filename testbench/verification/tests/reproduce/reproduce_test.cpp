// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame of `flitscope reproduce`: experiments run once and are kept, reports say what they
// hold.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/verilated/rtl_variant.h"
#include "models/config/config.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/run_energy.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/study/worker_pool.h"
#include "testbench/papers/bokhari/bokhari.h"
#include "testbench/papers/framework/experiment_runner.h"
#include "testbench/papers/framework/paper.h"
#include "testbench/papers/framework/render.h"
#include "testbench/papers/framework/routers.h"
#include "testbench/papers/framework/synthesized_runs.h"
#include "testbench/papers/papers.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope::reproduce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string exchange(std::uint32_t side) {
    return "fabric: {topology: {kind: mesh, dims: [" + std::to_string(side) +
           ", 4]}}\ntraffic: {schedule: gen, message_bytes: 64}\n";
}

class ExperimentRunnerTest : public testing::Test {
protected:
    ExperimentRunnerTest() {
        options_.folder = testing::TempDir() + "laboratory";
        options_.processes = 2;
        options_.on_progress = [this](const std::string& line) { lines_.push_back(line); };
    }
    ~ExperimentRunnerTest() override { std::filesystem::remove_all(options_.folder); }

    std::size_t runs(const std::vector<Experiment>& experiments) {
        lines_.clear();
        run_experiments(experiments, options_);
        std::size_t runs = 0;
        for (const std::string& line : lines_) {
            if (line.find("left") != std::string::npos) ++runs;
        }
        return runs;
    }

    ExperimentOptions options_;
    std::vector<std::string> lines_;
};

TEST_F(ExperimentRunnerTest, OutcomesAreThoseOfTheRuns) {
    const Outcomes outcomes =
        run_experiments({{"a", exchange(4), "cycle", 1}, {"b", exchange(2), "tlm", 1}}, options_);
    EXPECT_EQ(outcomes.at("a").messages, 16 * 15);
    EXPECT_EQ(outcomes.at("a").steps, 15);
    EXPECT_EQ(outcomes.at("a").engine, "cycle");
    EXPECT_EQ(outcomes.at("b").messages, 8 * 7);
    EXPECT_EQ(outcomes.at("b").engine, "tlm");
    EXPECT_GT(outcomes.at("a").cycles, outcomes.at("b").cycles);
    EXPECT_GE(outcomes.at("a").cycles, outcomes.at("a").lower_bound);
    EXPECT_THROW(static_cast<void>(outcomes.at("c")), std::out_of_range);
}

TEST_F(ExperimentRunnerTest, WhatIsKeptIsNotRunAgain) {
    const std::vector<Experiment> two = {{"a", exchange(4), "cycle", 1},
                                         {"b", exchange(2), "cycle", 1}};
    EXPECT_EQ(runs({two[0]}), 1);
    EXPECT_EQ(runs(two), 1);
    EXPECT_EQ(runs(two), 0);
    EXPECT_THAT(lines_, ElementsAre("2 of 2 outcomes are there already"));
}

TEST_F(ExperimentRunnerTest, AnotherConfigurationOrEngineIsRunAgain) {
    EXPECT_EQ(runs({{"a", exchange(4), "cycle", 1}}), 1);
    EXPECT_EQ(runs({{"a", exchange(5), "cycle", 1}}), 1);
    EXPECT_EQ(runs({{"a", exchange(5), "tlm", 1}}), 1);
    EXPECT_EQ(runs({{"a", exchange(5), "tlm", 1}}), 0);
}

TEST_F(ExperimentRunnerTest, AnOutcomeThatCannotBeReadIsMadeAgain) {
    const Experiment experiment{"a", exchange(4), "cycle", 1};
    EXPECT_EQ(runs({experiment}), 1);
    for (const char* const text : {"{\"program\": \"flits", "[]", "null", ""}) {
        SCOPED_TRACE(text);
        std::ofstream(options_.folder + "/a.json") << text;
        EXPECT_EQ(runs({experiment}), 1);
        EXPECT_EQ(runs({experiment}), 0);
    }
}

TEST_F(ExperimentRunnerTest, AFailureNamesTheExperiment) {
    const std::string bad =
        "fabric: {topology: {kind: mesh, dims: [3, 3]}}\n"
        "traffic: {schedule: pex}\n";
    try {
        run_experiments({{"good", exchange(2), "cycle", 1}, {"bad/pex", bad, "cycle", 2}},
                        options_);
        FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("experiment bad/pex: bad/pex:2:21: "));
    }
}

TEST_F(ExperimentRunnerTest, ARunThatDoesNotEndWellIsAFailure) {
    const std::string late = exchange(4) + "limits: {max_cycles: 10}\n";
    try {
        run_experiments({{"late", late, "cycle", 1}}, options_);
        FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("experiment late: timeout"));
    }
    // Nor is it taken for an outcome the next time.
    EXPECT_THROW(run_experiments({{"late", late, "cycle", 1}}, options_), std::runtime_error);
}

TEST_F(ExperimentRunnerTest, CancelledWorkGoesOnWhereItStopped) {
    const std::vector<Experiment> two = {{"a", exchange(4), "cycle", 2},
                                         {"b", exchange(2), "cycle", 1}};
    options_.processes = 1;
    options_.is_cancelled = [this] { return !lines_.empty(); };
    EXPECT_THROW(run_experiments(two, options_), study::Cancelled);
    EXPECT_THAT(lines_, SizeIs(1));
    options_.is_cancelled = {};
    EXPECT_EQ(runs(two), 1);
}

TEST_F(ExperimentRunnerTest, WithoutAFolderNothingStays) {
    const std::string folder = options_.folder;
    std::filesystem::create_directories(folder);
    setenv("TMPDIR", folder.c_str(), 1);
    options_.folder.clear();
    const Outcomes outcomes = run_experiments({{"a", exchange(2), "cycle", 1}}, options_);
    unsetenv("TMPDIR");
    EXPECT_EQ(outcomes.at("a").messages, 8 * 7);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    options_.folder = folder;
}

TEST_F(ExperimentRunnerTest, OutcomesAreReadAsTheyWereWritten) {
    const std::vector<Experiment> experiments = {{"a", exchange(3), "cycle", 1},
                                                 {"b", exchange(2), "tlm", 1}};
    const Outcomes outcomes = run_experiments(experiments, options_);
    std::stringstream text;
    outcomes.write(text, experiments);
    std::stringstream again;
    Outcomes::read(text).write(again, experiments);
    EXPECT_EQ(again.str(), text.str());
    EXPECT_THAT(again.str(),
                HasSubstr("a,cycle," + std::to_string(outcomes.at("a").cycles) + ",11,"));
    std::stringstream damaged(again.str() + "c,cycle,12\n");
    EXPECT_THROW(Outcomes::read(damaged), std::runtime_error);
}

TEST_F(ExperimentRunnerTest, CausesAreRecordedWhereTheyAreAskedFor) {
    std::vector<Experiment> experiments = {{"a", exchange(4), "cycle", 1},
                                           {"b", exchange(4), "tlm", 1}};
    EXPECT_FALSE(run_experiments(experiments, options_).at("a").by_cause);
    EXPECT_THROW(record_causes(experiments, {"c"}), std::out_of_range);
    record_causes(experiments, {"a", "b"});
    // The stored runs have none, so both run again; then they are there.
    EXPECT_EQ(runs(experiments), 2);
    EXPECT_EQ(runs(experiments), 0);
    const Outcomes outcomes = run_experiments(experiments, options_);
    const Breakdown breakdown = outcomes.breakdown("a", "the one");
    EXPECT_EQ(breakdown.cycles(), outcomes.at("a").cycles);
    EXPECT_GT(breakdown.share({Cause::kSerialization}), 0.1);
    EXPECT_EQ(breakdown.by_cause, outcomes.breakdown("b", "the other").by_cause);
    std::stringstream text;
    outcomes.write(text, experiments);
    const Outcomes again = Outcomes::read(text);
    EXPECT_EQ(again.breakdown("a", "").by_cause, breakdown.by_cause);
    std::stringstream damaged(text.str() + "c,cycle,1,1,1,1,1,1,1,laziness=1\n");
    EXPECT_THROW(Outcomes::read(damaged), std::runtime_error);
}

std::string line_of_four(const std::string& fabric, const std::string& end = "") {
    return "fabric: {topology: {kind: mesh, dims: [4]}, flit_bits: 16" + fabric +
           "}\ntraffic: {schedule: gen, message_bytes: 20}\n" + end;
}

class SynthesizedRunsTest : public ExperimentRunnerTest {
protected:
    SynthesizedRunsTest() { setenv("FLITSCOPE_CACHE", (options_.folder + "/cache").c_str(), 1); }
    ~SynthesizedRunsTest() override { unsetenv("FLITSCOPE_CACHE"); }

    static std::vector<std::string> keys(const std::vector<Experiment>& experiments) {
        std::vector<std::string> all;
        for (const Experiment& experiment : experiments) all.push_back(experiment.key);
        return all;
    }
};

TEST_F(SynthesizedRunsTest, RunsHaveTheClockAndTheEnergyOfTheirRouter) {
    const std::string wires =
        ", buffer_depth: 4, link_delay: {model: physical, pitch_mm: 200, ns_per_mm: 0.0585}";
    const std::vector<Experiment> experiments = {
        {"plain", line_of_four(", buffer_depth: 4"), "tlm", 1},
        {"wires", line_of_four(wires, "clock_ns: 0.5\n"), "tlm", 1},
        {"stored", line_of_four(", switching: store_and_forward, buffer_depth: 64"), "cycle", 1}};
    EXPECT_EQ(runs(experiments), 3);
    SynthesizedRuns synthesized(experiments, {}, {2});
    EXPECT_THAT(keys(synthesized.experiments()),
                ElementsAre("plain", "wires", "wires/at_its_clock", "stored"));
    options_.on_outcome = [&](const Experiment& experiment, const study::PointOutcome& outcome) {
        synthesized.note(experiment, outcome);
    };
    // A run stored without counts is repeated if these are needed, and then serves both.
    EXPECT_EQ(runs(synthesized.experiments()), 2);
    EXPECT_EQ(runs(synthesized.experiments()), 0);
    EXPECT_EQ(runs(experiments), 0);
    const Outcomes outcomes = run_experiments(synthesized.experiments(), options_);

    const Table table = synthesized.table(experiments);
    ASSERT_THAT(table.rows, SizeIs(2));
    EXPECT_THAT(table.columns,
                ElementsAre("run", "router", "clock ns", "cycles", "us", "uJ", "pJ/bit"));
    const auto row = [&](std::size_t number) { return table.rows.at(number); };
    const std::string router = "router_p3_v1_d4_w16_r1_mesh";
    const hw::BuiltRouters built = routers_of(parse_config(experiments.front().yaml, "c"));
    const double clock_ns = synthesized_clock_ns(cached_cost(built, {})->min_period_ns);
    EXPECT_GT(clock_ns, 1);
    for (std::size_t number = 0; number < 2; ++number) {
        const std::string run = number == 0 ? "plain" : "wires/at_its_clock";
        SCOPED_TRACE(run);
        const auto cycles = static_cast<double>(outcomes.at(run).cycles);
        EXPECT_EQ(row(number).at(1).value, router);
        EXPECT_EQ(row(number).at(2).value, clock_ns);
        EXPECT_EQ(row(number).at(3).value, outcomes.at(run).cycles);
        EXPECT_NEAR(row(number).at(4).value.get<double>(), cycles * clock_ns / 1000, 1e-9);
        // 12 messages of 20 bytes are 1920 bits.
        EXPECT_NEAR(row(number).at(6).value.get<double>() * 1920,
                    row(number).at(5).value.get<double>() * 1e6, 1e-3);
        // No less than the clock of the four routers takes.
        EXPECT_GT(row(number).at(5).value.get<double>(),
                  4 * cycles * cached_average_energy(built, {})->idle_pj * 1e-6);
    }
    // 11.7 ns of wire are fewer cycles of a slower clock.
    EXPECT_LT(outcomes.at("wires/at_its_clock").cycles, outcomes.at("wires").cycles);
    EXPECT_THAT(table.notes, ElementsAre(HasSubstr("The same cycles"),
                                         HasSubstr("Runs left out: 1. RTL routers cannot read")));

    std::stringstream csv;
    synthesized.write_csv(csv, experiments);
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "key,router,clock_ns,cycles,time_ns,energy_uj,energy_per_bit_pj");
    std::getline(csv, line);
    EXPECT_THAT(line, HasSubstr("plain," + router + ","));
    std::getline(csv, line);
    std::getline(csv, line);
    EXPECT_EQ(line, "stored,,,,,,");
}

/// The results of the reproduction when `./dev reproduce --update` was last called.
std::string golden(const std::string& file) { return std::string(FLITSCOPE_GOLDEN) + "/" + file; }

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// As many routes are walked for the reports, they are made once for both.
TEST(Papers, ReportsAndConclusionsOfTheKeptOutcomesAreThoseThatAreKept) {
    std::stringstream all;
    std::vector<Report> reports;
    for (const Paper& paper : papers()) {
        std::stringstream kept(text_of(golden(paper.name + ".csv")));
        reports.push_back(paper.report(Outcomes::read(kept)));
        std::ostringstream text;
        print_report(text, paper, reports.back());
        EXPECT_EQ(text.str(), text_of(golden(paper.name + ".txt")))
            << "if this is meant: ./dev reproduce --update";
        kept.clear();
        kept.seekg(0);
        std::string heading;
        std::getline(kept, heading);
        if (all.str().empty()) all << heading << '\n';
        all << kept.rdbuf();
    }
    std::ostringstream text;
    print_conclusions(text, papers(), reports, Outcomes::read(all));
    EXPECT_EQ(text.str(), text_of(golden("../CONCLUSIONS.md")))
        << "if this is meant: ./dev reproduce --update";
}

/// The outcomes that a part of a report needs, found like run_wanted() finds them: those it asks
/// for come from `all`.
Outcomes asked_for(const Paper& paper, const Outcomes& all, const Wanted& wanted) {
    Outcomes known;
    for (;;) {
        Outcomes asked = known;
        asked.note_missing();
        paper.report(asked, wanted);
        if (asked.missing().empty()) return known;
        for (const std::string& key : asked.missing()) known.add(key, all.at(key));
    }
}

// Unless all are asked for, one each of the papers whose reports do not walk every route.
TEST(Papers, EveryTableAndPlotIsTheSameByItself) {
    for (const Paper& paper : papers()) {
        if (!takes_all() && (paper.name == "thakur" || paper.name == "bokhari")) continue;
        std::ifstream file(golden(paper.name + ".csv"));
        const Outcomes all = Outcomes::read(file);
        Report whole = paper.report(all);
        whole.conclusions.clear();
        if (!takes_all()) {
            whole.tables.resize(1);
            whole.plots.clear();
        }
        Report by_parts;
        std::set<std::string> titles;  // some have the same
        const auto add = [&](const std::string& title) {
            if (!titles.insert(title).second) return;
            const Wanted wanted(title);
            const Report part = paper.report(asked_for(paper, all, wanted), wanted);
            EXPECT_TRUE(part.conclusions.empty());
            for (const Table& table : part.tables) {
                if (table.title == title) by_parts.tables.push_back(table);
            }
            for (const Plot& plot : part.plots) {
                if (plot.name == title) by_parts.plots.push_back(plot);
            }
        };
        for (const Table& table : whole.tables) add(table.title);
        for (const Plot& plot : whole.plots) add(plot.name);
        EXPECT_EQ(report_json(paper, by_parts).dump(1), report_json(paper, whole).dump(1));
    }
}

TEST(Papers, AFigureNeedsItsOwnRunsAlone) {
    const auto keys_of = [](const std::string& words) {
        Outcomes none;
        none.note_missing();
        const Report report = bokhari().report(none, Wanted(words));
        EXPECT_EQ(report.tables.size(), 1U) << words;
        return none.missing();
    };
    // Figure 13: eight levels of contention on 8 x 8, with two kinds of barriers, and the naive
    // exchange in two orders.
    const std::set<std::string> keys = keys_of("FIGURE 13");
    EXPECT_EQ(keys.size(), 18U);
    for (const std::string& key : keys) EXPECT_THAT(key, HasSubstr("/8x8/"));
    EXPECT_TRUE(keys_of("Table 2").empty());  // walked, not run
    const Wanted wanted("table 1");
    EXPECT_TRUE(wanted.has("Table 1: lower bounds"));
    EXPECT_FALSE(wanted.has("Table 10"));
    EXPECT_FALSE(wanted.has("Timetable 1"));
    EXPECT_THAT(wanted.others(), ElementsAre("Table 10", "Timetable 1"));
}

TEST(Papers, KeptCausesSumUpToTheCyclesOfTheirRuns) {
    std::size_t with_causes = 0;
    for (const Paper& paper : papers()) {
        std::ifstream file(golden(paper.name + ".csv"));
        const Outcomes kept = Outcomes::read(file);
        for (const Experiment& experiment : paper.experiments()) {
            EXPECT_EQ(kept.at(experiment.key).by_cause.has_value(), experiment.by_cause)
                << experiment.key;
            if (!experiment.by_cause) continue;
            ++with_causes;
            EXPECT_EQ(kept.breakdown(experiment.key, "").cycles(), kept.at(experiment.key).cycles)
                << experiment.key;
        }
    }
    EXPECT_GT(with_causes, 40U);
}

/// A third of them unless all are asked for; the others are those of ./dev reproduce.
TEST(Papers, CheapExperimentsComeOutAsTheyDid) {
    constexpr double kCheap = 0.2;  // seconds
    for (const Paper& paper : papers()) {
        std::vector<Experiment> cheap;
        std::size_t number = 0;
        for (Experiment& experiment : paper.experiments()) {
            if (experiment.weight > kCheap) continue;
            if (takes_all() || number++ % 3 == 0) cheap.push_back(std::move(experiment));
        }
        EXPECT_THAT(cheap, testing::Not(IsEmpty())) << paper.name;
        ExperimentOptions options;
        options.processes = 2;
        std::ifstream file(golden(paper.name + ".csv"));
        std::stringstream kept;
        Outcomes::read(file).write(kept, cheap);
        std::stringstream now;
        run_experiments(cheap, options).write(now, cheap);
        EXPECT_EQ(now.str(), kept.str()) << "if this is meant: ./dev reproduce --update";
    }
}

TEST(ReportText, ColumnsAreAlignedAndEmptyCellsAreShown) {
    Report report;
    Table table;
    table.title = "Table 1";
    table.source = "Sec. 2";
    table.columns = {"name", "cycles", "error"};
    table.rows = {{"a", 1234567, relative_error(11, 10)}, {"long name", 5, {}}};
    table.notes = {"A note."};
    report.tables = {table};
    report.conclusions = {{"it is fast", "Sec. 3", Cases::of(3, 4), "Sometimes."}};
    const Paper paper{"p", "A paper", nullptr, nullptr};
    std::ostringstream out;
    print_report(out, paper, report);
    EXPECT_EQ(out.str(),
              "A paper\n=======\n"
              "\nTable 1 (Sec. 2)\n"
              "name        cycles    error\n"
              "a          1234567  +10.0 %\n"
              "long name        5        -\n"
              "  A note.\n"
              "\nConclusions\n"
              "  partly     it is fast (Sec. 3): holds in 3 of 4\n"
              "             Sometimes.\n");
    const Json json = report_json(paper, report);
    EXPECT_EQ(json["tables"][0]["rows"].dump(), "[[\"a\",1234567,0.1],[\"long name\",5,null]]");
    EXPECT_EQ(json["conclusions"][0]["finding"], "partly");
}

TEST(Routers, HaveTheClocksThatAreKept) {
    std::ifstream file(golden("routers.csv"));
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "network,experiment,variant,period_ns,area_um2");
    for (const NetworkRouter& kept : kept_routers()) {
        std::getline(file, line);
        EXPECT_EQ(line.rfind(kept.network + ',' + kept.experiment + ',' + kept.variant + ',', 0),
                  0U);
        EXPECT_GE(router_clock_ns(kept.network), kept.period_ns - 1e-6) << kept.network;
        EXPECT_LT(router_clock_ns(kept.network), kept.period_ns + 0.001) << kept.network;
        EXPECT_GT(kept.area_um2, 0) << kept.network;
    }
    EXPECT_FALSE(std::getline(file, line)) << line;
    EXPECT_GE(kept_routers().size(), 10U);
    EXPECT_EQ(router_name("cheung/mesh"), "router_p5_v1_d4_w128_r1_mesh");
    EXPECT_EQ(router_turns("cheung/mesh"), "16 of 25");  // in dimension order
    EXPECT_THROW(router_clock_ns("cheung/ring"), std::out_of_range);
}

std::string kept_variant(const std::string& network) {
    for (const NetworkRouter& kept : kept_routers()) {
        if (kept.network == network) return kept.variant;
    }
    return "none";
}

TEST(Routers, AreThoseThatTheirNetworksAreBuiltOf) {
    std::map<std::string, std::string> configurations;
    for (const Paper& paper : papers()) {
        for (const Experiment& one : paper.experiments()) configurations[one.key] = one.yaml;
    }
    for (const NetworkRouter& kept : kept_routers()) {
        ASSERT_EQ(configurations.count(kept.experiment), 1U) << kept.experiment;
        const Config config = parse_config(configurations[kept.experiment], kept.experiment);
        EXPECT_EQ(router_with_most_turns(config).name(), kept.variant) << kept.network;
        EXPECT_EQ(config.clock_ns, router_clock_ns(kept.network)) << kept.network;
    }
    // Exponents are taken at one clock, that of 64 x 64 nodes.
    for (const char* network : {"express", "mesh"}) {
        for (const int side : {16, 25, 36, 100}) {
            const std::string key =
                fmt::format("cheung/growth/{}/{}/8/physical-4mm", network, side);
            ASSERT_EQ(configurations.count(key), 1U) << key;
            const hw::RtlVariant router =
                router_with_most_turns(parse_config(configurations[key], key));
            EXPECT_EQ(router.name(), kept_variant(fmt::format("cheung/{}", network))) << key;
        }
    }
}

TEST(ReportText, LargeNumbersAreGrouped) {
    EXPECT_EQ(Cell(std::uint64_t{1234567}).text, "1,234,567");
    EXPECT_EQ(Cell(2.345, 1).text, "2.3");
    EXPECT_EQ(relative_error(1, 0).text, "-");
}

TEST(ReportPlot, IsDrawnFromItsData) {
    const std::string folder = testing::TempDir();
    Plot plot{"reproduce_test_plot", "Title, \"quoted\"", "x", "y", true, false, {}};
    plot.series = {{"measured, once", {{1, 2}, {2, 3}}, true}, {"model", {{1, 1}, {2, 2}}, false}};
    draw(folder, plot);
    std::ifstream svg(folder + "/reproduce_test_plot.svg");
    const std::string text((std::istreambuf_iterator<char>(svg)), {});
    EXPECT_THAT(text, HasSubstr("measured, once"));
    EXPECT_THAT(text, HasSubstr("Title, "));
    EXPECT_THAT(text, HasSubstr("</svg>"));
}

TEST(Papers, KeysAreUniqueAndNamedAfterTheirPaper) {
    std::set<std::string> keys;
    for (const Paper& paper : papers()) {
        for (const Experiment& experiment : paper.experiments()) {
            EXPECT_TRUE(keys.insert(experiment.key).second) << experiment.key;
            EXPECT_EQ(experiment.key.rfind(paper.name + "/", 0), 0) << experiment.key;
            EXPECT_EQ(experiment.key.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-"),
                      std::string::npos)
                << experiment.key;
        }
    }
}

}  // namespace
}  // namespace flitscope::reproduce
