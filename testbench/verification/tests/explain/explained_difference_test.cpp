// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The difference of two explained runs: its parts sum up to it, exactly, on every engine, and it
// turns its sign with the runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/explain/explained_difference.h"
#include "testbench/app/explain/explanation.h"
#include "testbench/app/explain/packet_delays.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/tests/support/depth.h"

namespace flitscope {
namespace {

Explanation explained(const Machine& machine, const std::string& engine) {
    SimulationOptions options;
    options.count_blocked = true;
    const FreshKernel kernel;
    return explain(machine, engine, options, true);
}

Machine machine_of_text(const std::string& text) {
    return build_machine(parse_config(text, "test.yaml"));
}

std::string text(const std::optional<Cycle>& cycles) {
    return cycles ? std::to_string(*cycles) : "-";
}

/// All that a difference says.
std::string text(const ExplainedDifference& all) {
    std::string said = fmt::format("{} {}\n", all.first.all.cycles, all.second.all.cycles);
    const auto cycles = [](const std::optional<CauseSums>& sums) {
        return sums ? std::optional(sums->cycles) : std::nullopt;
    };
    for (const auto& place : all.places) {
        said += fmt::format("{} {} {}\n", place.name, text(cycles(place.runs.first)),
                            text(cycles(place.runs.second)));
    }
    for (const auto& step : all.steps) {
        for (const auto& use : {step.runs.first, step.runs.second}) {
            if (!use) continue;
            said += fmt::format("step {} {} {} {} {} {}\n", step.step, use->path, use->first_begin,
                                use->last_begin, use->first_end, use->last_end);
        }
    }
    for (const auto& channel : all.channels) {
        for (const auto& use : {channel.runs.first, channel.runs.second}) {
            if (!use) continue;
            said += fmt::format("{} {} {} {}\n", channel.name, use->waited, use->busy, use->path);
        }
    }
    return said;
}

/// That the causes, and the places with their causes, make up each of both runs.
void expect_whole(const ExplainedDifference& all) {
    CauseSums first;
    CauseSums second;
    for (const auto& place : all.places) {
        for (std::size_t i = 0; i < kCauses; ++i) {
            const auto cause = static_cast<Cause>(i);
            if (place.runs.first) first.add(cause, place.runs.first->by_cause[i]);
            if (place.runs.second) second.add(cause, place.runs.second->by_cause[i]);
        }
    }
    EXPECT_EQ(first.cycles, all.first.all.cycles);
    EXPECT_EQ(second.cycles, all.second.all.cycles);
    EXPECT_EQ(first.by_cause, all.first.all.by_cause);
    EXPECT_EQ(second.by_cause, all.second.all.by_cause);
    double sum = 0;
    double sum_ns = 0;
    for (std::size_t i = 0; i < kCauses; ++i) {
        sum += all.change(first.by_cause[i], second.by_cause[i]);
        sum_ns += all.change_ns(first.by_cause[i], second.by_cause[i]);
    }
    const double whole = all.change(all.first.all.cycles, all.second.all.cycles);
    const double whole_ns = all.change_ns(all.first.all.cycles, all.second.all.cycles);
    if (!all.is_of_patterns) {
        EXPECT_EQ(sum, whole);  // of whole cycles
    }
    EXPECT_NEAR(sum, whole, 1e-9 * (1 + all.first.counted(all.first.all.cycles)));
    EXPECT_NEAR(sum_ns, whole_ns, 1e-9 * (1 + std::abs(whole_ns)) + 1e-6);
}

/// That there is nothing but the sign between both directions.
void expect_turned(const ExplainedDifference& there, const ExplainedDifference& back) {
    EXPECT_EQ(there.change(there.first.all.cycles, there.second.all.cycles),
              -back.change(back.first.all.cycles, back.second.all.cycles));
    ASSERT_EQ(there.places.size(), back.places.size());
    for (std::size_t i = 0; i < there.places.size(); ++i) {
        EXPECT_EQ(there.places[i].name, back.places[i].name);
        EXPECT_EQ(there.places[i].runs.first.has_value(), back.places[i].runs.second.has_value());
    }
    ASSERT_EQ(there.steps.size(), back.steps.size());
    ASSERT_EQ(there.channels.size(), back.channels.size());
    for (std::size_t i = 0; i < there.channels.size(); ++i) {
        EXPECT_EQ(there.channels[i].name, back.channels[i].name);
    }
}

TEST(ExplainedDifference, SumsUpForRandomProgramsOnBothEngines) {
    const auto seeds = static_cast<std::uint64_t>(cases_of(200, 1000));
    int pairs = 0;
    int different = 0;
    for (std::uint64_t seed = 1; seed < seeds; ++seed) {
        const RandomCase a = plain_case(tlm_case(random_case(seed)));
        const RandomCase b = plain_case(tlm_case(random_case(seed + 1)));
        const Machine first = machine_of(a);
        const Machine second = machine_of(b);
        SCOPED_TRACE(describe(a) + "\n" + describe(b));
        std::string before;
        for (const char* engine : {"cycle", "tlm"}) {
            const Explanation of_first = explained(first, engine);
            const Explanation of_second = explained(second, engine);
            if (!of_first.slack || !of_second.slack) continue;
            const auto all = difference(first, of_first, second, of_second);
            expect_whole(all);
            EXPECT_EQ(all.change(all.first.all.cycles, all.second.all.cycles),
                      static_cast<double>(of_second.run.cycles) -
                          static_cast<double>(of_first.run.cycles));
            expect_turned(all, difference(second, of_second, first, of_first));
            EXPECT_TRUE(difference(first, of_first, first, of_first).is_none());
            if (!before.empty()) {
                EXPECT_EQ(text(all), before);
            }
            before = text(all);
            ++pairs;
            if (!all.is_none()) ++different;
        }
    }
    EXPECT_GT(pairs, 60);
    EXPECT_GT(different, 50);
}

TEST(ExplainedDifference, SumsUpForPatternsOnBothEngines) {
    const char* const networks[] = {"{kind: mesh, dims: [4, 4]}", "{kind: mesh, dims: [3, 5]}",
                                    "{kind: hypercube, dimensions: 4}"};
    const char* const loads[] = {"{pattern: uniform, injection_rate: 0.1, message_bytes: 32}",
                                 "{pattern: uniform, injection_rate: 0.3, message_bytes: 64}"};
    int pairs = 0;
    for (const char* engine : {"cycle", "tlm"}) {
        std::optional<Machine> before;
        std::optional<ExplainedTraffic> traffic_before;
        for (const char* network : networks) {
            for (const char* load : loads) {
                Machine machine = machine_of_text(
                    fmt::format("fabric: {{topology: {}}}\ntraffic: {}\n", network, load));
                ExplainedTraffic traffic = explain_traffic(machine, engine, {});
                ASSERT_GT(traffic.delays.all.packets, 100U);
                if (before) {
                    const auto all = difference(*before, *traffic_before, machine, traffic);
                    expect_whole(all);
                    EXPECT_NEAR(
                        all.change(all.first.all.cycles, all.second.all.cycles),
                        traffic.delays.latency.mean() - traffic_before->delays.latency.mean(),
                        1e-6);
                    expect_turned(all, difference(machine, traffic, *before, *traffic_before));
                    ++pairs;
                }
                EXPECT_TRUE(difference(machine, traffic, machine, traffic).is_none());
                before.emplace(std::move(machine));
                traffic_before = std::move(traffic);
            }
        }
    }
    EXPECT_EQ(pairs, 10);
}

TEST(ExplainedDifference, IsNotNoneIfOnlyACycleIsLonger) {
    const std::string exchange =
        "fabric: {topology: {kind: mesh, dims: [2, 4]}}\n"
        "traffic: {schedule: pex, message_bytes: 64}\n";
    const Machine fast = machine_of_text(exchange);
    const Machine slow = machine_of_text(exchange + "clock_ns: 2.5\n");
    const Explanation of_fast = explained(fast, "cycle");
    const Explanation of_slow = explained(slow, "cycle");
    const auto all = difference(fast, of_fast, slow, of_slow);
    EXPECT_FALSE(all.is_none());
    EXPECT_TRUE(all.is_same_in_cycles());
    EXPECT_EQ(all.change(all.first.all.cycles, all.second.all.cycles), 0);
    EXPECT_EQ(all.change_ns(all.first.all.cycles, all.second.all.cycles),
              1.5 * static_cast<double>(of_fast.run.cycles));
}

TEST(ExplainedDifference, KnowsWhatOneRunDoesNotHave) {
    const std::string traffic = "traffic: {schedule: gen, message_bytes: 64}\n";
    const Machine line = machine_of_text("fabric: {topology: {kind: mesh, dims: [8]}}\n" + traffic);
    const Machine cube =
        machine_of_text("fabric: {topology: {kind: hypercube, dimensions: 3}}\n" + traffic);
    const auto all = difference(line, explained(line, "cycle"), cube, explained(cube, "cycle"));
    std::string only_second;
    for (const auto& place : all.places) {
        if (!place.runs.first) only_second += place.name + ';';
        EXPECT_TRUE(place.runs.second) << place.name;
    }
    EXPECT_EQ(only_second, "dimension 1;dimension 2;");
    EXPECT_EQ(all.places.front().name, "dimension 0");
    for (const auto& step : all.steps) {
        ASSERT_TRUE(step.runs.first && step.runs.second);
        EXPECT_LE(step.runs.first->first_begin, step.runs.first->last_begin);
        EXPECT_LE(step.runs.first->first_end, step.runs.first->last_end);
    }
    EXPECT_EQ(all.steps.size(), 7U);
}

}  // namespace
}  // namespace flitscope
