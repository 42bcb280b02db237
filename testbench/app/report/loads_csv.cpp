// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns at several loads as tables for programs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "testbench/app/report/load_curve.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/loads.h"
#include "traffic/patterns/load_units.h"

namespace flitscope {
namespace {

using study::Figure;
using study::HopClass;
using study::LatencyFigures;
using study::LoadPoint;

/// Empty cells of a load that could not be measured.
constexpr std::size_t kLatencyCells = 5;
constexpr std::size_t kWidthCells = 3;
constexpr std::size_t kFigureCells = 8;  // all of a LatencyFigures

void write_empty_cells(std::ostream& out, std::size_t count) { out << std::string(count, ','); }

/// Empty if it is not known; 0 if means or percentiles are known to within 0 cycles.
std::string half_width_csv(const Figure& figure) {
    return figure.half_width ? fmt::format("{:.6g}", *figure.half_width) : "";
}

void write_figures(std::ostream& out, const std::optional<LatencyFigures>& figures) {
    if (!figures) {
        write_empty_cells(out, kFigureCells);
        return;
    }
    out << fmt::format(",{:.6g},{},{:.10g},{:.10g},{:.10g},{},{},{}", figures->mean.value,
                       half_width_csv(figures->mean), figures->median.value,
                       figures->percentile_95.value, figures->percentile_99.value,
                       half_width_csv(figures->median), half_width_csv(figures->percentile_95),
                       half_width_csv(figures->percentile_99));
}

/// The columns that write_figures() fills.
std::string figure_heads(const char* what) {
    return fmt::format(
        ",mean_{0},{0}_half_width,p50_{0},p95_{0},p99_{0},p50_{0}_half_width,p95_{0}_half_width,"
        "p99_{0}_half_width",
        what);
}

/// The last columns: the payload of a load, and of what was accepted.
void write_payload_cells(std::ostream& out, const LoadPoint& point, const LoadUnits& units) {
    out << fmt::format(
        ",{:.6g},{}\n", units.gbps(point.rate),
        point.is_measured() ? fmt::format("{:.6g}", units.gbps(point.accepted)) : "");
}

/// `replies`: whether there are columns for round trips.
void write_point(std::ostream& out, const LoadPoint& point, bool replies, const LoadUnits& units) {
    out << fmt::format("{},{},", point.rate, name_of(point.status));
    if (!point.is_measured()) {
        constexpr std::size_t kOthers = 3;  // `accepted` and two columns of cycles
        write_empty_cells(out, kLatencyCells + kOthers);
        out << ',' << point.replications;
        write_empty_cells(out, kWidthCells + (replies ? 2 : 1) * kFigureCells);
        write_payload_cells(out, point, units);
        return;
    }
    out << fmt::format("{:.6g},{:.6g}", point.offered, point.accepted);
    if (const auto& latency = point.latency) {
        out << fmt::format(",{:.6g},{},{:.10g},{:.10g},{:.10g}", latency->mean.value,
                           half_width_csv(latency->mean), latency->median.value,
                           latency->percentile_95.value, latency->percentile_99.value);
    } else {
        write_empty_cells(out, kLatencyCells);
    }
    out << fmt::format(",{},{},{}", point.warmup_cycles, point.measured_cycles, point.replications);
    const LatencyFigures none;  // without widths
    const LatencyFigures& latency = point.latency ? *point.latency : none;
    for (const Figure& figure : {latency.median, latency.percentile_95, latency.percentile_99}) {
        out << ',' << half_width_csv(figure);
    }
    write_figures(out, point.network_latency);
    if (replies) write_figures(out, point.round_trip);
    write_payload_cells(out, point, units);
}

/// The first column, for several configurations.
std::string config_head(const std::vector<LoadCurve>& curves) {
    return curves.size() > 1 ? "config," : "";
}

std::string config_cell(const std::vector<LoadCurve>& curves, const LoadCurve& curve) {
    return curves.size() > 1 ? csv_text(curve.name) + ',' : "";
}

}  // namespace

void write_curves_csv(std::ostream& out, const std::vector<LoadCurve>& curves) {
    out << config_head(curves)
        << "rate,status,offered,accepted,mean_latency,half_width,p50,p95,p99,warmup_cycles,"
           "measured_cycles,replications,p50_half_width,p95_half_width,p99_half_width"
        << figure_heads("network_latency");
    const bool replies = std::any_of(curves.begin(), curves.end(), [](const LoadCurve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [](const LoadPoint& point) { return point.round_trip.has_value(); });
    });
    if (replies) out << figure_heads("round_trip");
    out << ",rate_gbps,accepted_gbps\n";
    for (const LoadCurve& curve : curves) {
        const LoadUnits units(curve.machine.config);
        for (const LoadPoint& point : curve.points) {
            out << config_cell(curves, curve);
            write_point(out, point, replies, units);
        }
    }
}

void write_hops_csv(std::ostream& out, const std::vector<LoadCurve>& curves) {
    out << config_head(curves)
        << "rate,status,replications,hops,messages,mean_latency,half_width,p50,p95,p99,"
           "p50_half_width,p95_half_width,p99_half_width\n";
    for (const LoadCurve& curve : curves) {
        for (const LoadPoint& point : curve.points) {
            for (const HopClass& c : point.by_hops) {
                const LatencyFigures& latency = c.latency;
                out << fmt::format(
                    "{}{},{},{},{},{},{:.6g},{},{:.10g},{:.10g},{:.10g},{},{},{}\n",
                    config_cell(curves, curve), point.rate, name_of(point.status),
                    point.replications, c.hops, c.messages, latency.mean.value,
                    half_width_csv(latency.mean), latency.median.value, latency.percentile_95.value,
                    latency.percentile_99.value, half_width_csv(latency.median),
                    half_width_csv(latency.percentile_95), half_width_csv(latency.percentile_99));
            }
        }
    }
}

}  // namespace flitscope
