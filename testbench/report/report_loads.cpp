// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/report/report_lines.h"

namespace flitscope {
namespace {

using study::Figure;
using study::HopClass;
using study::LatencyFigures;
using study::LoadPoint;
using study::Saturation;

Json half_width_json(const Figure& figure) {
    return figure.half_width ? Json(*figure.half_width) : Json();
}

/// A percentile in JSON; for one run it is a whole number of cycles.
Json percentile_json(const Figure& figure, unsigned replications) {
    return replications == 1 ? Json(static_cast<Cycle>(figure.value)) : Json(figure.value);
}

/// Null each where nothing was delivered, as of a run.
Json latency_json(const std::optional<LatencyFigures>& figures, unsigned replications) {
    if (!figures) {
        Json json;
        for (const char* const name : {"mean", "half_width", "p50", "p95", "p99", "p50_half_width",
                                       "p95_half_width", "p99_half_width"}) {
            json[name] = nullptr;
        }
        return json;
    }
    const LatencyFigures& latency = *figures;
    return {{"mean", latency.mean.value},
            {"half_width", half_width_json(latency.mean)},
            {"p50", percentile_json(latency.median, replications)},
            {"p95", percentile_json(latency.percentile_95, replications)},
            {"p99", percentile_json(latency.percentile_99, replications)},
            {"p50_half_width", half_width_json(latency.median)},
            {"p95_half_width", half_width_json(latency.percentile_95)},
            {"p99_half_width", half_width_json(latency.percentile_99)}};
}

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
    json["latency"] = latency_json(point.latency, point.replications);
    if (point.round_trip) {
        json["round_trip"] = latency_json(point.round_trip, point.replications);
    }
    for (const HopClass& c : point.by_hops) {
        Json of_class = {{"hops", c.hops}, {"messages", c.messages}};
        of_class.update(latency_json(c.latency, point.replications));
        json["by_hops"].push_back(std::move(of_class));
    }
    json["warmup_cycles"] = point.warmup_cycles;
    json["measured_cycles"] = point.measured_cycles;
    json["replications"] = point.replications;
    return json;
}

Json points_json(const std::vector<LoadPoint>& points) {
    Json json = Json::array();
    for (const LoadPoint& point : points) json.push_back(point_json(point));
    return json;
}

/// The bytes of all messages, or a map from lengths to weights.
Json lengths_json(const TrafficConfig& traffic) {
    if (traffic.message_lengths.empty()) return traffic.message_bytes;
    Json lengths = Json::object();
    for (const auto& [bytes, weight] : traffic.message_lengths) {
        lengths[std::to_string(bytes)] = weight;
    }
    return lengths;
}

Json head_json(const Machine& machine) {
    const TrafficConfig& traffic = machine.config.traffic;
    Json json = {{"version", version()},
                 {"topology", machine.graph.description()},
                 {"routing", machine.routing->name()},
                 {"pattern", machine.traffic_name()},
                 {"message_bytes", lengths_json(traffic)},
                 {"arrivals", name_of(traffic.arrivals)},
                 {"generating_nodes", machine.pattern->pattern.senders()},
                 {"seed", machine.config.seed}};
    if (traffic.reply_bytes) {
        json["reply_bytes"] = *traffic.reply_bytes;
        json["reply_delay"] = traffic.reply_delay;
    }
    return json;
}

void print_head(std::ostream& out, const Machine& machine, const char* what) {
    const SteadyConfig& goal = *machine.config.steady;
    fmt::print(out, "{}: {}\n", machine.traffic_name(), what);
    print_network(out, machine);
    print_line(
        out, "traffic",
        fmt::format("{} in messages of {}{}{}", machine.traffic_name(),
                    lengths_text(machine.config.traffic), replies_text(machine.config.traffic),
                    arrivals_text(machine.config.traffic)));
    print_line(
        out, "runs",
        fmt::format("until the mean latency is sure to {} with {} confidence, at most {} cycles "
                    "each",
                    percent(goal.half_width), percent(goal.confidence), grouped(goal.max_cycles)));
    print_line(out, "loads",
               fmt::format("flits per cycle and node, of the {} nodes that generate, headers "
                           "included",
                           machine.pattern->pattern.senders()));
}

/// Empty where it is not known: means and percentiles can be sure to 0 cycles.
std::string half_width_csv(const Figure& figure) {
    return figure.half_width ? fmt::format("{:.6g}", *figure.half_width) : "";
}

std::string half_width_text(const Figure& figure) {
    return figure.half_width ? fmt::format("{:.2f}", *figure.half_width) : "-";
}

/// A load in flits per cycle and node. Low ones are told apart by three digits, not by four places.
std::string rate_text(double rate) {
    constexpr double kLow = 0.001;
    return rate == 0 || rate >= kLow ? fmt::format("{:.4f}", rate) : fmt::format("{:.3g}", rate);
}

/// The percentiles in columns: whole cycles of one run, each with its interval of several.
std::string percentile_heads(unsigned replications) {
    std::string text;
    for (const char* const name : {"median", "95 %", "99 %"}) {
        text += fmt::format("  {:>7}", name);
        if (replications > 1) text += fmt::format("  {:>7}", "+-");
    }
    return text;
}

/// The percentiles as cells; dashes if nothing was delivered.
std::string percentile_cells(const std::optional<LatencyFigures>& figures, unsigned replications) {
    std::string text;
    if (!figures) {
        for (unsigned i = 0; i < (replications > 1 ? 6 : 3); ++i)
            text += fmt::format("  {:>7}", "-");
        return text;
    }
    const LatencyFigures& latency = *figures;
    for (const Figure& figure : {latency.median, latency.percentile_95, latency.percentile_99}) {
        text += replications > 1
                    ? fmt::format("  {:>7.1f}  {:>7}", figure.value, half_width_text(figure))
                    : fmt::format("  {:>7}", grouped(static_cast<Cycle>(figure.value)));
    }
    return text;
}

void print_points(std::ostream& out, const std::vector<LoadPoint>& points) {
    const unsigned replications = points.front().replications;
    fmt::print(out, "\n  {:>8}  {:>9}  {:>8}  {:>9}  {:>8}{}  {:<10}  {:>10}\n", "rate",
               "generated", "accepted", "latency", "+-", percentile_heads(replications), "status",
               "cycles");
    for (const LoadPoint& point : points) {
        if (!point.is_measured()) {
            fmt::print(out, "  {:>8}  {}: {}\n", rate_text(point.rate), point.status,
                       point.problem);
            continue;
        }
        const auto& latency = point.latency;
        fmt::print(out, "  {:>8}  {:>9}  {:>8}  {:>9}  {:>8}{}  {:<10}  {:>10}\n",
                   rate_text(point.rate), rate_text(point.generated), rate_text(point.accepted),
                   latency ? fmt::format("{:.2f}", latency->mean.value) : "-",
                   latency ? half_width_text(latency->mean) : "-",
                   percentile_cells(point.latency, replications), point.status,
                   grouped(point.measured_cycles));
    }
}

bool has_round_trips(const std::vector<LoadPoint>& points) {
    return std::any_of(points.begin(), points.end(),
                       [](const LoadPoint& point) { return point.round_trip.has_value(); });
}

void print_round_trips(std::ostream& out, const std::vector<LoadPoint>& points) {
    if (!has_round_trips(points)) return;
    fmt::print(out,
               "\n  round trips, from the start of a request to the delivery of the reply to it\n"
               "  {:>8}  {:>10}  {:>8}{}\n",
               "rate", "round trip", "+-", percentile_heads(points.front().replications));
    for (const LoadPoint& point : points) {
        if (!point.round_trip) continue;
        fmt::print(out, "  {:>8}  {:>10.2f}  {:>8}{}\n", rate_text(point.rate),
                   point.round_trip->mean.value, half_width_text(point.round_trip->mean),
                   percentile_cells(point.round_trip, point.replications));
    }
}

void print_classes(std::ostream& out, const std::vector<LoadPoint>& points) {
    const unsigned replications = points.front().replications;
    for (const LoadPoint& point : points) {
        if (point.by_hops.empty()) continue;
        fmt::print(out,
                   "\n  at {}, by hops of a shortest path: {}\n  {:>8}  {:>9}  {:>9}  {:>8}{}\n",
                   rate_text(point.rate), point.status, "hops", "messages", "latency", "+-",
                   percentile_heads(replications));
        for (const HopClass& c : point.by_hops) {
            fmt::print(out, "  {:>8}  {:>9}  {:>9.2f}  {:>8}{}\n", c.hops, grouped(c.messages),
                       c.latency.mean.value, half_width_text(c.latency.mean),
                       percentile_cells(c.latency, replications));
        }
    }
}

Plot plot_of(const std::string& path, const char* suffix, const Machine& machine) {
    Plot plot = plot_at(path);
    plot.name += suffix;
    plot.title = fmt::format("{} on {}", machine.traffic_name(), machine.graph.description());
    plot.x_label = "load offered [flits/node/cycle]";
    plot.y_label = "latency [cycles]";
    return plot;
}

/// Empty cells of a load that could not be measured.
constexpr std::size_t kLatencyCells = 5;
constexpr std::size_t kWidthCells = 3;
constexpr std::size_t kRoundTripCells = 8;

void write_empty_cells(std::ostream& out, std::size_t count) { out << std::string(count, ','); }

void write_round_trip_cells(std::ostream& out, const LoadPoint& point) {
    if (!point.round_trip) {
        write_empty_cells(out, kRoundTripCells);
        return;
    }
    const LatencyFigures& trip = *point.round_trip;
    fmt::print(out, ",{:.6g},{},{:.10g},{:.10g},{:.10g},{},{},{}", trip.mean.value,
               half_width_csv(trip.mean), trip.median.value, trip.percentile_95.value,
               trip.percentile_99.value, half_width_csv(trip.median),
               half_width_csv(trip.percentile_95), half_width_csv(trip.percentile_99));
}

std::string bracket_text(const Saturation& found) {
    const std::string upper = rate_text(found.upper);
    if (found.lower >= found.upper) {
        return fmt::format("none up to {}, where sources offer no more", found.upper);
    }
    if (found.lower == 0) return fmt::format("below {}: the backlog grew at every load", upper);
    return fmt::format(
        "between {}, where the backlog was not found to grow, and {}, above which "
        "it grows",
        rate_text(found.lower), upper);
}

PlotPoint plot_point(double rate, const Figure& figure) {
    return {rate, figure.value, figure.half_width.value_or(0)};
}

/// Whether a load has a latency to draw; without a steady state it has none.
bool has_drawn_latency(const LoadPoint& point) { return point.is_stable() && point.latency; }

/// The loads that are left out, by status, in order.
std::map<std::string, std::vector<double>> loads_left_out(const std::vector<LoadPoint>& points) {
    std::map<std::string, std::vector<double>> loads;
    for (const LoadPoint& point : points) {
        if (!has_drawn_latency(point)) loads[point.status].push_back(point.rate);
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

void draw_latency(Plot plot, const std::string& path, const std::vector<LoadPoint>& points) {
    const std::pair<const char*, Figure LatencyFigures::*> lines[] = {
        {"mean", &LatencyFigures::mean},
        {"median", &LatencyFigures::median},
        {"95 %", &LatencyFigures::percentile_95},
        {"99 %", &LatencyFigures::percentile_99}};
    for (const auto& [name, figure] : lines) {
        Series& series = plot.series.emplace_back(Series{name, {}});
        for (const LoadPoint& point : points) {
            series.points.push_back(plot_point(point.rate, (*point.latency).*figure));
        }
    }
    draw(plot_folder(path), plot);
}

/// Beside what would be accepted if all were.
void draw_accepted(Plot plot, const std::string& path, const std::vector<LoadPoint>& points) {
    plot.y_label = "accepted [flits/node/cycle]";
    Series accepted{"accepted", {}};
    Series offered{"offered", {}};
    offered.is_measured = false;
    for (const LoadPoint& point : points) {
        if (!point.is_measured()) continue;
        accepted.points.emplace_back(point.rate, point.accepted);
        offered.points.emplace_back(point.rate, point.rate);
    }
    plot.series = {std::move(accepted), std::move(offered)};
    draw(plot_folder(path), plot);
}

void draw_classes(Plot plot, const std::string& path, const std::vector<LoadPoint>& points) {
    plot.is_ordered = true;
    plot.y_label = "mean latency [cycles]";
    std::map<std::uint32_t, Series> lines;
    for (const LoadPoint& point : points) {
        for (const HopClass& c : point.by_hops) {
            Series& line = lines[c.hops];
            line.name = fmt::format("{} hop{}", c.hops, c.hops == 1 ? "" : "s");
            line.points.push_back(plot_point(point.rate, c.latency.mean));
        }
    }
    // From the top, as they are drawn.
    for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
        plot.series.push_back(std::move(it->second));
    }
    draw(plot_folder(path), plot);
}

}  // namespace

Json curve_json(const Machine& machine, const std::vector<LoadPoint>& points) {
    Json json = head_json(machine);
    Json& seeds = json["seeds"] = Json::array();
    for (unsigned r = 0; r < points.front().replications; ++r) {
        seeds.push_back(study::replication_seed(machine.config.seed, r));
    }
    json["points"] = points_json(points);
    return json;
}

void print_curve(std::ostream& out, const Machine& machine, const std::vector<LoadPoint>& points) {
    print_head(out, machine, "latency by load");
    if (points.front().replications > 1) {
        print_line(
            out, "replications",
            fmt::format("{} of each load, with seeds of their own: means over them, +- half "
                        "the width of their interval of {}; cycles of all together",
                        points.front().replications, percent(machine.config.steady->confidence)));
    }
    print_points(out, points);
    print_round_trips(out, points);
    print_classes(out, points);
}

void draw_curve(const std::string& path, const Machine& machine,
                const std::vector<LoadPoint>& points) {
    draw_accepted(plot_of(path, "_accepted", machine), path, points);
    std::vector<LoadPoint> stable;
    std::copy_if(points.begin(), points.end(), std::back_inserter(stable), has_drawn_latency);
    if (stable.empty()) {
        throw std::runtime_error("no load is stable, so there is no latency to draw: ask for less");
    }
    const auto plot_of_stable = [&](const char* suffix) {
        Plot plot = plot_of(path, suffix, machine);
        plot.title += left_out_title(points);
        return plot;
    };
    draw_latency(plot_of_stable(""), path, stable);
    if (!stable.front().by_hops.empty()) draw_classes(plot_of_stable("_by_hops"), path, stable);
}

std::string left_out_text(const std::vector<LoadPoint>& points) {
    std::string text;
    for (const auto& [status, loads] : loads_left_out(points)) {
        text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", fmt::join(loads, ", "), status);
    }
    return text;
}

void write_curve_csv(std::ostream& out, const std::vector<LoadPoint>& points) {
    out << "rate,status,generated,accepted,mean_latency,half_width,p50,p95,p99,warmup_cycles,"
           "measured_cycles,replications,p50_half_width,p95_half_width,p99_half_width";
    const bool replies = has_round_trips(points);
    if (replies) {
        out << ",mean_round_trip,round_trip_half_width,p50_round_trip,p95_round_trip,"
               "p99_round_trip,p50_round_trip_half_width,p95_round_trip_half_width,"
               "p99_round_trip_half_width";
    }
    out << '\n';
    for (const LoadPoint& point : points) {
        fmt::print(out, "{},{},", point.rate, point.status);
        if (!point.is_measured()) {
            constexpr std::size_t kOthers = 3;  // `accepted` and two columns of cycles
            write_empty_cells(out, kLatencyCells + kOthers);
            out << ',' << point.replications;
            write_empty_cells(out, kWidthCells + (replies ? kRoundTripCells : 0));
            out << '\n';
            continue;
        }
        fmt::print(out, "{:.6g},{:.6g}", point.generated, point.accepted);
        if (const auto& latency = point.latency) {
            fmt::print(out, ",{:.6g},{},{:.10g},{:.10g},{:.10g}", latency->mean.value,
                       half_width_csv(latency->mean), latency->median.value,
                       latency->percentile_95.value, latency->percentile_99.value);
        } else {
            write_empty_cells(out, kLatencyCells);
        }
        fmt::print(out, ",{},{},{}", point.warmup_cycles, point.measured_cycles,
                   point.replications);
        const LatencyFigures none;  // without widths
        const LatencyFigures& latency = point.latency ? *point.latency : none;
        for (const Figure& figure :
             {latency.median, latency.percentile_95, latency.percentile_99}) {
            out << ',' << half_width_csv(figure);
        }
        if (replies) write_round_trip_cells(out, point);
        out << '\n';
    }
}

void write_hops_csv(std::ostream& out, const std::vector<LoadPoint>& points) {
    out << "rate,status,replications,hops,messages,mean_latency,half_width,p50,p95,p99,"
           "p50_half_width,p95_half_width,p99_half_width\n";
    for (const LoadPoint& point : points) {
        for (const HopClass& c : point.by_hops) {
            const LatencyFigures& latency = c.latency;
            fmt::print(out, "{},{},{},{},{},{:.6g},{},{:.10g},{:.10g},{:.10g},{},{},{}\n",
                       point.rate, point.status, point.replications, c.hops, c.messages,
                       latency.mean.value, half_width_csv(latency.mean), latency.median.value,
                       latency.percentile_95.value, latency.percentile_99.value,
                       half_width_csv(latency.median), half_width_csv(latency.percentile_95),
                       half_width_csv(latency.percentile_99));
        }
    }
}

Json saturation_json(const Machine& machine, const Saturation& found) {
    Json json = head_json(machine);
    json["saturation"] = {{"lower", found.lower}, {"upper", found.upper}};
    json["zero_load_latency"] = found.zero_load_latency ? Json(*found.zero_load_latency) : Json();
    json["zero_load_method"] = !found.zero_load_latency   ? Json()
                               : found.zero_load_is_exact ? "mean of idle paths"
                                                          : "first run";
    const auto& at_3x = found.at_3x_zero_load;
    json["rate_at_3x_zero_load"] = at_3x ? Json(at_3x->middle()) : Json();
    json["bracket_at_3x_zero_load"] =
        at_3x ? Json{{"lower", at_3x->lower}, {"upper", at_3x->upper}} : Json();
    json["plateau_rate"] = found.plateau_rate;
    json["plateau_accepted"] = found.plateau_accepted;
    json["runs"] = points_json(found.runs);
    return json;
}

void print_saturation(std::ostream& out, const Machine& machine, const Saturation& found) {
    print_head(out, machine, "saturation");
    print_line(out, "saturation", bracket_text(found));
    const LoadPoint& first = found.runs.front();
    std::string zero_load;
    if (found.zero_load_latency) {
        zero_load = fmt::format("{:.2f} cycles mean latency", *found.zero_load_latency);
        if (!found.zero_load_is_exact) zero_load += " at " + rate_text(first.rate);
    } else {
        zero_load = fmt::format("not known: the run at {} {}", rate_text(first.rate),
                                first.is_unstable() ? "has no steady state" : "delivered nothing");
    }
    print_line(out, "zero load", zero_load);
    std::string three_times = "not known";
    if (const auto& at_3x = found.at_3x_zero_load; at_3x && at_3x->is_narrow()) {
        three_times = "at " + rate_text(at_3x->middle());
    } else if (at_3x) {
        three_times = fmt::format("between {} and {}, with no more runs to tell",
                                  rate_text(at_3x->lower), rate_text(at_3x->upper));
    } else if (found.zero_load_latency && found.lower == found.upper) {
        three_times = "never";
    }
    print_line(out, "three times that", three_times);
    print_line(out, "plateau",
               fmt::format("{} accepted at {}", rate_text(found.plateau_accepted),
                           rate_text(found.plateau_rate)));
    std::vector<LoadPoint> by_rate = found.runs;
    std::stable_sort(by_rate.begin(), by_rate.end(),
                     [](const LoadPoint& a, const LoadPoint& b) { return a.rate < b.rate; });
    print_points(out, by_rate);
}

}  // namespace flitscope
