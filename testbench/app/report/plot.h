// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of series of points, drawn by gnuplot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flitscope {

struct PlotPoint {
    PlotPoint(double at, double value, std::optional<double> half_width = {}, std::string name = {})
        : x(at), y(value), error(half_width), label(std::move(name)) {}

    double x;
    double y;
    std::optional<double> error;  ///< half of the bar through the point, if it has one
    std::string label;            ///< written next to it; may be empty
    bool is_sure = true;          ///< else it is hollow
};

struct Series {
    std::string name;
    std::vector<PlotPoint> points;
    bool is_measured = true;  ///< points and lines; else only a line
    bool has_line = true;     ///< else only points
    /// Points that no other point beats: large, joined by steps, with the rest in the background.
    bool is_front = false;
    bool is_hollow = false;  ///< small rings
};

/// A dashed line through the whole picture.
struct PlotLine {
    double at = 0;
    bool is_vertical = false;
    std::string name;                   ///< may be empty
    std::optional<std::size_t> series;  ///< whose colour it has
};

struct Plot {
    std::string name;  ///< stem of its files: NAME.svg, NAME.csv
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_x = false;  ///< in powers of two, with prefixes
    bool log_y = false;
    std::vector<Series> series;
    bool is_in_docs = false;  ///< shown by CONCLUSIONS.md
    bool decades_x = false;   ///< logarithmic, in powers of ten
    bool is_ordered = false;  ///< series come from much to little: colours from dark to light
    /// Axes end a little outside of the points.
    bool fits_data = false;
    bool y_from_zero = false;  ///< with `fits_data`: the lower end of that axis
    /// Labels are in a list next to the picture, and their numbers, from 1 on, at the points.
    bool lists_labels = false;
    bool labels_right = true;  ///< numbers of the points; else to their left
    bool labels_above = true;  ///< labels of points; else below
    std::vector<PlotLine> lines = {};
    std::string hollow = {};  ///< label of the uncertain points
};

/// A plot whose picture will be `path`. Throws ConfigError if `path` does not end in .svg, or if
/// the picture, its data next to it, or pictures and data with one of `suffixes` after their names
/// cannot be written there.
Plot plot_at(const std::string& path, const std::vector<std::string>& suffixes = {});
/// The folder of `path`, for draw().
std::string plot_folder(const std::string& path);

/// Whether gnuplot can be started.
bool can_draw();
/// The files of a plot, as they are written.
struct DrawnPlot {
    std::string data;     ///< NAME.csv: series, x, y, and further columns of points
    std::string picture;  ///< NAME.svg
};
/// Draws a plot with gnuplot. Throws std::runtime_error when that fails, study::Cancelled after a
/// signal.
DrawnPlot drawn(const Plot& plot);
/// Draws a plot as DIR/NAME.svg, and writes DIR/NAME.csv. Throws as drawn() does.
void draw(const std::string& folder, const Plot& plot);

}  // namespace flitscope
