// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns at several loads as pictures: the rise of latency, and its end.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/base/printable.h"
#include "models/base/rounded.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/measure/statistics/estimates.h"
#include "testbench/app/report/load_curve.h"
#include "testbench/app/report/plot.h"
#include "testbench/app/report/report.h"
#include "testbench/app/study/appraisal.h"
#include "testbench/app/study/loads.h"
#include "traffic/patterns/load_units.h"
#include "traffic/patterns/pattern.h"

namespace flitscope {
namespace {

using study::Figure;
using study::HopClass;
using study::LatencyFigures;
using study::LoadPoint;

/// Whether a load has a latency to draw. An unstable load has none, whatever was measured; if
/// stability is unknown, it is the measured mean.
bool has_drawn_latency(const LoadPoint& point) {
    return point.is_measured() && !point.is_unstable() && point.latency;
}

std::vector<LoadPoint> drawn_points(const LoadCurve& curve) {
    std::vector<LoadPoint> points;
    std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(points),
                 has_drawn_latency);
    return points;
}

/// The loads that are left out, by status, in order.
std::map<std::string, std::vector<double>> loads_left_out(const std::vector<LoadPoint>& points) {
    std::map<std::string, std::vector<double>> loads;
    for (const LoadPoint& point : points) {
        if (!has_drawn_latency(point)) loads[name_of(point.status)].push_back(point.rate);
    }
    return loads;
}

/// Text to put after a title: ", loads left out: 2 unstable"; empty if all are drawn.
std::string left_out_title(const std::vector<LoadPoint>& points) {
    std::string text;
    for (const auto& [status, loads] : loads_left_out(points)) {
        text += fmt::format("{}{} {}", text.empty() ? ", loads left out: " : ", ", loads.size(),
                            status);
    }
    return text;
}

/// A load in the unit that the loads of the curve were given in: without the last bits, as it was
/// given.
double in_unit(const LoadCurve& curve, double rate) {
    if (!curve.unit) return rate;
    const LoadUnits units(curve.machine.config);
    switch (*curve.unit) {
        case LoadUnit::kGbps:
            return rounded(units.gbps(rate));
        case LoadUnit::kPerNs:
            return rounded(units.messages_per_ns(rate));
    }
    return rate;
}

std::string unit_text(const LoadCurve& curve) {
    if (!curve.unit) return "flits/node/cycle";
    return *curve.unit == LoadUnit::kGbps ? "Gbit/s of payload/node" : "messages/node/ns";
}

PlotPoint plot_point(const LoadCurve& curve, const LoadPoint& point, const Figure& figure) {
    PlotPoint drawn(in_unit(curve, point.rate), figure.value, figure.half_width);
    drawn.is_sure = point.is_stable();
    return drawn;
}

/// The end of a curve: the lowest load that was found too high. Nothing if none was.
std::optional<PlotLine> knee(const LoadCurve& curve) {
    const auto first = std::find_if(curve.points.begin(), curve.points.end(),
                                    [](const LoadPoint& point) { return point.is_unstable(); });
    if (first == curve.points.end()) return std::nullopt;
    PlotLine line;
    line.at = in_unit(curve, first->rate);
    line.is_vertical = true;
    line.name = fmt::format("unstable at {:.4g}", line.at);
    return line;
}

/// A name that leaves room for the picture.
std::string shown_name(const LoadCurve& curve) { return excerpt(curve.name); }

Plot plot_of(const std::string& path, const char* suffix, const std::string& title,
             const LoadCurve& curve) {
    Plot plot = plot_at(path);
    plot.name += suffix;
    plot.title = title;
    plot.x_label = fmt::format("load offered [{}]", unit_text(curve));
    plot.y_label = "latency [cycles]";
    plot.fits_data = plot.y_from_zero = true;
    plot.hollow = "ended by max_cycles, not converged";
    return plot;
}

/// For one curve: its traffic and its network. For several: what they have in common.
std::string title_of(const std::vector<LoadCurve>& curves) {
    const Machine& first = curves.front().machine;
    if (curves.size() == 1) {
        return fmt::format("{} on {}", first.traffic_name(), first.graph.description());
    }
    const bool is_common = std::all_of(curves.begin(), curves.end(), [&](const LoadCurve& curve) {
        return curve.machine.traffic_name() == first.traffic_name();
    });
    return is_common ? first.traffic_name() : fmt::format("{} configurations", curves.size());
}

void draw_latency(Plot plot, const std::string& path, const LoadCurve& curve) {
    const std::pair<const char*, Figure LatencyFigures::*> lines[] = {
        {"mean", &LatencyFigures::mean},
        {"median", &LatencyFigures::median},
        {"95 %", &LatencyFigures::percentile_95},
        {"99 %", &LatencyFigures::percentile_99}};
    const std::vector<LoadPoint> points = drawn_points(curve);
    for (const auto& [name, figure] : lines) {
        Series& series = plot.series.emplace_back(Series{name, {}});
        for (const LoadPoint& point : points) {
            series.points.push_back(plot_point(curve, point, (*point.latency).*figure));
        }
    }
    if (const auto line = knee(curve)) plot.lines.push_back(*line);
    if (const auto idle = study::zero_load_latency(curve.machine)) {
        plot.lines.push_back({*idle, false, fmt::format("zero load: mean {:.4g}", *idle), {}});
    }
    draw(plot_folder(path), plot);
}

/// A line per configuration.
void draw_means(Plot plot, const std::string& path, const std::vector<LoadCurve>& curves) {
    plot.y_label = "mean latency [cycles]";
    for (const LoadCurve& curve : curves) {
        if (auto line = knee(curve)) {
            line->name = fmt::format("{}: {}", shown_name(curve), line->name);
            line->series = plot.series.size();
            plot.lines.push_back(*line);
        }
        Series& series = plot.series.emplace_back(Series{shown_name(curve), {}});
        for (const LoadPoint& point : drawn_points(curve)) {
            series.points.push_back(plot_point(curve, point, point.latency->mean));
        }
    }
    draw(plot_folder(path), plot);
}

/// The average load offered by a node that sends, as a share of the load: some offer less than
/// that, and messages to dead nodes are dropped. Accepted loads are means, too.
double mean_share(const LoadCurve& curve) {
    const Pattern& pattern = curve.machine.pattern->pattern;
    return pattern.offered() / pattern.senders();
}

/// If several curves do not offer alike, each has a line.
std::string offered_name(const LoadCurve& curve, bool is_common) {
    const char* const name = mean_share(curve) == 1 ? "offered" : "offered on average";
    return is_common ? name : fmt::format("{}: {}", shown_name(curve), name);
}

/// Beside what would be accepted if all were.
void draw_accepted(Plot plot, const std::string& path, const std::vector<LoadCurve>& curves) {
    plot.y_label = fmt::format("accepted [{}]", unit_text(curves.front()));
    const bool is_common = std::all_of(curves.begin(), curves.end(), [&](const LoadCurve& curve) {
        return mean_share(curve) == mean_share(curves.front());
    });
    std::vector<std::map<double, double>> offered(is_common ? 1 : curves.size());  // by load
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const LoadCurve& curve = curves[i];
        Series accepted{curves.size() == 1 ? "accepted" : shown_name(curve), {}};
        for (const LoadPoint& point : curve.points) {
            if (!point.is_measured()) continue;
            const double load = in_unit(curve, point.rate);
            accepted.points.emplace_back(load, in_unit(curve, point.accepted));
            // Not what was generated, which varies by chance.
            offered[is_common ? 0 : i][load] = load * mean_share(curve);
        }
        plot.series.push_back(std::move(accepted));
    }
    for (std::size_t i = 0; i < offered.size(); ++i) {
        Series& line = plot.series.emplace_back(Series{offered_name(curves[i], is_common), {}});
        line.is_measured = false;
        for (const auto& [rate, mean] : offered[i]) line.points.emplace_back(rate, mean);
    }
    draw(plot_folder(path), plot);
}

void draw_classes(Plot plot, const std::string& path, const LoadCurve& curve) {
    plot.is_ordered = true;
    plot.y_label = "mean latency [cycles]";
    std::map<std::uint32_t, Series> lines;
    for (const LoadPoint& point : drawn_points(curve)) {
        for (const HopClass& c : point.by_hops) {
            Series& line = lines[c.hops];
            line.name = fmt::format("{} hop{}", c.hops, c.hops == 1 ? "" : "s");
            line.points.push_back(plot_point(curve, point, c.latency.mean));
        }
    }
    // From the top, as they are drawn.
    for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
        plot.series.push_back(std::move(it->second));
    }
    if (const auto line = knee(curve)) plot.lines.push_back(*line);
    draw(plot_folder(path), plot);
}

}  // namespace

void draw_curves(const std::string& path, const std::vector<LoadCurve>& curves) {
    const auto has_any = [&curves](auto is_so) {
        return std::any_of(curves.begin(), curves.end(), [&](const LoadCurve& curve) {
            return std::any_of(curve.points.begin(), curve.points.end(), is_so);
        });
    };
    if (!has_any([](const LoadPoint& point) { return point.is_measured(); })) {
        throw std::runtime_error("no load could be measured, so there is nothing to draw");
    }
    const std::string title = title_of(curves);
    const LoadCurve& curve = curves.front();
    draw_accepted(plot_of(path, "_accepted", title, curve), path, curves);
    if (!has_any(has_drawn_latency)) {
        throw std::runtime_error("no load is stable, so there is no latency to draw: ask for less");
    }
    if (curves.size() > 1) {
        draw_means(plot_of(path, "", title, curve), path, curves);
        return;
    }
    const std::string without = title + left_out_title(curve.points);
    draw_latency(plot_of(path, "", without, curve), path, curve);
    if (!drawn_points(curve).front().by_hops.empty()) {
        draw_classes(plot_of(path, "_by_hops", without, curve), path, curve);
    }
}

std::string left_out_text(const std::vector<LoadPoint>& points) {
    std::string text;
    for (const auto& [status, loads] : loads_left_out(points)) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", fmt::join(loads, ", "), status);
    }
    return text;
}

}  // namespace flitscope
