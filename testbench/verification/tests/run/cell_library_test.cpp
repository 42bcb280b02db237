// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cell libraries in the Liberty format: the parts that are read, and the needs of a synthesis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/liberty.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/verification/tests/run/synth_fixture.h"

namespace flitscope {
namespace {

using ::testing::HasSubstr;

TEST(Liberty, IsReadIntoGroupsAndAttributes) {
    const LibertyGroup library = parse_liberty(R"(/* a
 comment */ library (small) {
  time_unit : "1ns"; // as usual
  capacitive_load_unit (1, pf);
  cell ("X-1") { area : 2.5 ;
    pin(A) { direction : input }
    timing() { values ("1, } 2", \
                       "3, 4"); rise (x) { } } }
  ;
})",
                                               "small.lib");
    EXPECT_EQ(library.argument, "small");
    EXPECT_EQ(library.attribute("time_unit"), "1ns");
    EXPECT_EQ(library.attribute("capacitive_load_unit"), "1 pf");
    ASSERT_EQ(library.groups.size(), 1U);
    const LibertyGroup& cell = library.groups.front();
    EXPECT_EQ(cell.argument, "X-1");
    EXPECT_EQ(cell.attribute("area"), "2.5");
    ASSERT_EQ(cell.groups.size(), 1U);
    EXPECT_EQ(cell.groups.front().attribute("direction"), "input");
}

TEST(Liberty, HasCommentsInGroupsThatAreLeftOut) {
    const LibertyGroup library = parse_liberty(R"(library (small) {
  cell (X) {
    timing() { /* the user's "worst case } */ rise (x) { } // a "half } of it
      values ("/* no comment", "// nor this"); }
    area : 2.5; } })",
                                               "small.lib");
    ASSERT_EQ(library.groups.size(), 1U);
    EXPECT_EQ(library.groups.front().attribute("area"), "2.5");
}

TEST(Liberty, ThatIsNoneIsRefusedWithItsLine) {
    const auto refusal = [](const std::string& text) {
        return error_of([&] { parse_liberty(text, "odd.lib"); });
    };
    EXPECT_THAT(refusal(""), HasSubstr("odd.lib:1: error: here should be a name"));
    EXPECT_THAT(refusal("\n\nmodule router;"), HasSubstr("odd.lib:3: error: here should be a '('"));
    EXPECT_THAT(refusal("cell (A) { }"), HasSubstr("does not begin with a group 'library'"));
    EXPECT_THAT(refusal("library (a) {\n cell (A) {\n }"), HasSubstr("'library' has no end"));
    EXPECT_THAT(refusal("library (a"), HasSubstr("ends within a list"));
    EXPECT_THAT(refusal("library (a) { timing () {\n { }"), HasSubstr("odd.lib:2: error: a group"));
    EXPECT_THAT(refusal("library (\"a"), HasSubstr("string without an end"));
    EXPECT_THAT(refusal("library (a) { timing () { \"a\n } }"), HasSubstr("string without an end"));
    EXPECT_THAT(refusal("library (a) { timing () { values (\"1,\n2\");\n } b }"),
                HasSubstr("odd.lib:3: error: here should be a '('"));
    EXPECT_THAT(refusal("/* library"), HasSubstr("comment without an end"));
    // A finding is one line, whatever a name holds.
    const std::string odd = refusal("library (a) { \"b \\\n \x14\" () {");
    EXPECT_THAT(odd, HasSubstr("has no end"));
    EXPECT_EQ(odd.find_first_of("\n\x14"), std::string::npos) << odd;
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "library (a) {";
    EXPECT_THAT(refusal(deep), HasSubstr("more than a hundred"));
}

TEST(CellLibraries, TellTheirConditionsAndCells) {
    EXPECT_EQ(osu018().conditions, "0.18 um, typical corner, 1.8 V, 25 C");
    EXPECT_EQ(osu018().driving_cell, "BUFX2");
    EXPECT_TRUE(osu018().is_in_ns_and_pf);
    EXPECT_THAT(osu018().flip_flops, testing::ElementsAre("DFFNEGX1", "DFFPOSX1", "DFFSR"));
    EXPECT_EQ(read_cell_library(cell_library_file("osu035"), "").conditions,
              "0.35 um, typical corner, 3.3 V, 25 C");
    EXPECT_EQ(read_cell_library(cell_library_file("osu050"), "").conditions,
              "0.5 um, typical corner, 5 V, 25 C");
}

/// A library with what is needed, less what a test takes away.
std::string library_without(const std::string& part, const std::string& other = "") {
    const std::string all = R"lib(library (own) {
  time_unit : "1ps";
  capacitive_load_unit (1, ff);
  nom_voltage : 1.1;
  nom_temperature : 25;
  default_operating_conditions : typical;
  operating_conditions (typical) { voltage : 1.1; temperature : 25; }
  operating_conditions (slow) { voltage : 0.95; temperature : 125; }
  cell (INV) { area : 1;
    pin (A) { direction : input; }
    pin (Y) { direction : output; function : "(!A)"; } }
  cell (BIG) { area : 9;
    pin (A) { direction : input; }
    pin (Y) { direction : output; function : "A"; } }
  cell (BUF) { area : 2;
    pin (A) { direction : input; }
    pin (Y) { direction : output; function : "A"; } }
  cell (NAND) { area : 2;
    pin (A) { direction : input; }
    pin (B) { direction : input; }
    pin (Y) { direction : output; function : "(!(A&B))"; } }
  cell (FLOP) { area : 8;
    ff (Q1, QN) { clocked_on : "C"; next_state : "D"; }
    pin (C) { direction : input; }
    pin (D) { direction : input; }
    pin (Q) { direction : output; function : "Q1"; } }
})lib";
    return part.empty() ? all : without(all, part, other);
}

TEST_F(Synthesis, TakesAnyLibraryThatHasWhatIsNeeded) {
    write("own.lib", library_without(""));
    const CellLibrary& library = read_cell_library(cell_library_file(path("own.lib")), "slow");
    EXPECT_EQ(library.name, "own");
    EXPECT_EQ(library.conditions, "slow corner, 0.95 V, 125 C");
    EXPECT_EQ(library.driving_cell, "BUF");
    EXPECT_EQ(library.corner, "slow");
    EXPECT_FALSE(library.is_in_ns_and_pf);
    const std::string script = sta_script(variant_, library, conditions_, 4);
    EXPECT_THAT(script, AllOf(HasSubstr("set_cmd_units -time ns -capacitance pF -power W\n"),
                              HasSubstr("set_operating_conditions slow\n")));
    EXPECT_THAT(sta_script(variant_, osu018(), conditions_, 4),
                AllOf(Not(HasSubstr("set_cmd_units")), Not(HasSubstr("operating"))));
    fake_tools();
    conditions_.library = path("own.lib");
    const SynthesisResult result = synthesize(variant_, conditions_);
    EXPECT_EQ(result.library, "own (typical corner, 1.1 V, 25 C)");
    EXPECT_EQ(runs(), 1U);
    conditions_.corner = "slow";
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
    conditions_.library = "osu018";
    conditions_.corner = "";
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
}

TEST_F(Synthesis, NamesAllThatALibraryLacks) {
    int number = 0;
    const auto refusal = [&](const std::string& part, const std::string& other = "") {
        const std::string name = path("lacking" + std::to_string(++number) + ".lib");
        write_file(name, library_without(part, other));
        return error_of([&] { read_cell_library(cell_library_file(name), ""); });
    };
    EXPECT_THAT(refusal("time_unit : \"1ps\";"), HasSubstr("lacks time_unit"));
    EXPECT_THAT(refusal("capacitive_load_unit (1, ff);"), HasSubstr("lacks capacitive_load_unit"));
    EXPECT_THAT(refusal("clocked_on : \"C\"", "clocked_on : \"!C\""),
                HasSubstr("lacks a flip-flop of the rising edge"));
    EXPECT_THAT(refusal("(INV) { area : 1", "(INV) { area : 0"),
                HasSubstr("lacks an inverter (each with an area)"));
    EXPECT_THAT(refusal("!(A&B)", "A^B"), HasSubstr("lacks an and, or, nand or nor"));
    write("own.lib", library_without(""));
    EXPECT_THAT(error_of([&] { read_cell_library(cell_library_file(path("own.lib")), "hot"); }),
                AllOf(HasSubstr("'hot'"), HasSubstr("it has: typical, slow")));
    EXPECT_THAT(error_of([&] { cell_library_file(path("none.lib")); }),
                AllOf(HasSubstr("no such cell library"), HasSubstr("osu018, osu035, osu050")));
}

TEST_F(Synthesis, TakesCellsByWhatTheyDoHoweverItIsWritten) {
    int number = 0;
    const auto driving_cell = [&](const std::string& part, const std::string& other) {
        const std::string name = path("other" + std::to_string(++number) + ".lib");
        write_file(name, library_without(part, other));
        return read_cell_library(cell_library_file(name), "").driving_cell;
    };
    const std::string nand = "(!(A&B))";
    for (const char* const function : {"(A B)", "!(A B)", "A' + B'", "(A+B)", "!A B", "(A B)'"}) {
        EXPECT_EQ(driving_cell(nand, function), "BUF") << function;
    }
    for (const char* const function : {"A", "(A^B)", "A B' + A' B", "A+!A", "A & C", "A &"}) {
        EXPECT_THROW(driving_cell(nand, function), ConfigError) << function;
    }
    EXPECT_EQ(driving_cell("clocked_on : \"C\"", "clocked_on : \"(C)\""), "BUF");
    EXPECT_THROW(driving_cell("clocked_on : \"C\"", "clocked_on : \"(C')\""), ConfigError);
    EXPECT_THROW(driving_cell("next_state : \"D\"", "next_state : \"D C\""), ConfigError);
}

}  // namespace
}  // namespace flitscope
