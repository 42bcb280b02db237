// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>
#include <utility>

#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/report/report_lines.h"

namespace flitscope {
namespace {

using study::LoadPoint;
using study::Saturation;

Json point_json(const LoadPoint& point) {
    Json json;
    json["rate"] = point.rate;
    json["status"] = point.status;
    if (!point.is_measured()) {
        json["problem"] = point.problem;
        return json;
    }
    json["generated"] = point.generated;
    json["accepted"] = point.accepted;
    json["latency"] = {{"mean", point.mean_latency},
                       {"half_width", point.half_width > 0 ? Json(point.half_width) : Json()},
                       {"p50", point.median},
                       {"p95", point.percentile_95},
                       {"p99", point.percentile_99}};
    json["warmup_cycles"] = point.warmup_cycles;
    json["measured_cycles"] = point.measured_cycles;
    return json;
}

Json points_json(const std::vector<LoadPoint>& points) {
    Json json = Json::array();
    for (const LoadPoint& point : points) json.push_back(point_json(point));
    return json;
}

Json head_json(const Machine& machine) {
    return {{"version", version()},
            {"topology", machine.graph.description()},
            {"routing", machine.routing->name()},
            {"pattern", machine.traffic_name()},
            {"message_bytes", machine.config.traffic.message_bytes},
            {"generating_nodes", machine.pattern->pattern.senders()},
            {"seed", machine.config.seed}};
}

void print_head(std::ostream& out, const Machine& machine, const char* what) {
    const SteadyConfig& goal = *machine.config.steady;
    fmt::print(out, "{}: {}\n", machine.traffic_name(), what);
    print_network(out, machine);
    print_line(out, "traffic",
               fmt::format("{} in messages of {} bytes", machine.traffic_name(),
                           grouped(machine.config.traffic.message_bytes)));
    print_line(
        out, "runs",
        fmt::format("until the mean latency is sure to {} % with {} % confidence, at most {} "
                    "cycles each",
                    100 * goal.half_width, 100 * goal.confidence, grouped(goal.max_cycles)));
    print_line(out, "loads",
               fmt::format("flits per cycle and node, of the {} nodes that generate, headers "
                           "included",
                           machine.pattern->pattern.senders()));
}

void print_points(std::ostream& out, const std::vector<LoadPoint>& points) {
    fmt::print(out, "\n  {:>8}  {:>9}  {:>8}  {:>9}  {:>8}  {:>7}  {:>7}  {:>7}  {:<10}  {:>10}\n",
               "rate", "generated", "accepted", "latency", "+-", "median", "95 %", "99 %", "status",
               "cycles");
    for (const LoadPoint& point : points) {
        if (!point.is_measured()) {
            fmt::print(out, "  {:>8.4f}  {}: {}\n", point.rate, point.status, point.problem);
            continue;
        }
        fmt::print(out,
                   "  {:>8.4f}  {:>9.4f}  {:>8.4f}  {:>9.2f}  {:>8}  {:>7}  {:>7}  {:>7}  {:<10}  "
                   "{:>10}\n",
                   point.rate, point.generated, point.accepted, point.mean_latency,
                   point.half_width > 0 ? fmt::format("{:.2f}", point.half_width) : "-",
                   grouped(point.median), grouped(point.percentile_95),
                   grouped(point.percentile_99), point.status, grouped(point.measured_cycles));
    }
}

}  // namespace

Json curve_json(const Machine& machine, const std::vector<LoadPoint>& points) {
    Json json = head_json(machine);
    json["points"] = points_json(points);
    return json;
}

void print_curve(std::ostream& out, const Machine& machine, const std::vector<LoadPoint>& points) {
    print_head(out, machine, "latency by load");
    print_points(out, points);
}

void draw_curve(const std::string& path, const Machine& machine,
                const std::vector<LoadPoint>& points) {
    Plot plot = plot_at(path);
    plot.title = fmt::format("{} on {}", machine.traffic_name(), machine.graph.description());
    plot.x_label = "load offered [flits/node/cycle]";
    plot.y_label = "latency [cycles]";
    Series mean{"mean", {}};
    Series median{"median", {}};
    Series high{"95 %", {}};
    for (const LoadPoint& point : points) {
        // What has no steady state has no latency.
        if (!point.is_measured() || point.half_width <= 0) continue;
        mean.points.emplace_back(point.rate, point.mean_latency, point.half_width);
        median.points.emplace_back(point.rate, static_cast<double>(point.median));
        high.points.emplace_back(point.rate, static_cast<double>(point.percentile_95));
    }
    plot.series = {std::move(mean), std::move(median), std::move(high)};
    draw(plot_folder(path), plot);
}

void write_curve_csv(std::ostream& out, const std::vector<LoadPoint>& points) {
    out << "rate,status,generated,accepted,mean_latency,half_width,p50,p95,p99,warmup_cycles,"
           "measured_cycles\n";
    for (const LoadPoint& point : points) {
        fmt::print(out, "{},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{}\n", point.rate,
                   point.status, point.generated, point.accepted, point.mean_latency,
                   point.half_width, point.median, point.percentile_95, point.percentile_99,
                   point.warmup_cycles, point.measured_cycles);
    }
}

Json saturation_json(const Machine& machine, const Saturation& found) {
    Json json = head_json(machine);
    json["saturation"] = {{"lower", found.lower}, {"upper", found.upper}};
    json["zero_load_latency"] = found.zero_load_latency;
    json["rate_at_3x_zero_load"] =
        found.rate_at_3x_zero_load ? Json(*found.rate_at_3x_zero_load) : Json();
    json["plateau_accepted"] = found.plateau_accepted;
    json["runs"] = points_json(found.runs);
    return json;
}

void print_saturation(std::ostream& out, const Machine& machine, const Saturation& found) {
    print_head(out, machine, "saturation");
    const bool is_reached = found.lower < found.upper;
    print_line(out, "saturation",
               is_reached
                   ? fmt::format("between {:.4f}, where the backlog was not found to grow, and "
                                 "{:.4f}, above which it grows",
                                 found.lower, found.upper)
                   : fmt::format("none up to {}, where sources offer no more", found.upper));
    print_line(out, "zero load",
               fmt::format("{:.2f} cycles mean latency", found.zero_load_latency));
    print_line(out, "three times that",
               found.rate_at_3x_zero_load ? fmt::format("at {:.4f}", *found.rate_at_3x_zero_load)
                                          : "never");
    print_line(out, "plateau",
               fmt::format("{:.4f} accepted at the highest load", found.plateau_accepted));
    print_points(out, found.runs);
}

}  // namespace flitscope
