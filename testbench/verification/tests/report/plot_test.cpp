// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The script of a plot for gnuplot. That gnuplot accepts it, and runs nothing of the user's, is
// tested with the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testbench/app/report/plot_script.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string file(const Plot& plot, const std::string& name) {
    for (const GnuplotFile& file : gnuplot_files(plot)) {
        if (file.name == name) return file.text;
    }
    return "no such file";
}

std::string script(const Plot& plot) { return file(plot, kPlotScript); }

Plot plot_with(std::vector<PlotPoint> points) {
    Plot plot;
    plot.name = "p";
    plot.series = {{"a", std::move(points)}};
    plot.fits_data = true;
    return plot;
}

TEST(PlotScript, AxesEndOutsideOfThePoints) {
    Plot plot = plot_with({{1, 10}, {2, 30}});
    EXPECT_THAT(script(plot), HasSubstr("set xrange [0.96:2.04]\nset yrange [9.2:30.8]\n"));
    plot.y_from_zero = true;
    EXPECT_THAT(script(plot), HasSubstr("set yrange [0:30.8]\n"));
    // Lines are in the picture, too.
    plot.lines = {{3, true, "here", {}}};
    EXPECT_THAT(script(plot), HasSubstr("set xrange [0.92:3.08]\n"));
    EXPECT_THAT(script(plot), HasSubstr("set arrow from first 3, graph 0 to first 3, graph 1"));
    EXPECT_THAT(script(plot), HasSubstr("title 'here'"));
    // Others are gnuplot's.
    plot.fits_data = false;
    EXPECT_THAT(script(plot), Not(HasSubstr("range")));
}

TEST(PlotScript, LogarithmicAxesOfFewDecadesHaveTicsBetweenPowersOfTen) {
    Plot plot = plot_with({{15, 1}, {160, 1}});
    plot.decades_x = true;
    EXPECT_THAT(script(plot), HasSubstr("set xtics (20, 50, 100)\n"));
    plot.series.front().points.emplace_back(1e6, 1);
    EXPECT_THAT(script(plot), Not(HasSubstr("set xtics")));
}

TEST(PlotScript, WhatIsNotSureIsHollow) {
    Plot plot = plot_with({{1, 10}, {2, 30}});
    plot.hollow = "not sure";
    EXPECT_EQ(plot_data(plot), "number,series,x,y\n0,a,1,10\n0,a,2,30\n");
    EXPECT_THAT(script(plot), Not(HasSubstr("not sure")));
    plot.series.front().points.back().is_sure = false;
    EXPECT_EQ(plot_data(plot),
              "number,series,x,y,half_width,label,is_sure\n0,a,1,10,,,1\n0,a,2,30,,,0\n");
    EXPECT_THAT(script(plot), HasSubstr("$7 == 0"));
    EXPECT_THAT(script(plot), HasSubstr("title 'not sure'"));
}

TEST(PlotScript, WhatHasNoIntervalHasNoBarWhichIsNotOneOfZero) {
    Plot plot = plot_with({{1, 10, 2.5}, {2, 30, 0.0}, {3, 40}});
    EXPECT_EQ(plot_data(plot),
              "number,series,x,y,half_width,label\n0,a,1,10,2.5,\n0,a,2,30,0,\n0,a,3,40,,\n");
    EXPECT_THAT(script(plot), HasSubstr("with yerrorbars"));
    plot = plot_with({{1, 10}, {2, 30}});
    EXPECT_THAT(script(plot), Not(HasSubstr("with yerrorbars")));
}

TEST(PlotScript, AFrontIsJoinedBySteps) {
    Plot plot = plot_with({{1, 10}, {2, 5}});
    plot.series.front().is_front = true;
    EXPECT_THAT(script(plot), HasSubstr("with steps"));
    plot.series.front().has_line = false;
    EXPECT_THAT(script(plot), Not(HasSubstr("with steps")));
}

TEST(PlotScript, LabelsInAListHaveNumbersThatDoNotLieOnEachOther) {
    Plot plot = plot_with({{1, 10, {}, "one"},
                           {1.001, 9.99, {}, "two"},
                           {1.002, 9.98, {}, "three"},
                           {5, 5, {}, "four"},
                           {1.003, 9.97, {}, "five, `six`"}});
    plot.lists_labels = true;
    EXPECT_EQ(file(plot, "marks.csv"), "1,10,\"1-3,5\"\n5,5,4\n");
    const std::string list = file(plot, "list.csv");
    EXPECT_THAT(list, HasSubstr(",1  one\n"));
    EXPECT_THAT(list, HasSubstr(",\"5  five, `six`\"\n"));
    EXPECT_THAT(script(plot), Not(HasSubstr("six")));
    // A long list ends with the number of further entries.
    for (int i = 0; i < 100; ++i) {
        plot.series.front().points.emplace_back(i, i, std::nullopt, "more");
    }
    EXPECT_THAT(file(plot, "list.csv"), HasSubstr("and 66 more in the .csv next to it\n"));
}

TEST(PlotScript, NamesStandInSingleQuotes) {
    Plot plot = plot_with({{1, 10}, {2, 5}});
    plot.series.front().name = "it's `date`\nplot";
    plot.lines = {{3, true, "'; system('date", 0}};
    EXPECT_THAT(script(plot), HasSubstr("title 'it''s `date` plot'"));
    EXPECT_THAT(script(plot), HasSubstr("title '''; system(''date'"));
}

}  // namespace
}  // namespace flitscope
