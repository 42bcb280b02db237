// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of studies: errors, and the order in which keys are set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "models/config/config.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/space.h"
#include "testbench/verification/tests/study/exploration_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

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
    says(axis + good + "where: \"a\\n, b\"\n", "'a\\x0a, b' is not a condition");
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
    says(axis + good + "zip: [[fabric.buffer_depth, traffic.schedule]]\n", "is not an axis");
    // Setting the same key twice makes one of them ineffective.
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

/// Wherever they are, and a budget for all designs, too.
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

/// An override on the command line changes something, or is refused.
TEST_F(Exploration, SettingsOfTheCommandLineAreNotReplacedBySections) {
    const auto error_with = [](const std::string& setting) {
        return refused_with([&] { load_study(path("study.yaml"), {setting}); });
    };
    study(
        "vary: {fabric.buffer_depth: [2, 4]}\nobjectives: {min: cycles}\n"
        "measure: {a: {set: {traffic: {schedule: gen}}}}\n");
    EXPECT_THAT(error_with("traffic.message_bytes=8"), HasSubstr("changes nothing"));
    study("vary: {traffic: {a: {schedule: gen, message_bytes: 8}}}\nobjectives: {min: cycles}\n");
    EXPECT_THAT(error_with("traffic.message_bytes=8"), HasSubstr("changes nothing"));
    study("vary: {traffic: {a: {schedule: gen}}}\nobjectives: {min: cycles}\n");
    EXPECT_EQ(error_with("traffic.message_bytes=8"), "");
}

}  // namespace
}  // namespace flitscope::study
