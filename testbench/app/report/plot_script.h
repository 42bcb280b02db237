// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plot as gnuplot takes it: a script, and data. No file has a name from the user, and text from a
// name is in the data, or in single quotes, in which nothing has a special meaning.
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

/// series, x, y, and further columns of points: the data of a plot, for drawing it again.
std::string plot_data(const Plot& plot);
/// All that gnuplot reads, the script among it.
std::vector<GnuplotFile> gnuplot_files(const Plot& plot);

}  // namespace flitscope
