// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The reproduction of Bokhari and Nicol 1996: predictions against the errata, experiments that can
// be built, verdicts that follow from the numbers.
#include "testbench/papers/bokhari/bokhari_formulas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <tuple>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/papers/bokhari/bokhari.h"

namespace flitscope::reproduce::paragon_exchange {
namespace {

TEST(ParagonExchange, PredictsTheBoundsOfTheErrata) {
    EXPECT_NEAR(message_ms(15232), 0.5661, 5e-5);
    EXPECT_NEAR(kParagon.barrier_us(4), 408, 0.5);
    EXPECT_NEAR(kParagon.barrier_us(12), 838, 0.5);
    EXPECT_NEAR(kCheaper.barrier_us(16), 374, 0.5);
    // n, level, lower, upper [ms] at 15232 bytes (errata 002)
    const std::vector<std::tuple<std::uint32_t, std::uint32_t, double, double>> cases = {
        {4, 1, 15.6, 15.6},    {4, 2, 12.3, 12.3},     {4, 16, 9.5, 9.5},
        {8, 1, 159.4, 159.4},  {8, 2, 79.7, 115.9},    {8, 16, 41.7, 77.9},
        {8, 128, 36.9, 73.1},  {12, 3, 202.1, 365.2},  {12, 48, 89.1, 252.1},
        {16, 4, 388.1, 822.9}, {16, 16, 205.7, 640.5}, {16, 512, 146.8, 581.6}};
    for (const auto& [n, level, lower, upper] : cases) {
        EXPECT_NEAR(lower_ms(n, level, kSlice, kParagon), lower, 0.06) << n << ' ' << level;
        EXPECT_NEAR(upper_ms(n, level, kSlice, kParagon), upper, 0.06) << n << ' ' << level;
    }
    EXPECT_NEAR(lower_ms(8, 1, kSlice, kCheaper), 104.1, 0.05);
    EXPECT_NEAR(upper_ms(8, 2, kSlice, kCheaper), 88.3, 0.05);
}

TEST(ParagonExchange, CollapsesPhasesEvenly) {
    for (const std::uint32_t n : kSides) {
        const std::vector<std::uint32_t> all = levels(n);
        EXPECT_EQ(all.front(), 1U);
        EXPECT_EQ(all.back(), phases(n));
        for (const std::uint32_t level : all) EXPECT_EQ(phases(n) % level, 0U) << n << ' ' << level;
    }
    EXPECT_EQ(node_contention(16, 4), 1U);
    EXPECT_EQ(node_contention(16, 512), 128U);
}

TEST(ParagonExchange, BuildsEveryExperimentOnce) {
    std::set<std::string> keys;
    for (const Experiment& experiment : experiments()) {
        EXPECT_TRUE(keys.insert(experiment.key).second) << experiment.key;
        const Config config = parse_config(experiment.yaml, experiment.key);
        EXPECT_EQ(config.machine, "paragon");
        if (config.fabric.topology.dims[0] != 4) continue;
        const Machine machine = build_machine(config);
        if (config.traffic.schedule == "bounded-contention") {
            EXPECT_EQ(step_reports(machine).size(),
                      16 / config.traffic.contention / config.fabric.planes);
            EXPECT_TRUE(machine.program->barrier_cycles.has_value());
        } else if (config.traffic.schedule == "naive") {
            EXPECT_EQ(step_reports(machine).size(), 1U);
        } else {
            EXPECT_EQ(step_reports(machine).size(), 4U);
        }
    }
    EXPECT_GT(keys.size(), 250U);
}

/// Outcomes of which only the times matter, as `ms` gives them by the parts of a key; on two meshes
/// they are half as long.
Outcomes outcomes(const std::function<double(const std::string& kind, std::uint32_t n,
                                             std::uint32_t level, std::uint64_t bytes)>& ms) {
    Outcomes all;
    for (const Experiment& experiment : bokhari().experiments()) {
        const Config config = parse_config(experiment.yaml, experiment.key);
        Outcome outcome;
        outcome.cycles =
            static_cast<Cycle>(ms(config.traffic.schedule, config.fabric.topology.dims[0],
                                  config.traffic.contention, config.traffic.message_bytes) *
                               1e6 / config.clock_ns / config.fabric.planes);
        if (experiment.by_cause) {
            outcome.by_cause.emplace();
            outcome.by_cause->front() = outcome.cycles;
        }
        all.add(experiment.key, outcome);
    }
    return all;
}

/// Among the claims about times, the first one, on Table 2, needs no run.
std::string findings(const Outcomes& all) {
    std::string word;
    for (const Conclusion& conclusion : bokhari().report(all).conclusions) {
        word += flitscope::reproduce::word(conclusion.cases.finding())[0];
    }
    return word.substr(1);
}

TEST(ParagonExchange, TimesEndWithABarrier) {
    const Outcomes all = outcomes([](auto&&...) { return 10.0; });
    const Times times(all);
    EXPECT_NEAR(times.bounded(8, 2, 1024), 10.679, 1e-3);
    EXPECT_NEAR(times.bounded(8, 2, kSlice, kDedicated), 10.005, 1e-3);
    EXPECT_NEAR(times.naive(4, Naive::kFromZero, 1024), 10.408, 1e-3);
    EXPECT_NEAR(times.improvement(8, 2, 1024, Naive::kFromNext), 0, 1e-3);
}

TEST(ParagonExchange, FindsTheBestLevel) {
    const Outcomes all = outcomes([](const std::string&, std::uint32_t, std::uint32_t level,
                                     std::uint64_t) { return level == 16 ? 5.0 : 6.0; });
    const Times times(all);
    EXPECT_EQ(times.best_level(8, kSlice), 16U);
    EXPECT_NEAR(times.best(8, kSlice), 5.679, 1e-3);
}

TEST(ParagonExchange, ConfirmsOrRefutesByTheNumbers) {
    // A machine like the one of the paper: the lower bound, with node contention that costs more
    // and more beyond 16 messages on a link, and naive exchanges that lose except at 1 KB.
    const auto paper = [](const std::string& kind, std::uint32_t n, std::uint32_t level,
                          std::uint64_t bytes) {
        const double best = lower_ms(n, 16, bytes, kParagon);
        if (kind == "naive") return bytes <= 1024 ? 0.9 * best : 1.5 * best;
        if (kind == "recursive-exchange") return bytes <= 1024 ? 0.5 * best : 20 * best;
        const double barrier = kParagon.barrier_us(n) / 1000;
        const double time = lower_ms(n, level, bytes, kParagon) - barrier;
        const double most = upper_ms(n, level, bytes, kParagon) - barrier;
        return level <= 16 ? time : std::min(time * (1 + 0.2 * std::log2(level / 16)), 0.95 * most);
    };
    // Scott, naive, 25 %, 4 x 4, lower bound, minimum, bounds, upper bound, links, blindly,
    // barriers, small, two meshes.
    const std::string word = findings(outcomes(paper));
    EXPECT_EQ(word.size(), 13U);
    EXPECT_EQ(word.substr(0, 3), "ccc");
    EXPECT_EQ(word.substr(3, 4), "cccc");
    EXPECT_EQ(word[8], 'c');
    EXPECT_EQ(word[11], 'c');
    EXPECT_EQ(word[12], 'c');
    // If everything takes the same time, no part of it is visible.
    const std::string flat = findings(outcomes([](auto&&...) { return 100.0; }));
    EXPECT_EQ(flat[0], 'r');
    EXPECT_EQ(flat[2], 'r');
    EXPECT_EQ(flat[5], 'r');
    EXPECT_EQ(flat[11], 'p');
}

}  // namespace
}  // namespace flitscope::reproduce::paragon_exchange
