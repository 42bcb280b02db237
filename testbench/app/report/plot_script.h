// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plot as gnuplot takes it: a script, and data. No name of the user is among those of the files,
// and what a name says stands in the data, or in single quotes in which nothing has a meaning.
#pragma once

#include <string>
#include <vector>

#include "testbench/app/report/plot.h"

namespace flitscope {

inline constexpr const char* kPlotScript = "plot.gp";
inline constexpr const char* kPlotPicture = "plot.svg";  ///< drawn by the script

struct GnuplotFile {
    std::string name;
    std::string text;
};

/// series, x, y, and what points have beside: the data of a plot, for whoever draws it again.
std::string plot_data(const Plot& plot);
/// All that gnuplot reads, the script among it.
std::vector<GnuplotFile> gnuplot_files(const Plot& plot);

}  // namespace flitscope
