// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Synthesis: what is read from the tools, what is kept and found again, what happens when something
// is missing, fails or is interrupted. Most tests put shell scripts in the place of the tools; the
// last ones run the real tools, which are dependencies of the project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/file_text.h"
#include "testbench/synth/cell_library.h"
#include "testbench/synth/liberty.h"
#include "testbench/synth/link_synthesis.h"
#include "testbench/synth/router_of.h"
#include "testbench/synth/synthesis.h"
#include "testbench/synth/synthesis_cache.h"
#include "testbench/synth/synthesis_report.h"
#include "testbench/synth/tool_process.h"
#include "testbench/synth/tool_reports.h"
#include "testbench/synth/tool_scripts.h"
#include "testbench/synth/toolchain.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// ---- Reports ------------------------------------------------------------------------------------

// yosys 0.23.
const std::string kCells = R"(
10. Printing statistics.

=== router_p5_v1_d2_w64_r1_mesh ===

   Number of wires:               6052
   Number of wire bits:           7839
   Number of public wires:          51
   Number of public wire bits:    1838
   Number of memories:               0
   Number of memory bits:            0
   Number of processes:              0
   Number of cells:               1469
     AND2X1                         13
     BUFX2                         377
     DFFNEGX1                       14
     DFFPOSX1                     1065

   Chip area for module '\router_p5_v1_d2_w64_r1_mesh': 267413.500000

)";

// OpenSTA 2.0.17.
const std::string kTiming =
    R"(Warning: timing.tcl, 5 set_input_delay relative to a clock defined on the same port/pin not allowed.
worst slack -3.6713
Startpoint: _13117_ (rising edge-triggered flip-flop clocked by clk)
           -3.671   slack (VIOLATED)


Group                    Internal    Switching      Leakage        Total
                            Power        Power        Power        Power
------------------------------------------------------------------------
Sequential           1.477389e-01 2.671051e-03 1.711719e-07 1.504101e-01  22.0%
Combinational        3.596528e-01 1.739942e-01 3.036513e-07 5.336474e-01  78.0%
Macro                0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00   0.0%
Pad                  0.000000e+00 0.000000e+00 0.000000e+00 0.000000e+00   0.0%
------------------------------------------------------------------------
Total                5.073895e-01 1.766666e-01 4.748232e-07 6.840566e-01 100.0%
                            74.2%        25.8%         0.0%
)";

std::string without(std::string text, const std::string& part, const std::string& other = {}) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
}

/// What `action` throws as a std::runtime_error, ConfigError included.
template <typename Action>
std::string error_of(const Action& action) {
    try {
        action();
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

const CellLibrary& osu018() { return read_cell_library(cell_library_file("osu018"), ""); }

TEST(CellReport, TellsCellsFlipFlopsAndArea) {
    const CellReport report = parse_cell_report(kCells, osu018());
    EXPECT_EQ(report.cells, 1469U);
    EXPECT_EQ(report.flip_flops, 1065U + 14U);
    EXPECT_DOUBLE_EQ(report.area_um2, 267413.5);
}

TEST(CellReport, IsRefusedWhenAFigureIsMissing) {
    EXPECT_THAT(error_of([] { parse_cell_report("", osu018()); }), HasSubstr("number of cells"));
    EXPECT_THAT(error_of([] { parse_cell_report(without(kCells, "Chip area"), osu018()); }),
                HasSubstr("the area"));
    for (const char* const cells : {"-3", "1e30"}) {
        EXPECT_THAT(error_of([&] { parse_cell_report(without(kCells, "1469", cells), osu018()); }),
                    HasSubstr("no count"));
    }
}

TEST(CellReport, IsRefusedWhenThereAreCellsWithoutAnArea) {
    EXPECT_THAT(error_of([] {
                    parse_cell_report(without(kCells, "DFFNEGX1   ", "$_DLATCH_P_"), osu018());
                }),
                HasSubstr("$_DLATCH_P_"));
    const std::string unknown = "   Area for cell type \\macro is unknown!\n\n   Chip";
    EXPECT_THAT(error_of([&] { parse_cell_report(without(kCells, "   Chip", unknown), osu018()); }),
                HasSubstr("\\macro"));
}

TEST(CellReport, IsRefusedWhenTheLibraryDoesNotTellTheAreaOfACell) {
    EXPECT_EQ(osu018().without_area.count("LATCH"), 1U);
    EXPECT_THAT(
        error_of([] { parse_cell_report(without(kCells, "DFFNEGX1", "LATCH   "), osu018()); }),
        AllOf(HasSubstr("area"), HasSubstr("LATCH")));
}

TEST(TimingReport, TellsSlackAndPower) {
    const TimingReport report = parse_timing_report(kTiming);
    EXPECT_DOUBLE_EQ(report.worst_slack_ns, -3.6713);
    EXPECT_DOUBLE_EQ(report.power_mw, 684.0566);
}

TEST(TimingReport, IsRefusedAfterAnErrorThatTheToolIgnored) {
    EXPECT_THAT(error_of([] { parse_timing_report("Error: no network.\n" + kTiming); }),
                HasSubstr("no network"));
}

TEST(TimingReport, IsRefusedWhenAFigureIsMissing) {
    EXPECT_THAT(error_of([] { parse_timing_report(without(kTiming, "worst slack -3.6713")); }),
                HasSubstr("worst slack"));
    EXPECT_THAT(error_of([] { parse_timing_report(without(kTiming, "-3.6713", "INF")); }),
                HasSubstr("worst slack"));  // a circuit without paths
    EXPECT_THAT(error_of([] { parse_timing_report(without(kTiming, "\nTotal")); }),
                HasSubstr("power"));
}

TEST(LastLines, AreTheLastThatSaySomething) {
    EXPECT_EQ(last_lines("1\n2\n3\n\n4\n5\n6\n\n"), "  2\n  3\n  4\n  5\n  6");
    EXPECT_EQ(last_lines("\n"), "  (its log is empty)");
}

// ---- Tables -------------------------------------------------------------------------------------

SynthesisResult result_of(std::uint32_t ports, std::uint32_t depth, double period_ns) {
    SynthesisResult r;
    r.variant.ports = ports;
    r.variant.depth = depth;
    r.cells = 1000 * depth;
    r.flip_flops = 100 * depth;
    r.area_um2 = 50000.0 * depth;
    r.min_period_ns = period_ns;
    r.power_mw = 12.34;
    r.power_period_ns = 4;
    r.seconds = 5.67;
    r.library = "osu018 (0.18 um, typical corner, 1.8 V, 25 C)";
    r.netlist = "cache/" + r.variant.name() + "/netlist.v";
    return r;
}

TEST(SynthesisReport, MarkdownIsSortedAndHasTheConditionsBelow) {
    const std::string text = markdown_table({result_of(5, 8, 3.2), result_of(5, 2, 2.5)});
    EXPECT_THAT(
        text,
        HasSubstr(
            "| ports | VCs | depth | cells | flip-flops | area mm2 | min period ns | MHz | power "
            "mW |\n"
            "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
            "| 5 | 1 | 2 | 2000 | 200 | 0.100 | 2.50 | 400 | 12.3 |\n"
            "| 5 | 1 | 8 | 8000 | 800 | 0.400 | 3.20 | 312 | 12.3 |\n\n"));
    EXPECT_THAT(text, AllOf(HasSubstr("osu018"), HasSubstr("1.8 V, 25 C"), HasSubstr("no wire"),
                            HasSubstr("no clock tree"), HasSubstr("vectorless with 0.2"),
                            HasSubstr("at a clock period of 4 ns"), HasSubstr("Optimistic")));
    EXPECT_EQ(markdown_table({}), "");
}

TEST(SynthesisReport, ColumnsAppearWhereRowsDiffer) {
    SynthesisResult slow = result_of(5, 2, 5.23);
    slow.power_period_ns = 5.3;
    slow.variant.routing = hw::RtlRouting::kTable;
    slow.variant.table_entries = 64;
    const std::string text = markdown_table({result_of(5, 2, 2.5), slow});
    EXPECT_THAT(text, HasSubstr("| depth | routing | entries | cells "));
    EXPECT_THAT(text, HasSubstr("| power mW | at ns |"));
    EXPECT_THAT(text, HasSubstr("| 5 | 1 | 2 | table | 64 |"));
    EXPECT_THAT(text, HasSubstr("| 12.3 | 5.3 |"));
    EXPECT_THAT(text, HasSubstr("at the clock period named in the row"));
}

TEST(SynthesisReport, TextIsAligned) {
    std::ostringstream out;
    print_synthesis(out, {result_of(5, 2, 2.5), result_of(16, 8, 3.2)});
    std::istringstream in(out.str());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_GE(lines.size(), 7U);
    EXPECT_EQ(lines[0].size(), lines[1].size());
    EXPECT_EQ(lines[0].size(), lines[2].size());
    EXPECT_THAT(lines[0], HasSubstr("min period ns"));
    EXPECT_THAT(lines[4], HasSubstr("Optimistic: use for ratios"));
    EXPECT_THAT(lines[5], HasSubstr("router_p5_v1_d2_w64_r1_mesh/netlist.v, 5.7 s"));
    std::ostringstream nothing;
    print_synthesis(nothing, {});
    EXPECT_EQ(nothing.str(), "");
}

TEST(SynthesisReport, JsonHasTheParametersAndTheFigures) {
    const nlohmann::ordered_json list = synthesis_json(std::vector{result_of(5, 2, 2.5)});
    ASSERT_EQ(list.size(), 1U);
    const nlohmann::ordered_json& json = list[0];
    EXPECT_EQ(json.at("variant"), "router_p5_v1_d2_w64_r1_mesh");
    EXPECT_EQ(json.at("routing"), "mesh");
    EXPECT_EQ(json.at("depth"), 2);
    EXPECT_EQ(json.at("area_um2"), 100000.0);
    EXPECT_EQ(json.at("max_frequency_mhz"), 400.0);
    EXPECT_EQ(json.at("power_period_ns"), 4.0);
    EXPECT_EQ(json.at("from_cache"), false);
    EXPECT_THAT(json.at("conditions").get<std::string>(), HasSubstr("no clock tree"));
}

// ---- Cache and tools ----------------------------------------------------------------------------

/// A folder of its own with RTL, a cache and, where a test wants them, programs; the environment
/// points there until the test is over.
void write_file(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(read_file(path), text);
}

class Synthesis : public ::testing::Test {
protected:
    Synthesis() {
        folder_ = fs::temp_directory_path() / "synth";
        for (const char* sub : {"rtl", "bin"}) fs::create_directories(folder_ / sub);
        set("FLITSCOPE_CACHE", folder_ / "cache");
        set("FLITSCOPE_RTL_DIR", folder_ / "rtl");
        write("rtl/router.sv", "module router; endmodule\n");
        write("rtl/sources.txt", "router.sv\n");
    }
    ~Synthesis() override {
        for (const auto& [name, value] : old_) {
            if (value) {
                setenv(name.c_str(), value->c_str(), 1);
            } else {
                unsetenv(name.c_str());
            }
        }
        fs::remove_all(folder_);
    }

    void set(const std::string& name, const std::string& value) {
        remember(name);
        setenv(name.c_str(), value.c_str(), 1);
    }
    void unset(const std::string& name) {
        remember(name);
        unsetenv(name.c_str());
    }
    std::string path(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const {
        write_file(path(name), text);
    }

    /// A program in the only folder of PATH.
    void program(const std::string& name, const std::string& script) {
        set("PATH", path("bin"));
        write("bin/" + name, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
        chmod(path("bin/" + name).c_str(), 0755);
    }
    /// Programs that report without working. The circuit needs 4.55 ns.
    void fake_tools() {
        write("cells", kCells);
        write("timing", kTiming);
        program("yosys", "echo run >> " + path("runs") + "\ncp " + path("cells") +
                             " cells.txt\necho netlist > netlist.v\n");
        program("yosys-abc", "exit 1\n");
        program("sta",
                "for script; do :; done\n"
                "if grep -q 'period 4 ' $script; then slack=-0.55; else slack=0.05; fi\n"
                "sed \"s/^worst slack.*/worst slack $slack/\" " +
                    path("timing") + "\n");
    }
    /// How often the fake yosys ran.
    std::size_t runs() const {
        if (!fs::exists(path("runs"))) return 0;
        const std::string text = read_file(path("runs"));
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    /// What is in the cache, sorted.
    std::vector<std::string> entries() const {
        std::vector<std::string> names;
        const fs::path cache = folder_ / "cache" / "synth";
        if (fs::exists(cache)) {
            for (const auto& entry : fs::directory_iterator(cache)) {
                names.push_back(entry.path().filename());
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    hw::RtlVariant variant_;
    SynthesisConditions conditions_;
    fs::path folder_;

private:
    void remember(const std::string& name) {
        const char* const value = std::getenv(name.c_str());
        old_.emplace(name,
                     value == nullptr ? std::nullopt : std::make_optional<std::string>(value));
    }

    std::map<std::string, std::optional<std::string>> old_;
};

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

TEST_F(Synthesis, IsDoneAgainWithOtherTools) {
    fake_tools();
    synthesize(variant_, conditions_);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
    write("bin/sta", read_file(path("bin/sta")) + "# another version\n");
    EXPECT_FALSE(synthesize(variant_, conditions_).from_cache);
    EXPECT_EQ(runs(), 2U);
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);
}

TEST_F(Synthesis, ReadsWhatIsListedInTheOrderOfTheList) {
    write("rtl/z_pkg.sv", "package z_pkg; endpackage\n");
    write("rtl/arbiter.sv", "");
    write("rtl/draft.sv", "");
    write("rtl/sources.txt", "# constants\nz_pkg.sv\n\n# the rest\narbiter.sv\nrouter.sv\n");
    std::vector<std::string> names;
    for (const RtlSource& source : read_rtl_sources()) names.push_back(source.name);
    EXPECT_THAT(names, ElementsAre("z_pkg.sv", "arbiter.sv", "router.sv"));
    EXPECT_THAT(read_rtl_sources().front().text, HasSubstr("endpackage"));
}

TEST_F(Synthesis, RefusesAListOfNothingOrOfWhatIsNotThere) {
    write("rtl/sources.txt", "# nothing yet\n");
    EXPECT_THAT(error_of([] { read_rtl_sources(); }), HasSubstr("sources.txt names no file"));
    write("rtl/sources.txt", "router.sv\ngone.sv\n");
    EXPECT_THAT(error_of([] { read_rtl_sources(); }),
                HasSubstr("cannot read " + path("rtl/gone.sv")));
}

TEST_F(Synthesis, RefusesAFolderWithoutRtl) {
    set("FLITSCOPE_RTL_DIR", path("bin"));
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("cannot read"), HasSubstr(path("bin/sources.txt"))));
    set("FLITSCOPE_RTL_DIR", path("nowhere"));
    EXPECT_THROW(cached_synthesis(variant_, conditions_), ConfigError);
}

TEST_F(Synthesis, NamesAllThatIsMissing) {
    set("PATH", path("bin"));
    try {
        synthesize(variant_, conditions_);
        FAIL() << "nothing was thrown";
    } catch (const ConfigError& e) {
        ASSERT_EQ(e.findings().size(), 1U);
        EXPECT_THAT(e.what(), AllOf(HasSubstr("package yosys"), HasSubstr("berkeley-abc"),
                                    HasSubstr("opensta"), HasSubstr("./dev setup")));
        EXPECT_THAT(e.what(), Not(HasSubstr("qflow")));  // the library is installed
    }
    program("yosys", "");
    program("berkeley-abc", "");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(Not(HasSubstr("yosys")), Not(HasSubstr("abc")), HasSubstr("opensta")));
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(Synthesis, RefusesConditionsThatMakeNoSense) {
    fake_tools();
    for (const double bad : {0.0, -1.0, HUGE_VAL}) {
        SynthesisConditions c;
        c.period_ns = bad;
        EXPECT_THROW(synthesize(variant_, c), ConfigError) << bad;
    }
    SynthesisConditions negative;
    negative.input_activity = -0.1;
    EXPECT_THROW(synthesize(variant_, negative), ConfigError);
    SynthesisConditions library;
    library.library = "osu05";
    EXPECT_THAT(error_of([&] { synthesize(variant_, library); }), HasSubstr("osu018"));
    variant_.module = "router; shell rm";
    EXPECT_THROW(synthesize(variant_, conditions_), ConfigError);
    EXPECT_EQ(runs(), 0U);
}

TEST_F(Synthesis, StatesPowerAtAPeriodThatTheCircuitMeets) {
    fake_tools();
    std::vector<std::string> stages;
    const auto note = [&](const SynthesisProgress& p) {
        EXPECT_EQ(p.variant, variant_.name());
        if (stages.empty() || stages.back() != p.stage) stages.emplace_back(p.stage);
        return true;
    };
    const SynthesisResult slow = synthesize(variant_, conditions_, note);
    EXPECT_DOUBLE_EQ(slow.min_period_ns, 4.55);
    EXPECT_DOUBLE_EQ(slow.power_period_ns, 4.6);
    EXPECT_THAT(stages, ElementsAre("logic synthesis", "timing", "power"));
    conditions_.period_ns = 6;
    stages.clear();
    const SynthesisResult fast = synthesize(variant_, conditions_, note);
    EXPECT_DOUBLE_EQ(fast.min_period_ns, 5.95);
    EXPECT_DOUBLE_EQ(fast.power_period_ns, 6);
    EXPECT_THAT(stages, ElementsAre("logic synthesis", "timing"));
}

TEST(FabricLinks, AreCountedByDelayAndLongOnesByTheirRegisters) {
    FabricLinks links;
    links.like = {2, 32};
    links.delays = {{1, 10}, {3, 4}};
    std::vector<std::string> asked;
    const auto area = [&](const LinkVariant& link) -> std::optional<double> {
        asked.push_back(link.name());
        return link.delay % 2 == 0 ? 100.0 * link.delay - 5 : 100.0 * link.delay;
    };
    EXPECT_DOUBLE_EQ(*links.total_um2(area), 10 * 100 + 4 * 300);
    EXPECT_THAT(asked, ElementsAre("link_v2_w32_d1", "link_v2_w32_d3"));
    asked.clear();
    links.delays = {{8, 1}, {9, 2}, {20, 3}};
    EXPECT_DOUBLE_EQ(*links.total_um2(area), 795 + 2 * 900 + 3 * 1995);
    EXPECT_THAT(asked, ElementsAre("link_v2_w32_d1", "link_v2_w32_d7", "link_v2_w32_d8"));
    EXPECT_FALSE(links.total_um2(
        [&](const LinkVariant& link) { return link.delay == 7 ? std::nullopt : area(link); }));
}

TEST(FabricLinks, HaveNames) {
    const LinkVariant link{4, 128, 12};
    EXPECT_EQ(link.name(), "link_v4_w128_d12");
    EXPECT_EQ(link.flip_flops(), 12 * (128 + 2 + 3) + 11 * 4);
    const auto parsed = parse_link_variant(link.name());
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->name(), link.name());
    for (const std::string& wrong : std::initializer_list<std::string>{
             "", "link_v1_w64", "link_v1_w64_d1x", "router_v1_w64_d1", "link_v1_w64_d0",
             "link_v01_w64_d1", "link_v1_w1234567_d1", "link_v1_w64_d18446744073709551617",
             "link_v1_w64_d" + std::string(1'000'000, '1')}) {
        EXPECT_FALSE(parse_link_variant(wrong)) << wrong;
    }
}

TEST(ResolveSynthesized, PutsNumbersInPlaceOfWords) {
    Config config;
    config.clock_ns = 7;
    config.fabric.link_delay.model = LinkDelayModel::kPhysical;
    config.fabric.link_delay.pitch_mm = 3;
    resolve_synthesized(config, 250'000, 2.0001);  // nothing is asked for
    EXPECT_EQ(config.clock_ns, 7);
    EXPECT_EQ(config.fabric.link_delay.pitch_mm, 3);
    config.clock_is_synthesized = true;
    config.fabric.link_delay.pitch_is_derived = true;
    config.fabric.link_delay.node_mm2 = 2;
    EXPECT_TRUE(config.wires_need_synthesis());
    resolve_synthesized(config, 250'000, 2.0001);
    EXPECT_FALSE(config.wires_need_synthesis());
    EXPECT_FALSE(config.clock_is_synthesized);
    EXPECT_EQ(config.clock_ns, 2.001);
    EXPECT_DOUBLE_EQ(config.fabric.link_delay.pitch_mm, 1.5);
}

TEST_F(Synthesis, IsFoundAgainEvenWithoutTools) {
    fake_tools();
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
    const SynthesisResult first = synthesize(variant_, conditions_);
    EXPECT_FALSE(first.from_cache);
    EXPECT_EQ(runs(), 1U);
    set("PATH", path("nowhere"));
    const SynthesisResult again = synthesize(variant_, conditions_);
    EXPECT_TRUE(again.from_cache);
    EXPECT_EQ(runs(), 1U);
    EXPECT_EQ(again.cells, first.cells);
    EXPECT_EQ(again.flip_flops, first.flip_flops);
    EXPECT_EQ(again.area_um2, first.area_um2);
    EXPECT_EQ(again.min_period_ns, first.min_period_ns);
    EXPECT_EQ(again.power_mw, first.power_mw);
    EXPECT_EQ(again.power_period_ns, first.power_period_ns);
    EXPECT_EQ(again.seconds, first.seconds);
    EXPECT_EQ(again.netlist, first.netlist);
    EXPECT_EQ(read_file(again.netlist), "netlist\n");
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
    ASSERT_EQ(entries().size(), 1U);
    EXPECT_THAT(entries()[0], HasSubstr(variant_.name() + '_'));
}

TEST_F(Synthesis, IsNotFoundWhenAnythingItDependsOnIsDifferent) {
    fake_tools();
    synthesize(variant_, conditions_);
    const auto cached = [&] { return cached_synthesis(variant_, conditions_).has_value(); };
    const std::string router = read_file(path("rtl/router.sv"));
    write("rtl/router.sv", router + "\n");
    EXPECT_FALSE(cached());
    write("rtl/router.sv", router);
    EXPECT_TRUE(cached());
    write("rtl/more.sv", "");
    EXPECT_TRUE(cached());  // nobody reads it
    write("rtl/sources.txt", "router.sv\nmore.sv\n");
    EXPECT_FALSE(cached());
    fs::rename(path("rtl/router.sv"), path("rtl/renamed.sv"));
    write("rtl/sources.txt", "renamed.sv\n");
    EXPECT_FALSE(cached());
    fs::rename(path("rtl/renamed.sv"), path("rtl/router.sv"));
    write("rtl/sources.txt", "router.sv\n");
    EXPECT_TRUE(cached());
    variant_.depth += 1;
    EXPECT_FALSE(cached());
    variant_.depth -= 1;
    conditions_.period_ns = 5;
    EXPECT_FALSE(cached());
    conditions_.period_ns = 4;
    conditions_.input_activity = 0.3;
    EXPECT_FALSE(cached());
    conditions_.input_activity = 0.2;
    EXPECT_TRUE(cached());
}

TEST_F(Synthesis, ReplacesADamagedEntry) {
    fake_tools();
    const std::string folder = synthesize(variant_, conditions_).folder;
    const std::string figures = read_file(folder + "/result.json");
    std::string negative = figures;
    negative.replace(negative.find("\"area_um2\": ") + 12, 0, "-");
    const std::vector<std::function<void()>> damages = {
        [&] { write_file(folder + "/result.json", "{\"cells\": 1"); },
        [&] { write_file(folder + "/result.json", "[]"); },
        [&] {  // as many levels as would need more stack than there is
            write_file(folder + "/result.json", "{\"checksum\": " + std::string(1'000'000, '[') +
                                                    std::string(1'000'000, ']') + '}');
        },
        [&] { write_file(folder + "/result.json", negative); },
        [&] { write_file(folder + "/netlist.v", ""); },
        [&] { fs::remove(folder + "/netlist.v"); },
        [&] {
            fs::remove(folder + "/result.json");
            ASSERT_EQ(mkfifo((folder + "/result.json").c_str(), 0600), 0);
        }};
    std::size_t times = 1;
    for (const auto& damage : damages) {
        damage();
        testing::internal::CaptureStderr();
        EXPECT_FALSE(cached_synthesis(variant_, conditions_)) << times;
        EXPECT_THAT(testing::internal::GetCapturedStderr(),
                    AllOf(HasSubstr(folder), HasSubstr("set aside as " + folder + ".damaged")));
        synthesize(variant_, conditions_);
        EXPECT_TRUE(cached_synthesis(variant_, conditions_)) << times;
        EXPECT_EQ(runs(), ++times);
        EXPECT_EQ(entries().size(), 2U);
        EXPECT_TRUE(fs::exists(folder + ".damaged"));
    }
}

TEST_F(Synthesis, ReplacesADamagedEntryOfALink) {
    fake_tools();
    fs::create_directories(path("rtl/fabric"));
    write("rtl/delay_line.sv", "module delay_line; endmodule\n");
    write("rtl/sources.txt", "delay_line.sv\nrouter.sv\n");
    write("rtl/fabric/link.sv", "module link; endmodule\n");
    write("rtl/fabric/sources.txt", "link.sv\n");
    const LinkVariant link{1, 1075, 1};  // of as many flip-flops as the cells that are reported
    EXPECT_FALSE(cached_link(link));
    const double area = synthesize_link(link);
    EXPECT_DOUBLE_EQ(area, 267413.5);
    EXPECT_EQ(synthesize_link(link), area);
    EXPECT_EQ(runs(), 1U);
    const auto names = entries();
    ASSERT_EQ(names.size(), 1U);
    const std::string entry = path("cache/synth/" + names.front());
    const std::string kept = read_file(entry);
    const std::vector<std::function<void()>> damages = {
        [&] { write_file(entry, "{\"area_um2\": 1"); }, [&] { write_file(entry, "[]"); },
        [&] { write_file(entry, without(kept, "\"area_um2\": 2", "\"area_um2\": 3")); },
        [&] { write_file(entry, without(kept, "\"checksum\"", "\"sum\"")); },
        [&] {
            fs::remove(entry);
            ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
        }};
    std::size_t times = 1;
    for (const auto& damage : damages) {
        damage();
        testing::internal::CaptureStderr();
        EXPECT_FALSE(cached_link(link)) << times;
        EXPECT_THAT(
            testing::internal::GetCapturedStderr(),
            HasSubstr(entry +
                      " does not hold what a synthesis left there: not used, and set aside as " +
                      entry + ".damaged"));
        EXPECT_EQ(synthesize_link(link), area);
        EXPECT_EQ(cached_link(link), area) << times;
        EXPECT_EQ(runs(), ++times);
    }
}

TEST_F(Synthesis, TakesTheEntryOfAnotherProcessThatWasFaster) {
    fake_tools();
    const std::string folder = synthesize(variant_, conditions_).folder;
    fs::rename(folder, path("aside"));
    const auto other = [&](const SynthesisProgress&) {
        if (!fs::exists(folder)) fs::rename(path("aside"), folder);
        return true;
    };
    const SynthesisResult result = synthesize(variant_, conditions_, other);
    EXPECT_EQ(result.folder, folder);
    EXPECT_EQ(entries().size(), 1U);
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
}

TEST_F(Synthesis, SaysWhichToolFailedAndWhereItsLogIs) {
    fake_tools();
    program("yosys", "echo reading\necho 'router.sv:7: ERROR: syntax error' >&2\nexit 3\n");
    const std::string error = error_of([&] { synthesize(variant_, conditions_); });
    EXPECT_THAT(error, AllOf(HasSubstr("bin/yosys ended with exit code 3"), HasSubstr("reading\n"),
                             HasSubstr("router.sv:7: ERROR: syntax error")));
    const std::string log = error.substr(error.find("all of it: ") + 11);
    EXPECT_THAT(read_file(log), HasSubstr("syntax error"));
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
    ASSERT_EQ(entries().size(), 1U);
    EXPECT_THAT(entries()[0], HasSubstr(".failed"));

    fake_tools();
    program("sta", "echo 'Error: cell type router can not be linked.'\n");  // exit code 0
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("can not be linked"), HasSubstr(".failed/timing.log")));
    fake_tools();
    program("yosys", "kill -9 $$\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("killed by signal 9"));
    write("bin/yosys", "no program");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }), HasSubstr("cannot start"));
    fake_tools();
    program("yosys", "exit 0\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }), HasSubstr("cells.txt"));
    EXPECT_EQ(entries().size(), 1U);  // the last failure only

    fake_tools();
    synthesize(variant_, conditions_);
    EXPECT_TRUE(cached_synthesis(variant_, conditions_));
}

/// A tool that starts another program and would take a minute.
constexpr const char* kSlow = "sleep 60 & echo $! > pid.new; mv pid.new $PIDFILE; wait\n";

/// A zombie has ended; nobody but its parent, or init, can take it away.
bool runs_still(const std::string& pid) {
    const std::string stat = "/proc/" + pid + "/stat";
    if (!fs::exists(stat)) return false;
    const std::string text = read_file(stat);
    return text.substr(text.rfind(')') + 2, 1) != "Z";
}

class InterruptedSynthesis : public Synthesis {
protected:
    InterruptedSynthesis() {
        fake_tools();
        set("PIDFILE", path("pid"));
        program("yosys", kSlow);
    }

    /// Until the program that the tool started has ended; the kernel takes a moment.
    void expect_all_ended() const {
        std::string pid = read_file(path("pid"));
        pid.erase(pid.find('\n'));
        for (int i = 0; i < 200 && runs_still(pid); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        EXPECT_FALSE(runs_still(pid));
    }
    bool tool_runs() const { return fs::exists(path("pid")); }
};

TEST_F(InterruptedSynthesis, LeavesNothingWhenTheCallerStopsIt) {
    const auto stop = [this](const SynthesisProgress&) { return !tool_runs(); };
    EXPECT_THROW(synthesize(variant_, conditions_, stop), SynthesisInterrupted);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(InterruptedSynthesis, LeavesNothingWhenTheCallbackThrows) {
    const auto give_up = [this](const SynthesisProgress&) -> bool {
        if (tool_runs()) throw std::logic_error("enough");
        return true;
    };
    EXPECT_THROW(synthesize(variant_, conditions_, give_up), std::logic_error);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

volatile std::sig_atomic_t signals_met = 0;

TEST_F(InterruptedSynthesis, LeavesNothingAfterASignalThatTheCallerHandles) {
    signals_met = 0;
    const auto old = std::signal(SIGINT, [](int) { signals_met = signals_met + 1; });
    const auto interrupt = [this](const SynthesisProgress&) {
        if (tool_runs()) {
            EXPECT_TRUE(fs::exists(path("cache/synth")));
            std::raise(SIGINT);
        }
        return true;
    };
    EXPECT_THROW(synthesize(variant_, conditions_, interrupt), SynthesisInterrupted);
    std::signal(SIGINT, old);
    EXPECT_EQ(signals_met, 1);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(InterruptedSynthesis, LeavesNothingAfterASignalThatEndsTheProcess) {
    const auto terminate = [this](const SynthesisProgress&) {
        if (tool_runs()) std::raise(SIGTERM);
        return true;
    };
    EXPECT_EXIT(synthesize(variant_, conditions_, terminate), ::testing::KilledBySignal(SIGTERM),
                "");
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(Synthesis, RemovesWhatAKilledProcessLeftADayAgo) {
    fake_tools();
    for (const char* name : {"cache/synth/.partial.old", "cache/synth/.partial.new"}) {
        fs::create_directories(path(name));
    }
    fs::last_write_time(path("cache/synth/.partial.old"),
                        fs::file_time_type::clock::now() - std::chrono::hours(25));
    synthesize(variant_, conditions_);
    EXPECT_FALSE(fs::exists(path("cache/synth/.partial.old")));
    EXPECT_TRUE(fs::exists(path("cache/synth/.partial.new")));  // perhaps at work
}

TEST_F(Synthesis, CachesWhereTheEnvironmentSays) {
    set("HOME", "/h");
    set("XDG_CACHE_HOME", "/x");
    set("FLITSCOPE_CACHE", "/f");
    EXPECT_EQ(synthesis_cache_folder(), "/f/synth");
    set("FLITSCOPE_CACHE", "");
    EXPECT_EQ(synthesis_cache_folder(), "/x/flitscope/synth");
    unset("XDG_CACHE_HOME");
    EXPECT_EQ(synthesis_cache_folder(), "/h/.cache/flitscope/synth");
    unset("HOME");
    EXPECT_THAT(error_of([] { synthesis_cache_folder(); }), HasSubstr("FLITSCOPE_CACHE"));
}

TEST_F(Synthesis, SaysSoWhenTheCacheCannotBeWritten) {
    fake_tools();
    set("FLITSCOPE_CACHE", path("rtl/router.sv"));  // a file
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("FLITSCOPE_CACHE names another folder"));
    EXPECT_FALSE(cached_synthesis(variant_, conditions_));
}

// ---- The real tools -----------------------------------------------------------------------------

// `Depth` registers per bit and port, so the number of flip-flops is known. The output is the
// parity of a port, which takes gates.
constexpr const char* kDelayLines = R"(module router #(
    parameter int unsigned Ports = 5,
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned Depth = 8,
    parameter int unsigned FlitBits = 64,
    parameter int unsigned RouterDelay = 1,
    parameter int unsigned Routing = 0,
    parameter int unsigned TableEntries = 2
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [Ports*FlitBits-1:0] data_i,
    output logic [Ports-1:0]          parity_o
);
    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            logic [Depth*FlitBits-1:0] line_q;
            always_ff @(posedge clk_i) begin
                if (!rst_ni) line_q <= '0;
                else line_q <= {line_q, data_i[p*FlitBits+:FlitBits]};
            end
            assign parity_o[p] = ^line_q[(Depth-1)*FlitBits+:FlitBits];
        end
    endgenerate
endmodule
)";

class RealSynthesis : public Synthesis {
protected:
    RealSynthesis() {
        write("rtl/router.sv", kDelayLines);
        variant_.ports = 2;
        variant_.depth = 3;
        variant_.flit_bits = 4;
    }
};

TEST_F(RealSynthesis, CountsTheFlipFlopsOfASmallCircuit) {
    const SynthesisResult r = synthesize(variant_, conditions_);
    constexpr double kFlipFlopUm2 = 96;  // DFFPOSX1
    EXPECT_EQ(r.flip_flops, 2U * 3U * 4U);
    EXPECT_GE(r.cells, r.flip_flops + 2U * 3U);  // parity of 4 bits: 3 gates
    EXPECT_GT(r.area_um2, kFlipFlopUm2 * static_cast<double>(r.flip_flops));
    EXPECT_LT(r.area_um2, 3 * kFlipFlopUm2 * static_cast<double>(r.flip_flops));
    EXPECT_GT(r.min_period_ns, 0.3);  // flip-flop, two gates, setup
    EXPECT_LT(r.min_period_ns, 2);
    EXPECT_EQ(r.power_period_ns, 4);
    EXPECT_GT(r.power_mw, 0.1);
    EXPECT_LT(r.power_mw, 10);
    EXPECT_GT(r.seconds, 0.1);
    EXPECT_THAT(read_file(r.netlist),
                AllOf(HasSubstr("module router_p2_v1_d3_w4_r1_mesh("), HasSubstr("DFFPOSX1")));
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);

    variant_.depth = 6;
    const SynthesisResult deep = synthesize(variant_, conditions_);
    EXPECT_EQ(deep.flip_flops, 2 * r.flip_flops);
    EXPECT_GT(deep.area_um2, 1.5 * r.area_um2);
}

TEST_F(RealSynthesis, PowerFollowsThePeriodAndThePeriodDoesNotFollowTheTarget) {
    const SynthesisResult at_4 = synthesize(variant_, conditions_);
    conditions_.period_ns = 8;
    const SynthesisResult at_8 = synthesize(variant_, conditions_);
    EXPECT_NEAR(at_8.power_mw / at_4.power_mw, 0.5, 0.01);
    EXPECT_NEAR(at_8.min_period_ns, at_4.min_period_ns, 0.001);
    conditions_.period_ns = 0.01;
    const SynthesisResult fastest = synthesize(variant_, conditions_);
    EXPECT_NEAR(fastest.min_period_ns, at_4.min_period_ns, 0.001);
    EXPECT_GE(fastest.power_period_ns, fastest.min_period_ns);
    EXPECT_LT(fastest.power_period_ns, fastest.min_period_ns + 0.1);
    EXPECT_GT(fastest.power_mw, at_4.power_mw);
}

TEST_F(RealSynthesis, PointsAtTheLineThatYosysDoesNotTake) {
    write("rtl/router.sv", "module router;\n  always_oops;\nendmodule\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("rtl/router.sv:2"), HasSubstr("syntax error")));
}

TEST_F(RealSynthesis, RefusesALatch) {
    std::string text = kDelayLines;
    text = without(text, "always_ff @(posedge clk_i) begin", "always @* begin");
    text = without(text, "if (!rst_ni) line_q <= '0;", "if (!clk_i) line_q = '0;");
    text = without(text, "else line_q <= {line_q, data_i[p*FlitBits+:FlitBits]};",
                   "else if (rst_ni) line_q = {Depth{data_i[p*FlitBits+:FlitBits]}};");
    write("rtl/router.sv", text);
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("cells that the library does not have"));
}

/// The router of hw/rtl, small enough to take seconds.
TEST_F(RealSynthesis, TakesOurRouterWithEachRouting) {
    unset("FLITSCOPE_RTL_DIR");
    variant_ = {};
    variant_.ports = 3;
    variant_.depth = 2;
    variant_.flit_bits = 16;
    for (const hw::RtlRouting routing :
         {hw::RtlRouting::kMesh, hw::RtlRouting::kHypercube, hw::RtlRouting::kTable}) {
        variant_.routing = routing;
        variant_.table_entries = routing == hw::RtlRouting::kTable ? 4 : 0;
        const SynthesisResult r = synthesize(variant_, conditions_);
        EXPECT_GE(r.flip_flops, 3U * 2U * 18U) << variant_.name();  // the FIFOs alone
        EXPECT_LT(r.min_period_ns, 6) << variant_.name();
    }
}

TEST_F(RealSynthesis, SwitchThatIsHeldCostsAFlipFlopPerInputVirtualChannel) {
    unset("FLITSCOPE_RTL_DIR");
    variant_ = {};
    variant_.ports = 3;
    variant_.virtual_channels = 2;
    variant_.depth = 2;
    variant_.flit_bits = 16;
    const SynthesisResult taking_turns = synthesize(variant_, conditions_);
    variant_.hold = true;
    const SynthesisResult held = synthesize(variant_, conditions_);
    EXPECT_EQ(held.flip_flops, taking_turns.flip_flops + 3U * 2U);
    EXPECT_GT(held.area_um2, taking_turns.area_um2);
}

}  // namespace
}  // namespace flitscope
