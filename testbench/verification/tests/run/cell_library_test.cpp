// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cell libraries in the Liberty format: the parts that are read, and the needs of a synthesis.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/clock_gate_cell.h"
#include "testbench/app/gate_synthesis/liberty.h"
#include "testbench/app/gate_synthesis/register_cell.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/wire_load.h"
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

// ---- Where libraries are ------------------------------------------------------------------------

TEST_F(Synthesis, FindsLibrariesByTheNamesOfProcesses) {
    const auto put = [&](const std::string& file) {
        fs::create_directories(fs::path(path(file)).parent_path());
        write_file(path(file), library_without(""));
        return path(file);
    };
    set("PDK_ROOT", path("kits"));
    unset("FLOW_HOME");
    const std::string ihp = "kits/ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/sg13g2_stdcell_";
    EXPECT_EQ(cell_library_file("ihp-sg13g2").liberty, path(ihp + "typ_1p20V_25C.lib"));
    const std::string typical = put(ihp + "typ_1p20V_25C.lib");
    const std::string slow = put(ihp + "slow_1p08V_125C.lib");
    put(ihp + "fast_1p32V_m40C.lib");
    put(ihp + "fast_1p65V_m40C.lib");
    put("kits/ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/sg13g2_io_slow_1p08V_125C.lib");
    EXPECT_EQ(cell_library_file("ihp-sg13g2").liberty, typical);
    for (const char* const corner : {"slow", "slow_1p08V", "slow_1p08V_125C"}) {
        const CellLibraryFile file = cell_library_file("ihp-sg13g2", corner);
        EXPECT_EQ(file.liberty, slow) << corner;
        EXPECT_EQ(file.corner, "");
        EXPECT_EQ(file.process, "0.13 um");
    }
    EXPECT_EQ(cell_library_file(typical, "slow").liberty, slow);
    EXPECT_EQ(cell_library_file("ihp-sg13g2", "typ").liberty, typical);
    EXPECT_THAT(error_of([] { cell_library_file("ihp-sg13g2", "fast"); }),
                AllOf(HasSubstr("--corner fast: error: 2 libraries"), HasSubstr("fast_1p65V")));
    // No such file: the conditions are looked for in the typical one.
    const CellLibraryFile inside = cell_library_file("ihp-sg13g2", "125C");
    EXPECT_EQ(inside.liberty, typical);
    EXPECT_EQ(inside.corner, "125C");
    EXPECT_THAT(error_of([&] { read_cell_library(inside, inside.corner); }),
                AllOf(HasSubstr("no operating conditions '125C', and no file beside it"),
                      HasSubstr("it has: typical, slow")));

    const std::string zz = "flow/platforms/zz45/lib/zz45_";
    EXPECT_THAT(error_of([] { cell_library_file("zz45"); }), HasSubstr("no such cell library"));
    set("FLOW_HOME", path("flow"));
    put(zz + "ss.lib");
    EXPECT_THAT(error_of([] { cell_library_file("zz45"); }), HasSubstr("no such cell library"));
    const std::string middle = put(zz + "tt.lib.gz");
    EXPECT_EQ(cell_library_file("zz45").liberty, middle);
    EXPECT_EQ(cell_library_file("zz45", "ss").liberty, path(zz + "ss.lib"));
    put(zz + "tt_0p9.lib");
    EXPECT_THAT(error_of([] { cell_library_file("zz45"); }),
                AllOf(HasSubstr("2 libraries"), HasSubstr("zz45_tt, zz45_tt_0p9")));
    // Those of PDK_ROOT come first.
    const std::string kit = put("kits/zz45/lib/zz45_typ.lib");
    EXPECT_EQ(cell_library_file("zz45").liberty, kit);
}

// ---- Wires --------------------------------------------------------------------------------------

TEST(WireLoads, HaveTheLengthsOfDonath) {
    // On 2 x 2 cells the sums have one term each: 2/9 (7 - 1).
    EXPECT_DOUBLE_EQ(mean_connection_pitches(4), 4.0 / 3);
    // On 4 x 4 they have two.
    const double two_levels =
        2.0 / 9 * (7 * (1 + std::pow(4, 0.1)) - (1 + std::pow(4, -0.9))) / (1 + std::pow(4, -0.4));
    EXPECT_NEAR(mean_connection_pitches(16), two_levels, 1e-12);
    EXPECT_EQ(mean_connection_pitches(1), 0);
    // 4 cells of 7 um2 at 70 %: 10 um2 each.
    EXPECT_DOUBLE_EQ(mean_connection_um(28, 4), 4.0 / 3 * std::sqrt(10));
    EXPECT_EQ(um_per_sink(WireLoad::kNone, 28, 4), 0);
    EXPECT_THAT(wire_library(12.5),
                AllOf(HasSubstr("capacitance : 0.0002;"), HasSubstr("fanout_length (1, 12.5000);"),
                      HasSubstr("slope : 12.5000;")));
}

TEST_F(Synthesis, KeepsWiresApart) {
    write("plain.lib", library_without(""));
    const std::string units = "  capacitive_load_unit (1, ff);\n";
    write("wired.lib", library_without(units, units + "  wire_load (small) { }\n"
                                                      "  default_wire_load : small;\n"));
    write("sized.lib", library_without(units, units + "  wire_load (small) { }\n"
                                                      "  wire_load_selection (sizes) { }\n"));
    const auto commands = [&](const std::string& file, WireLoad wires) {
        const CellLibrary& library = read_cell_library(cell_library_file(path(file)), "");
        return read_wires(library, wires, "w.lib") + set_wires(library, wires);
    };
    const std::string own =
        "read_liberty w.lib\nset_wire_load_mode top\nset_wire_load_model -name "
        "flitscope_wires -library flitscope_wires\n";
    EXPECT_EQ(commands("plain.lib", WireLoad::kNone), "");
    EXPECT_EQ(commands("plain.lib", WireLoad::kFanout), own);
    // OpenSTA would take the model of the library.
    EXPECT_EQ(commands("wired.lib", WireLoad::kNone), own);
    EXPECT_EQ(commands("wired.lib", WireLoad::kLibrary),
              "set_wire_load_mode top\nset_wire_load_model -name {small}\n");
    EXPECT_EQ(commands("sized.lib", WireLoad::kLibrary),
              "set_wire_load_mode top\nset_wire_load_selection_group {sizes}\n");
    fake_tools();
    conditions_.library = path("wired.lib");
    for (const WireLoad wires : kWireLoads) {
        conditions_.wires = wires;
        EXPECT_FALSE(synthesize(variant_, conditions_).from_cache) << name_of(wires);
        EXPECT_TRUE(synthesize(variant_, conditions_).from_cache) << name_of(wires);
    }
    conditions_.library = path("plain.lib");
    conditions_.wires = WireLoad::kLibrary;
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("no default_wire_load"), HasSubstr("--wires fanout")));
}

// ---- Flip-flops as registers --------------------------------------------------------------------

/// A flip-flop with pins CK, D, A, B and E, output Q, and these lines in its group `ff`.
LibertyGroup flip_flop(const std::string& ff, const std::string& output = "IQ") {
    std::string text = "library (x) { cell (F) { ff (IQ, IQN) { " + ff + " } ";
    for (const char* const pin : {"A", "B", "CK", "D", "E"}) {
        text += fmt::format("pin ({}) {{ direction : input; }} ", pin);
    }
    text += "pin (Q) { direction : output; function : \"" + output + "\"; } } }";
    return parse_liberty(text, "x.lib").groups.front();
}
/// "clock input>output", '!' if the output is the inverse, the ties, and '*' if yosys knows how.
std::string register_text(const LibertyGroup& cell) {
    const auto found = register_cell(cell);
    if (!found) return "none";
    return fmt::format("{} {}>{}{}; {}{}", found->clock, found->input, found->inverts ? "!" : "",
                       found->output, found->tied_text(), found->is_known_to_yosys ? "*" : "");
}

TEST(RegisterCells, HaveWhatConstantsCanTieTied) {
    const std::string clock = "clocked_on : \"CK\"; ";
    const auto text = [&](const std::string& rest, const std::string& output = "IQ") {
        return register_text(flip_flop(clock + rest, output));
    };
    // Pins that do nothing are tied all the same: none may float.
    EXPECT_EQ(text(R"x(next_state : "D";)x"), "CK D>Q; A 0, B 0, E 0");
    EXPECT_EQ(text(R"x(next_state : "D"; clear : "A'"; preset : "(!B)";)x"),
              "CK D>Q; A 1, B 1, E 0");
    EXPECT_EQ(text(R"x(next_state : "D"; clear : "A B"; preset : "E";)x"), "CK D>Q; A 0, B 0, E 0");
    EXPECT_EQ(text(R"x(next_state : "(E D)+(E' IQ)"; clear : "A";)x"), "CK D>Q; A 0, B 0, E 1");
    EXPECT_EQ(text(R"x(next_state : "(E D)+(E' IQ)";)x", "IQN"), "CK D>!Q; A 0, B 0, E 1");
    EXPECT_EQ(text(R"x(next_state : "!D";)x", "IQN"), "CK D>Q; A 0, B 0, E 0");
    // Of several that would do the first that is not inverted.
    EXPECT_EQ(text(R"x(next_state : "(B' D)+(B A')";)x"), "CK B>Q; A 0, D 0, E 0");
    EXPECT_EQ(text(R"x(next_state : "A' B'";)x"), "CK A>!Q; B 0, D 0, E 0");
    // What no constant makes plain.
    EXPECT_EQ(text(R"x(next_state : "D IQ";)x"), "none");
    EXPECT_EQ(text(R"x(next_state : "D"; clear : "1";)x"), "none");
    EXPECT_EQ(text(R"x(next_state : "D"; clear : "A+A'";)x"), "none");
    EXPECT_EQ(text(R"x(next_state : "D"; clocked_on_also : "A";)x"), "none");
    EXPECT_EQ(text(R"x(next_state : "D";)x", "IQ A"), "none");
    EXPECT_EQ(text(R"x(next_state : "D ?";)x"), "none");
    EXPECT_EQ(register_text(flip_flop(R"x(clocked_on : "CK'"; next_state : "D";)x")), "none");
}

TEST(RegisterCells, TakeTheirDataWhereTheLibrarySaysSo) {
    LibertyGroup cell = flip_flop(R"x(clocked_on : "CK"; next_state : "(A B)+(A' D)";)x");
    const auto mark = [&cell](const std::string& name, const std::string& type) {
        for (LibertyGroup& pin : cell.groups) {
            if (pin.argument == name) pin.attributes["nextstate_type"] = type;
        }
    };
    EXPECT_EQ(register_text(cell), "CK A>Q; B 1, D 0, E 0");
    mark("A", "scan_enable");
    EXPECT_EQ(register_text(cell), "CK B>Q; D 0, E 0, A 1");
    mark("B", "scan_in");
    EXPECT_EQ(register_text(cell), "CK D>Q; E 0, A 0, B 0");
    mark("B", "data");
    EXPECT_EQ(register_text(cell), "CK B>Q; D 0, E 0, A 1");
}

TEST_F(Synthesis, MapsRegistersToTheSmallestFlipFlopThatYosysKnows) {
    const auto of = [&](const std::string& part, const std::string& other) {
        static int number = 0;
        const std::string name = path("flops" + std::to_string(++number) + ".lib");
        write_file(name, library_without(part, other));
        return read_cell_library(cell_library_file(name), "");
    };
    EXPECT_EQ(register_map_of(osu018()), "");
    EXPECT_EQ(osu018().register_cell, "DFFPOSX1");
    const std::string flop = "cell (FLOP) { area : 8;";
    const std::string scan =
        "cell (SCAN) { area : 4; ff (S, SN) { clocked_on : \"C\"; next_state : "
        "\"(E I)+(E' D)\"; } pin (C) { direction : input; } pin (D) { direction : input; } "
        "pin (E) { direction : input; nextstate_type : scan_enable; } "
        "pin (I) { direction : input; nextstate_type : scan_in; } "
        "pin (Q) { direction : output; function : \"SN\"; } } ";
    EXPECT_EQ(of(flop, scan + flop).register_cell, "FLOP");  // the larger one
    const CellLibrary only_scan =
        of("clocked_on : \"C\"; next_state : \"D\"; }",
           "clocked_on : \"!C\"; next_state : \"D\"; } } " + scan + "cell (AND) { area : 3; ");
    EXPECT_EQ(only_scan.register_cell, "SCAN");
    EXPECT_EQ(register_map_of(only_scan),
              "module \\$_DFF_P_ (input C, input D, output Q);\n"
              "  wire inverse;\n  \\$_NOT_ inverter (.A(inverse), .Y(Q));\n"
              "  \\SCAN _TECHMAP_REPLACE_ (.\\C (C), .\\D (D), .\\E (1'b0), .\\I (1'b0), "
              ".\\Q (inverse));\nendmodule\n");
    EXPECT_THAT(yosys_script(variant_, {}, {only_scan, {}}),
                AllOf(HasSubstr("techmap -map registers.v"), Not(HasSubstr("dfflibmap"))));
    EXPECT_THAT(yosys_script(variant_, {}, {osu018(), {}}),
                AllOf(HasSubstr("dfflibmap -liberty cells.lib"), Not(HasSubstr("techmap"))));
    const std::string cells =
        "   Number of cells: 3\n     SCAN  2\n     DFFPOSX1  1\n   Chip area for module 'x': 8\n";
    EXPECT_EQ(parse_cell_report(cells, only_scan).tied, "SCAN (tied: E 0, I 0)");
    EXPECT_EQ(parse_cell_report(cells, osu018()).tied, "");
}

// ---- Clock gates --------------------------------------------------------------------------------

/// A clock gate called G of this type, with these pins beside clock, enable and output.
std::string clock_gate_text(const std::string& type, const std::string& more = "") {
    return "cell (G) { area : 5; clock_gating_integrated_cell : \"" + type + "\"; " +
           "pin (E) { direction : input; clock_gate_enable_pin : true; } "
           "pin (C) { direction : input; clock_gate_clock_pin : true; } "
           "pin (S) { direction : internal; } "
           "pin (O) { direction : output; clock_gate_out_pin : true; } " +
           more + "} ";
}
/// "clock enable>output" and the ties.
std::string clock_gate_words(const std::string& cell) {
    const auto gate =
        clock_gate_cell(parse_liberty("library (x) { " + cell + "}", "x").groups.front());
    if (!gate) return "none";
    std::string text = fmt::format("{} {}>{}", gate->clock, gate->enable, gate->output);
    for (const auto& [pin, value] : gate->tied) text += fmt::format(" {}={:d}", pin, value);
    return text;
}

TEST(ClockGateCells, AreThoseWithALatchForTheRisingEdge) {
    const std::string test = "pin (T) { direction : input; clock_gate_test_pin : true; } ";
    EXPECT_EQ(clock_gate_words(clock_gate_text("latch_posedge")), "C E>O");
    EXPECT_EQ(clock_gate_words(clock_gate_text("latch_posedge_precontrol", test)), "C E>O T=0");
    EXPECT_EQ(clock_gate_words(clock_gate_text("latch_posedge_postcontrol_obs", test)),
              "C E>O T=0");
    for (const char* const type : {"latch_negedge", "none_posedge", "latch_posedgeactivelow", ""}) {
        EXPECT_EQ(clock_gate_words(clock_gate_text(type)), "none") << type;
    }
    EXPECT_EQ(clock_gate_words(clock_gate_text("latch_posedge", "pin (X) { direction : input; } ")),
              "none");
    EXPECT_EQ(clock_gate_words(without(clock_gate_text("latch_posedge"), "clock_gate_out_pin",
                                       "pin_of_its_own")),
              "none");
}

TEST_F(Synthesis, PutsTheSmallestClockGateBeforeWideRegistersIfAsked) {
    std::string large = clock_gate_text("latch_posedge");
    large.replace(large.find("(G) { area : 5"), 14, "(H) { area : 6");
    write("gated.lib",
          library_without("cell (INV)", large + clock_gate_text("latch_posedge") + "cell (INV)"));
    const CellLibrary& library = read_cell_library(cell_library_file(path("gated.lib")), "");
    conditions_.library = path("gated.lib");
    const std::string plain = yosys_script(variant_, {}, {library, conditions_});
    EXPECT_THAT(plain, Not(HasSubstr("clock_gates.v")));
    fake_tools();
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    conditions_.clock_gates = true;
    EXPECT_THAT(yosys_script(variant_, {}, {library, conditions_}),
                AllOf(HasSubstr("read_verilog -lib <<END\nmodule \\G (input \\C , input \\E , "
                                "output \\O );\nendmodule\nEND\n"),
                      HasSubstr("techmap -map clock_gates.v\n"),
                      HasSubstr("opt_merge -share_all t:G\n"), Not(HasSubstr(" \\H "))));
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
    conditions_.library = "osu018";
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("this library has no clock gate"),
                      HasSubstr("such as ihp-sg13g2 or sky130hd")));
}

}  // namespace
}  // namespace flitscope
