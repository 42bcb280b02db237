// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/plot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "testbench/app/report/report_lines.h"

namespace flitscope {
namespace {

constexpr const char* kColors[] = {"#1b6ca8", "#d95f02", "#2a9d4a", "#c2257a",
                                   "#7a4fbf", "#8a6d1f", "#444444", "#00a0a0"};
constexpr const char* kGray = "#666666";

constexpr const char* kData = "plot.csv";
constexpr const char* kMarks = "marks.csv";
constexpr const char* kList = "list.csv";

/// The k-th of `count` colours from dark to light.
std::string shade(std::size_t k, std::size_t count) {
    constexpr double kDark[] = {0x08, 0x1d, 0x58};
    constexpr double kMiddle[] = {0x1d, 0x91, 0xc0};
    constexpr double kLight[] = {0x9f, 0xd8, 0x9a};
    const double at = count > 1 ? 2.0 * static_cast<double>(k) / static_cast<double>(count - 1) : 0;
    const auto part = [&](std::size_t i) {
        const double value = at <= 1 ? kDark[i] + at * (kMiddle[i] - kDark[i])
                                     : kMiddle[i] + (at - 1) * (kLight[i] - kMiddle[i]);
        return static_cast<unsigned>(value);
    };
    return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

/// Of each series. The k-th prediction has the colour of the k-th measurement, to which it mostly
/// belongs.
std::vector<std::string> colors(const Plot& plot) {
    std::vector<std::string> colors;
    std::size_t measured = 0;
    std::size_t predicted = 0;
    for (const Series& series : plot.series) {
        const std::size_t number = series.is_measured ? measured++ : predicted++;
        colors.push_back(plot.is_ordered ? shade(number, plot.series.size())
                                         : kColors[number % std::size(kColors)]);
    }
    return colors;
}

/// A text in gnuplot's single quotes, in which nothing has a meaning: in double ones, backquotes
/// would run what they enclose.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        const bool is_control = code < 0x20 || code == 0x7f;
        result += is_control ? " " : c == '\'' ? "''" : std::string(1, c);
    }
    return result + '\'';
}

template <class Has>
bool any_point(const Series& series, Has has) {
    return std::any_of(series.points.begin(), series.points.end(), has);
}

template <class Has>
bool any_point(const Plot& plot, Has has) {
    return std::any_of(plot.series.begin(), plot.series.end(),
                       [&](const Series& series) { return any_point(series, has); });
}

bool has_error(const PlotPoint& point) { return point.error.has_value(); }
bool has_label(const PlotPoint& point) { return !point.label.empty(); }
bool is_unsure(const PlotPoint& point) { return !point.is_sure; }

// ---- Axes that end a little outside of the points -----------------------------------------------

/// One of the two axes, as far as the data reach.
struct Axis {
    const char* name;
    bool is_log = false;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void take(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    /// Puts `share` of the length below and above.
    void widen(double share) {
        if (is_log) {
            const double factor = least < most ? std::pow(most / least, share) : 1.2;
            least /= factor;
            most *= factor;
        } else {
            const double length = least < most ? most - least : std::max(std::abs(most), 1e-9);
            least -= share * length;
            most += share * length;
        }
    }
    /// How far a value is on the way from end to end.
    double share(double value) const {
        return is_log ? std::log(value / least) / std::log(most / least)
                      : (value - least) / (most - least);
    }
    std::string range() const { return fmt::format("set {}range [{}:{}]\n", name, least, most); }
    /// 1, 2 and 5 times powers of ten, if powers of ten would be too few.
    std::string tics() const {
        constexpr double kFew = 2.5;  // decades
        if (!is_log || std::log10(most / least) > kFew) return "";
        std::string text;
        for (double power = std::pow(10, std::floor(std::log10(least))); power <= most;
             power *= 10) {
            for (const double tic : {power, 2 * power, 5 * power}) {
                if (tic < least || tic > most) continue;
                text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", tic);
            }
        }
        return fmt::format("set {}tics ({})\n", name, text);
    }
};

struct Axes {
    Axis x{"x"};
    Axis y{"y"};
};

Axes fitted_axes(const Plot& plot) {
    Axes axes;
    axes.x.is_log = plot.log_x || plot.decades_x;
    axes.y.is_log = plot.log_y;
    for (const Series& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            axes.x.take(point.x);
            const double error = point.error.value_or(0);
            axes.y.take(point.y + error);
            if (!axes.y.is_log || point.y > error) axes.y.take(point.y - error);
        }
    }
    for (const PlotLine& line : plot.lines) (line.is_vertical ? axes.x : axes.y).take(line.at);
    const double margin = plot.lists_labels ? 0.06 : 0.04;  // with room for numbers
    axes.x.widen(margin);
    axes.y.widen(margin);
    if (plot.y_from_zero) axes.y.least = 0;
    return axes;
}

// ---- Labels in a list ---------------------------------------------------------------------------

constexpr double kFrameWidth = 530;   // area of the points, in pixels
constexpr double kFrameHeight = 360;  // the same
constexpr double kLineHeight = 15;
constexpr std::size_t kMostLines = 40;

std::vector<const PlotPoint*> labelled_points(const Plot& plot) {
    std::vector<const PlotPoint*> points;
    for (const Series& series : plot.series) {
        for (const PlotPoint& point : series.points) {
            if (has_label(point)) points.push_back(&point);
        }
    }
    return points;
}

/// The numbers of labels at a place of the picture.
struct Mark {
    double x;
    double y;
    std::vector<std::size_t> numbers;  // rising

    /// "3", "3-5,8".
    std::string text() const {
        std::string text;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const bool goes_on = i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1;
            const bool is_within = i > 0 && numbers[i] == numbers[i - 1] + 1;
            if (goes_on && is_within) continue;
            if (i > 0) text += is_within ? '-' : ',';
            text += std::to_string(numbers[i]);
        }
        return text;
    }
    /// Whether two texts would overlap.
    bool meets(const Mark& other, const Axes& axes) const {
        constexpr double kDigit = 7;
        const double width =
            kDigit * static_cast<double>(std::max(text().size(), other.text().size()) + 1);
        return kFrameWidth * std::abs(axes.x.share(x) - axes.x.share(other.x)) < width &&
               kFrameHeight * std::abs(axes.y.share(y) - axes.y.share(other.y)) < kLineHeight;
    }
};

/// The numbers of the labels; those that would overlap are merged.
std::vector<Mark> marks(const Plot& plot, const Axes& axes) {
    std::vector<Mark> all;
    std::size_t number = 0;
    for (const PlotPoint* point : labelled_points(plot)) {
        Mark mark{point->x, point->y, {++number}};
        const auto taken = std::find_if(all.begin(), all.end(),
                                        [&](const Mark& other) { return mark.meets(other, axes); });
        if (taken == all.end()) {
            all.push_back(std::move(mark));
        } else {
            taken->numbers.push_back(number);
        }
    }
    return all;
}

std::string marks_data(const Plot& plot) {
    std::string text;
    for (const Mark& mark : marks(plot, fitted_axes(plot))) {
        text += fmt::format("{},{},{}\n", mark.x, mark.y, csv_text(mark.text()));
    }
    return text;
}

std::vector<std::string> list_lines(const Plot& plot) {
    std::vector<std::string> lines;
    for (const PlotPoint* point : labelled_points(plot)) {
        lines.push_back(fmt::format("{}  {}", lines.size() + 1, point->label));
    }
    if (lines.size() > kMostLines) {
        const std::size_t more = lines.size() - kMostLines + 1;
        lines.resize(kMostLines - 1);
        lines.push_back(fmt::format("and {} more in the .csv next to it", more));
    }
    return lines;
}

/// The picture around a list.
struct ListLayout {
    double width = 0;
    double height = 0;
    double frame_left = 90;
    double frame_right = 90 + kFrameWidth;
};

ListLayout list_layout(const Plot& plot) {
    constexpr double kCharacter = 6.2;
    constexpr double kTitle = 40;
    ListLayout layout;
    std::size_t longest = 0;
    const std::vector<std::string> lines = list_lines(plot);
    for (const std::string& line : lines) longest = std::max(longest, line.size());
    layout.width = layout.frame_right + 30 + kCharacter * static_cast<double>(longest);
    layout.height = std::max(500.0, 2 * kTitle + kLineHeight * static_cast<double>(lines.size()));
    return layout;
}

/// A row per line: its height in the picture, from 0 at the bottom to 1, and its text.
std::string list_data(const Plot& plot) {
    const double line = kLineHeight / list_layout(plot).height;
    double y = 1 - 3 * line;
    std::string text;
    for (const std::string& what : list_lines(plot)) {
        text += fmt::format("{},{}\n", y, csv_text(what));
        y -= line;
    }
    return text;
}

/// Draws the list right of all that was drawn.
std::string list_script(const ListLayout& layout) {
    std::string text;
    for (const char* const what :
         {"title", "xlabel", "ylabel", "border", "tics", "grid", "key", "arrow", "logscale"}) {
        text += fmt::format("unset {}\n", what);
    }
    text += fmt::format("set lmargin at screen {}\n", (layout.frame_right + 15) / layout.width);
    text += "set rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0\n";
    text += "set xrange [0:1]\nset yrange [0:1]\n";
    text += fmt::format("plot {} using (0):1:2 with labels left font ',10' noenhanced\n",
                        quoted(kList));
    return text + "unset multiplot\n";
}

// ---- Series -------------------------------------------------------------------------------------

const char* style(const Series& series) {
    if (!series.is_measured) return "lines lw 1.5 dt 2";
    if (series.is_front) return "points pt 7 ps 0.8";
    if (series.is_hollow) return "points pt 6 ps 0.5 lw 1.5";
    return series.has_line ? "linespoints lw 1.5 pt 7 ps 0.5" : "points pt 7 ps 0.3";
}

/// The points of a series, in gnuplot's words: a row belongs to the series whose number it begins
/// with; elsewhere there is no point.
std::string rows(std::size_t s, const char* condition = "") {
    return fmt::format("{} using ($1 == {}{} ? $3 : 1/0):4", quoted(kData), s, condition);
}

/// The parts of the picture that show the points of a series, from the back to the front.
std::vector<std::string> series_parts(const Plot& plot, std::size_t s, const std::string& color) {
    const Series& series = plot.series[s];
    std::vector<std::string> parts;
    if (series.is_front && series.has_line) {
        parts.push_back(fmt::format("{} with steps lw 1.5 lc rgb '{}' notitle", rows(s), color));
    }
    parts.push_back(fmt::format("{} with {} lc rgb '{}' title {}", rows(s), style(series), color,
                                quoted(series.name)));
    if (any_point(series, is_unsure)) {  // with white inside, it stays a ring
        parts.push_back(fmt::format("{} with points pt 7 ps 0.35 lc rgb 'white' notitle",
                                    rows(s, " && $7 == 0")));
    }
    if (any_point(plot, has_label) && !plot.lists_labels) {
        parts.push_back(fmt::format(
            "{}:6 with labels left offset 0.7,0.5 font ',9' noenhanced notitle", rows(s)));
    }
    return parts;
}

std::string line_style(const std::string& color) {
    return fmt::format("dt 2 lw 1.2 lc rgb '{}'", color);
}

std::string plot_command(const Plot& plot) {
    const std::vector<std::string> color = colors(plot);
    std::vector<std::string> parts;
    // Bars are at the back: gnuplot surrounds their middles with white.
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        if (!any_point(plot.series[s], has_error)) continue;
        parts.push_back(
            fmt::format("{}:5 with yerrorbars pt 7 ps 0.5 lc rgb '{}' notitle", rows(s), color[s]));
    }
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const std::vector<std::string> of_series = series_parts(plot, s, color[s]);
        parts.insert(parts.end(), of_series.begin(), of_series.end());
    }
    if (plot.lists_labels) {
        parts.push_back(
            fmt::format("{} using 1:2:3 with labels {} offset {},{} font ',10' noenhanced notitle",
                        quoted(kMarks), plot.labels_right ? "left" : "right",
                        plot.labels_right ? 0.7 : -0.7, plot.labels_above ? 0.6 : -0.6));
    }
    if (any_point(plot, is_unsure)) {
        parts.push_back(fmt::format("keyentry with points pt 6 ps 0.5 lc rgb '{}' title {}", kGray,
                                    quoted(plot.hollow)));
    }
    for (const PlotLine& line : plot.lines) {
        if (line.name.empty()) continue;
        parts.push_back(fmt::format("keyentry with lines {} title {}",
                                    line_style(line.series ? color[*line.series] : kGray),
                                    quoted(line.name)));
    }
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "plot " : ", ") + part;
    return text + "\n";
}

std::string lines_script(const Plot& plot) {
    const std::vector<std::string> color = colors(plot);
    std::string text;
    for (const PlotLine& line : plot.lines) {
        const std::string style = line_style(line.series ? color[*line.series] : kGray);
        text +=
            line.is_vertical
                ? fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1", line.at)
                : fmt::format("set arrow from graph 0, first {0} to graph 1, first {0}", line.at);
        text += fmt::format(" nohead {}\n", style);
    }
    return text;
}

std::string script(const Plot& plot) {
    const ListLayout layout = plot.lists_labels ? list_layout(plot) : ListLayout{800, 500};
    std::string text = fmt::format(
        "set terminal svg size {:.0f},{:.0f} dynamic background rgb 'white' font "
        "',12'\n",
        layout.width, layout.height);
    text += fmt::format("set output {}\nset datafile separator ','\n", quoted(kPlotPicture));
    text +=
        fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                    quoted(plot.title), quoted(plot.x_label), quoted(plot.y_label));
    // Beside the points a long name would leave no room for them.
    const bool is_key_below = plot.fits_data && !plot.is_ordered;
    text += fmt::format("set key outside {} noenhanced\nset grid\n",
                        is_key_below ? "below horizontal height 1" : "right");
    text += "set format y '%g'\n";
    // Bars at both ends do not touch the frame.
    if (any_point(plot, has_error) && !plot.fits_data) {
        text += "set offsets graph 0.02, graph 0.02, 0, 0\n";
    }
    // Powers of two up to a thousand, then with a prefix: 64, 4 k, 1 M.
    if (plot.log_x) text += "set logscale x 2\nset format x '%.0b %B'\n";
    if (plot.decades_x) text += "set logscale x\nset format x '%g'\n";
    if (plot.log_y) text += "set logscale y\n";
    if (plot.fits_data) {
        const Axes axes = fitted_axes(plot);
        text += axes.x.range() + axes.y.range();
        if (!plot.log_x) text += axes.x.tics();
        text += axes.y.tics();
    }
    text += lines_script(plot);
    if (!plot.lists_labels) return text + plot_command(plot);
    text += fmt::format("set multiplot\nset lmargin at screen {}\nset rmargin at screen {}\n",
                        layout.frame_left / layout.width, layout.frame_right / layout.width);
    return text + plot_command(plot) + list_script(layout);
}

/// Empty if it has none: gnuplot leaves such a bar out.
std::string error_cell(const PlotPoint& point) {
    return point.error ? fmt::format("{}", *point.error) : "";
}

}  // namespace

std::string plot_data(const Plot& plot) {
    const bool has_unsure = any_point(plot, is_unsure);
    const bool more = has_unsure || any_point(plot, has_error) || any_point(plot, has_label);
    std::string text = "number,series,x,y";
    if (more) text += ",half_width,label";
    if (has_unsure) text += ",is_sure";
    text += '\n';
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (const PlotPoint& point : plot.series[s].points) {
            text += fmt::format("{},{},{},{}", s, csv_text(plot.series[s].name), point.x, point.y);
            if (more) text += ',' + error_cell(point) + ',' + csv_text(point.label);
            if (has_unsure) text += point.is_sure ? ",1" : ",0";
            text += '\n';
        }
    }
    return text;
}

std::vector<GnuplotFile> gnuplot_files(const Plot& plot) {
    std::vector<GnuplotFile> files{{kPlotScript, script(plot)}, {kData, plot_data(plot)}};
    if (plot.lists_labels) {
        files.push_back({kMarks, marks_data(plot)});
        files.push_back({kList, list_data(plot)});
    }
    return files;
}

}  // namespace flitscope
