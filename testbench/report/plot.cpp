// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/plot.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "models/base/diagnostics.h"
#include "models/base/file_text.h"
#include "models/base/input_file.h"
#include "models/base/output_file.h"
#include "testbench/report/report_lines.h"
#include "testbench/study/crew.h"
#include "testbench/synth/tool_process.h"
#include "testbench/synth/toolchain.h"
#include "testbench/synth/work_folder.h"

namespace flitscope {
namespace {

constexpr const char* kColors[] = {"#1b6ca8", "#d95f02", "#2a9d4a", "#c2257a",
                                   "#7a4fbf", "#8a6d1f", "#444444", "#00a0a0"};

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

// Names in the folder where gnuplot works: no name of the user is among them.
constexpr const char* kScript = "plot.gp";
constexpr const char* kData = "plot.csv";
constexpr const char* kPicture = "plot.svg";

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
bool any_point(const Plot& plot, Has has) {
    return std::any_of(plot.series.begin(), plot.series.end(), [&](const Series& series) {
        return std::any_of(series.points.begin(), series.points.end(), has);
    });
}

bool has_errors(const Plot& plot) {
    return any_point(plot, [](const PlotPoint& point) { return point.error > 0; });
}

bool has_labels(const Plot& plot) {
    return any_point(plot, [](const PlotPoint& point) { return !point.label.empty(); });
}

const char* style(const Series& series) {
    if (!series.is_measured) return "lines lw 1.5 dt 2";
    return series.has_line ? "linespoints lw 1.5 pt 7 ps 0.5" : "points pt 7 ps 0.3";
}

std::string script(const Plot& plot) {
    std::string text = "set terminal svg size 800,500 dynamic background rgb 'white' font ',12'\n";
    text += fmt::format("set output {}\nset datafile separator ','\n", quoted(kPicture));
    text +=
        fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                    quoted(plot.title), quoted(plot.x_label), quoted(plot.y_label));
    text += "set key outside right noenhanced\nset grid\n";
    text += "set format y '%g'\n";
    // Bars at both ends stand free of the frame.
    if (has_errors(plot)) text += "set offsets graph 0.02, graph 0.02, 0, 0\n";
    // Powers of two up to a thousand, then with a prefix: 64, 4 k, 1 M.
    if (plot.log_x) text += "set logscale x 2\nset format x '%.0b %B'\n";
    if (plot.decades_x) text += "set logscale x\nset format x '%g'\n";
    if (plot.log_y) text += "set logscale y\n";
    text += "plot ";
    std::size_t measured = 0;
    std::size_t predicted = 0;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const Series& series = plot.series[s];
        // The k-th prediction has the colour of the k-th measurement, to which it mostly belongs.
        const std::size_t number = series.is_measured ? measured++ : predicted++;
        const std::string color = plot.is_ordered ? shade(number, plot.series.size())
                                                  : kColors[number % std::size(kColors)];
        // A row belongs to the series whose number it begins with; elsewhere there is no point.
        const std::string rows = fmt::format("{} using ($1 == {} ? $3 : 1/0):4", quoted(kData), s);
        text += fmt::format("{}{} with {} lc rgb '{}' title {}", s == 0 ? "" : ", ", rows,
                            style(series), color, quoted(series.name));
        if (has_errors(plot)) {
            text +=
                fmt::format(", {}:5 with yerrorbars pt 7 ps 0.5 lc rgb '{}' notitle", rows, color);
        }
        if (has_labels(plot)) {
            text += fmt::format(
                ", {}:6 with labels left offset 0.7,0.5 font ',9' noenhanced "
                "notitle",
                rows);
        }
    }
    return text + "\n";
}

void write_data(std::ostream& data, const Plot& plot) {
    const bool more = has_errors(plot) || has_labels(plot);
    data << "number,series,x,y" << (more ? ",half_width,label" : "") << '\n';
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (const PlotPoint& point : plot.series[s].points) {
            fmt::print(data, "{},{},{},{}", s, csv_text(plot.series[s].name), point.x, point.y);
            if (more) fmt::print(data, ",{},{}", point.error, csv_text(point.label));
            data << '\n';
        }
    }
}

/// Checks a file whose name was not typed by the user: a link may lead anywhere, and a pipe would
/// never be read.
void require_beside(const std::string& file, const Location& where) {
    require_writable(file, where);
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::symlink_status(file, unknown);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw ConfigError(where, file + ", which belongs to it, is not a regular file",
                          "choose another name");
    }
}

}  // namespace

Plot plot_at(const std::string& path, const std::vector<std::string>& suffixes) {
    const std::filesystem::path file(path);
    const Location where{"--plot " + path, 0, 0};
    if (file.extension() != ".svg") {
        throw ConfigError(where, "not a known kind of picture", "name it .svg");
    }
    require_writable(path, where);
    const std::string base = std::filesystem::path(path).replace_extension().string();
    require_beside(base + ".csv", where);
    for (const std::string& suffix : suffixes) {
        for (const char* const ending : {".svg", ".csv"}) {
            require_beside(base + suffix + ending, where);
        }
    }
    Plot plot;
    plot.name = file.stem().string();
    return plot;
}

std::string plot_folder(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

bool can_draw() { return !find_program("gnuplot").empty(); }

DrawnPlot drawn(const Plot& plot) {
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    const WorkFolder work;
    std::ostringstream data;
    write_data(data, plot);
    work.write(kData, data.str());
    work.write(kScript, script(plot));
    if (!run_tool({{"gnuplot", kScript}, work.path(), "log", {}}, [] { return true; })) {
        throw study::Cancelled{};
    }
    return {data.str(), read_file(work.file(kPicture))};
}

void draw(const std::string& folder, const Plot& plot) {
    const DrawnPlot files = drawn(plot);
    const std::string base = folder + "/" + plot.name;
    write_whole_file(base + ".csv", [&](std::ostream& out) { out << files.data; });
    write_whole_file(base + ".svg", [&](std::ostream& out) { out << files.picture; });
}

}  // namespace flitscope
