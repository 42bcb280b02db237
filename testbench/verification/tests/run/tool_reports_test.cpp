// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading reports of yosys and OpenSTA, and the tables made of many results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbench/app/gate_synthesis/synthesis_report.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/verification/tests/run/synth_fixture.h"

namespace flitscope {
namespace {

using ::testing::HasSubstr;

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
                    HasSubstr("no valid count"));
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

}  // namespace
}  // namespace flitscope
