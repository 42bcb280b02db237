// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Configurations of two designs are compared key by key, of every measurement.
#include "testbench/app/report/design_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DesignDifference compared(const std::vector<MeasuredConfig>& first,
                          const std::vector<MeasuredConfig>& second) {
    study::DesignRow a;
    study::DesignRow b;
    for (study::DesignRow* const row : {&a, &b}) row->axes = row->objectives = Json::object();
    return difference(a, first, b, second);
}

MeasuredConfig config(const std::string& text, const std::string& measurement = "run") {
    return {measurement, text, "kept " + measurement};
}

/// "KEY: VALUE -> VALUE", after the name of the measurement if that is given.
std::vector<std::string> keys_of(const DesignDifference& difference) {
    std::vector<std::string> lines;
    for (const DesignDifference::Key& key : difference.keys) {
        lines.push_back((key.measurement ? *key.measurement + " " : "") + key.path + ": " +
                        key.first.value_or("nothing") + " -> " + key.second.value_or("nothing"));
    }
    return lines;
}

std::string printed(const DesignDifference& difference) {
    std::ostringstream out;
    print_difference(out, difference);
    return out.str();
}

std::string lengths(const char* of_limits, const char* of_steady) {
    return std::string("limits:\n  max_cycles: ") + of_limits +
           "\nsteady:\n  max_cycles: " + of_steady + "\n";
}

TEST(DesignDifference, NamesTheSectionOfAKeyWhoseValueStandsElsewhereToo) {
    const auto one = compared({config(lengths("1", "1"))}, {config(lengths("1", "50000"))});
    EXPECT_THAT(keys_of(one), ElementsAre("steady.max_cycles: 1 -> 50000"));
    EXPECT_EQ(printed(one), "steady.max_cycles: 1 -> 50000\n");
    const auto swapped = compared({config(lengths("1", "50000"))}, {config(lengths("50000", "1"))});
    EXPECT_THAT(keys_of(swapped),
                ElementsAre("limits.max_cycles: 1 -> 50000", "steady.max_cycles: 50000 -> 1"));
    EXPECT_THAT(keys_of(compared({config(lengths("1", "1"))}, {config(lengths("1", "1"))})),
                IsEmpty());
}

TEST(DesignDifference, TellsKeysOfOneDesignAloneAndValuesAsAWhole) {
    const auto found = compared(
        {config("traffic: {message_lengths: {8: 1, 16: 1}, reply_bytes: 8}\nclock_ns: 1\n")},
        {config("traffic:\n  message_lengths: {8: 1, 16: 2}\nclock_ns: 1\ndims: [4, 4]\n")});
    EXPECT_THAT(keys_of(found),
                ElementsAre("dims: nothing -> [4, 4]",
                            "traffic.message_lengths: {8: 1, 16: 1} -> {8: 1, 16: 2}",
                            "traffic.reply_bytes: 8 -> nothing"));
    const Json json = difference_json(found);
    EXPECT_TRUE(json.at("keys").at(0).at("first").is_null());
    EXPECT_TRUE(json.at("keys").at(0).at("measurement").is_null());
    EXPECT_EQ(json.at("keys").at(2).at("key"), "traffic.reply_bytes");
    EXPECT_EQ(json.at("keys").at(2).at("first"), "8");
}

TEST(DesignDifference, ComparesAllMeasurementsAndNamesThoseThatDifferInOtherWays) {
    const auto text = [](const char* depth, const char* bytes) {
        return std::string("fabric: {buffer_depth: ") + depth +
               "}\ntraffic: {message_bytes: " + bytes + "}\n";
    };
    const auto found =
        compared({config(text("2", "8"), "small"), config(text("2", "64"), "large")},
                 {config(text("4", "16"), "large"), config(text("4", "8"), "small")});
    EXPECT_THAT(keys_of(found), ElementsAre("fabric.buffer_depth: 2 -> 4",
                                            "large traffic.message_bytes: 64 -> 16"));
    EXPECT_EQ(printed(found),
              "fabric.buffer_depth: 2 -> 4\n"
              "measurement large:\n"
              "  traffic.message_bytes: 64 -> 16\n");
}

TEST(DesignDifference, NamesMeasurementsThatCannotBeCompared) {
    const auto found = compared({config("seed: 1\n", "a"), config("seed: 1\n", "b")},
                                {config("seed: 1\n", "a"), config("", "b"), config("x: 1\n", "c")});
    EXPECT_THAT(keys_of(found), IsEmpty());
    EXPECT_THAT(found.only_first, ElementsAre("b"));
    EXPECT_THAT(found.only_second, ElementsAre("c"));
    EXPECT_EQ(printed(found),
              "measurement b: only for the first design\n"
              "measurement c: only for the second design\n");
    EXPECT_EQ(difference_json(found).at("measurements_only_second"), Json::array({"c"}));
    // If there is one of each, that is the measurement.
    EXPECT_THAT(keys_of(compared({config("seed: 1\n", "a")}, {config("seed: 2\n", "b")})),
                ElementsAre("seed: 1 -> 2"));
}

TEST(DesignDifference, RefusesWhatIsNoConfiguration) {
    for (const char* text : {"5\n", "[1, 2]\n", "{", "a: 1\na: 2\n", "# nothing\n"}) {
        SCOPED_TRACE(text);
        EXPECT_THAT(refused_with([&] { compared({config(text)}, {config("seed: 1\n")}); }),
                    HasSubstr("kept run"));
    }
}

}  // namespace
}  // namespace flitscope
