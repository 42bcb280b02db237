// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

#include "models/base/digest.h"
#include "models/base/printable.h"
#include "models/base/rounded.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/report/load_curve.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/loads.h"
#include "testbench/app/study/saturation.h"
#include "traffic/patterns/load_units.h"

namespace flitscope {
namespace {

using study::Figure;
using study::HopClass;
using study::LatencyFigures;
using study::LoadBracket;
using study::LoadPoint;
using study::Saturation;

Json half_width_json(const Figure& figure) {
    return figure.half_width ? Json(*figure.half_width) : Json();
}

/// A percentile in JSON; for one run it is a whole number of cycles.
Json percentile_json(const Figure& figure, unsigned replications) {
    return replications == 1 ? Json(static_cast<Cycle>(figure.value)) : Json(figure.value);
}

/// Null each if nothing was delivered, as for a run.
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

/// Payload of a load, without the last bits: a load that was given in Gbit/s as it was given.
double gbps(const LoadUnits& units, double rate) { return rounded(units.gbps(rate)); }

Json point_json(const LoadPoint& point, const LoadUnits& units) {
    Json json;
    json["rate"] = point.rate;
    json["rate_gbps"] = gbps(units, point.rate);
    json["status"] = name_of(point.status);
    if (!point.is_measured()) {
        json["problem"] = point.problem;
        return json;
    }
    json["offered"] = point.offered;
    json["accepted"] = point.accepted;
    json["accepted_gbps"] = gbps(units, point.accepted);
    json["latency"] = latency_json(point.latency, point.replications);
    json["network_latency"] = latency_json(point.network_latency, point.replications);
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

Json points_json(const std::vector<LoadPoint>& points, const LoadUnits& units) {
    Json json = Json::array();
    for (const LoadPoint& point : points) json.push_back(point_json(point, units));
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

/// Of a network and its traffic at any load: the curve and the saturation of one have the same.
std::string network_digest(const Machine& machine) {
    Config config = study::at_rate(machine.config, 1);
    config.trace = {};
    config.steady.reset();  // how well it is measured
    return digest_of(to_yaml(config));
}

Json head_json(const Machine& machine) {
    const TrafficConfig& traffic = machine.config.traffic;
    Json json = {{"version", version()},
                 {"digest", network_digest(machine)},
                 {"topology", machine.graph.description()},
                 {"routing", machine.routing->name()},
                 {"pattern", machine.traffic_name()},
                 {"message_bytes", lengths_json(traffic)},
                 {"arrivals", name_of(traffic.arrivals)},
                 {"generating_nodes", machine.pattern->pattern.senders()},
                 {"clock_ns", machine.config.clock_ns},
                 {"payload_bits_per_flit", LoadUnits(machine.config).bits_per_flit()},
                 {"seed", machine.config.seed}};
    if (traffic.reply_bytes) {
        json["reply_bytes"] = *traffic.reply_bytes;
        json["reply_delay"] = traffic.reply_delay;
        if (traffic.outstanding != 0) json["outstanding"] = traffic.outstanding;
    }
    return json;
}

void print_head(std::ostream& out, const Machine& machine, const char* what) {
    const SteadyConfig& goal = *machine.config.steady;
    out << fmt::format("{}: {}\n", machine.traffic_name(), what);
    print_network(out, machine);
    print_line(
        out, "traffic",
        fmt::format("{} in messages of {}{}{}", machine.traffic_name(),
                    lengths_text(machine.config.traffic), replies_text(machine.config.traffic),
                    arrivals_text(machine.config.traffic)));
    print_line(
        out, "runs",
        fmt::format("until the mean latency is known within +-{} with {} confidence, at most {} "
                    "cycles each",
                    percent(goal.half_width), percent(goal.confidence), grouped(goal.max_cycles)));
    const TrafficConfig& given = machine.config.traffic;
    const TrafficConfig usual;
    if (given.warmup_cycles != usual.warmup_cycles ||
        given.measure_cycles != usual.measure_cycles) {
        print_line(out, "not used",
                   "traffic.warmup_cycles, traffic.measure_cycles: each run measures until it "
                   "knows enough (section steady)");
    }
    print_line(
        out, "loads",
        fmt::format("flits per cycle and generating node ({} nodes), headers included; one "
                    "is {} of payload",
                    machine.pattern->pattern.senders(), gbps_text(LoadUnits(machine.config), 1)));
}

std::string half_width_text(const Figure& figure) {
    return figure.half_width ? fmt::format("{:.2f}", *figure.half_width) : "-";
}

/// Both units of a load: "0.2000 (12.41 Gbit/s)".
std::string load_text(const LoadUnits& units, double rate) {
    return fmt::format("{} ({})", rate_text(rate), gbps_text(units, rate));
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

void print_points(std::ostream& out, const std::vector<LoadPoint>& points, const LoadUnits& units) {
    const unsigned replications = points.front().replications;
    out << fmt::format("\n  {:>8}  {:>7}  {:>9}  {:>8}  {:>9}  {:>8}{}  {:>8}  {:<13}  {:>10}\n",
                       "rate", "Gbit/s", "offered", "accepted", "latency", "+-",
                       percentile_heads(replications), "network", "status", "cycles");
    for (const LoadPoint& point : points) {
        if (!point.is_measured()) {
            out << fmt::format("  {:>8}  {:>7.4g}  {}: {}\n", rate_text(point.rate),
                               units.gbps(point.rate), name_of(point.status), point.problem);
            continue;
        }
        const auto& latency = point.latency;
        const auto& network = point.network_latency;
        out << fmt::format(
            "  {:>8}  {:>7.4g}  {:>9}  {:>8}  {:>9}  {:>8}{}  {:>8}  {:<13}  {:>10}\n",
            rate_text(point.rate), units.gbps(point.rate), rate_text(point.offered),
            rate_text(point.accepted), latency ? fmt::format("{:.2f}", latency->mean.value) : "-",
            latency ? half_width_text(latency->mean) : "-",
            percentile_cells(point.latency, replications),
            network ? fmt::format("{:.2f}", network->mean.value) : "-", name_of(point.status),
            grouped(point.measured_cycles));
    }
    out << "\n  offered, accepted: flits per cycle and node that sends\n"
           "  network: mean latency from the injection of the head\n";
}

bool has_round_trips(const std::vector<LoadPoint>& points) {
    return std::any_of(points.begin(), points.end(),
                       [](const LoadPoint& point) { return point.round_trip.has_value(); });
}

void print_round_trips(std::ostream& out, const std::vector<LoadPoint>& points) {
    if (!has_round_trips(points)) return;
    out << fmt::format(
        "\n  round trips, from the start of a request to the delivery of the reply to it\n"
        "  {:>8}  {:>10}  {:>8}{}\n",
        "rate", "round trip", "+-", percentile_heads(points.front().replications));
    for (const LoadPoint& point : points) {
        if (!point.round_trip) continue;
        out << fmt::format("  {:>8}  {:>10.2f}  {:>8}{}\n", rate_text(point.rate),
                           point.round_trip->mean.value, half_width_text(point.round_trip->mean),
                           percentile_cells(point.round_trip, point.replications));
    }
}

void print_classes(std::ostream& out, const std::vector<LoadPoint>& points) {
    const unsigned replications = points.front().replications;
    for (const LoadPoint& point : points) {
        if (point.by_hops.empty()) continue;
        out << fmt::format(
            "\n  at {}, by hops of a shortest path: {}\n  {:>8}  {:>9}  {:>9}  {:>8}{}\n",
            rate_text(point.rate), name_of(point.status), "hops", "messages", "latency", "+-",
            percentile_heads(replications));
        for (const HopClass& c : point.by_hops) {
            out << fmt::format("  {:>8}  {:>9}  {:>9.2f}  {:>8}{}\n", c.hops, grouped(c.messages),
                               c.latency.mean.value, half_width_text(c.latency.mean),
                               percentile_cells(c.latency, replications));
        }
    }
}

/// The load with the highest throughput of some loads, and the load above it with the least.
struct Collapse {
    const LoadPoint* peak;
    const LoadPoint* fallen;
};

/// Nothing where no load above the peak accepts less than nine tenths of it.
std::optional<Collapse> collapse_of(const std::vector<LoadPoint>& points) {
    constexpr double kFallen = 0.9;
    Collapse found{nullptr, nullptr};
    for (const LoadPoint& point : points) {
        if (!point.is_measured()) continue;
        if (found.peak == nullptr || point.accepted > found.peak->accepted) found.peak = &point;
    }
    for (const LoadPoint& point : points) {
        if (!point.is_measured() || point.rate <= found.peak->rate) continue;
        if (found.fallen == nullptr || point.accepted < found.fallen->accepted) {
            found.fallen = &point;
        }
    }
    if (found.fallen == nullptr || found.fallen->accepted >= kFallen * found.peak->accepted) {
        return std::nullopt;
    }
    return found;
}

void print_collapse(std::ostream& out, const std::vector<LoadPoint>& points) {
    const std::optional<Collapse> found = collapse_of(points);
    if (!found) return;
    out << fmt::format(
        "\n  collapse: offered more, the network accepts less: {} at {} falls to {} at {} "
        "(LOADS.md)\n",
        rate_text(found->peak->accepted), rate_text(found->peak->rate),
        rate_text(found->fallen->accepted), rate_text(found->fallen->rate));
}

Json collapse_json(const std::vector<LoadPoint>& points) {
    const std::optional<Collapse> found = collapse_of(points);
    if (!found) return nullptr;
    return {{"peak_rate", found->peak->rate},
            {"peak_accepted", found->peak->accepted},
            {"rate", found->fallen->rate},
            {"accepted", found->fallen->accepted}};
}

Json bracket_json(const LoadBracket& bracket) {
    return {{"lower", bracket.lower}, {"upper", bracket.upper}};
}

std::string saturation_text(const LoadBracket& load, const LoadUnits& units) {
    const std::string upper = load_text(units, load.upper);
    if (!load.is_open()) {
        return fmt::format("none up to {} ({}), the most that sources offer", load.upper,
                           gbps_text(units, load.upper));
    }
    if (load.lower == 0) return fmt::format("below {}: the backlog grew at every load", upper);
    return fmt::format(
        "between {}, at which the backlog was not found to grow, and {}, above which it grows",
        load_text(units, load.lower), upper);
}

Json curve_json(const LoadCurve& curve) {
    Json json = head_json(curve.machine);
    Json& seeds = json["seeds"] = Json::array();
    for (unsigned r = 0; r < curve.points.front().replications; ++r) {
        seeds.push_back(study::replication_seed(curve.machine.config.seed, r));
    }
    json["points"] = points_json(curve.points, LoadUnits(curve.machine.config));
    json["collapse"] = collapse_json(curve.points);
    return json;
}

}  // namespace

Json curves_json(const std::vector<LoadCurve>& curves) {
    if (curves.size() == 1) return curve_json(curves.front());
    Json list = Json::array();
    for (const LoadCurve& curve : curves) {
        Json json = {{"config", curve.name}};
        json.update(curve_json(curve));
        list.push_back(std::move(json));
    }
    return {{"version", version()}, {"curves", std::move(list)}};
}

void print_curves(std::ostream& out, const std::vector<LoadCurve>& curves) {
    for (const LoadCurve& curve : curves) {
        if (&curve != &curves.front()) out << '\n';
        if (curves.size() > 1) out << fmt::format("{}: ", printable(curve.name));
        print_head(out, curve.machine, "latency by load");
        if (const unsigned replications = curve.points.front().replications; replications > 1) {
            print_line(out, "replications",
                       fmt::format("{} per load, each with its own seed: means over them, +- the "
                                   "half width of their {} interval; total cycles",
                                   replications, percent(curve.machine.config.steady->confidence)));
        }
        print_points(out, curve.points, LoadUnits(curve.machine.config));
        print_collapse(out, curve.points);
        print_round_trips(out, curve.points);
        print_classes(out, curve.points);
    }
}

Json saturation_json(const Machine& machine, const Saturation& found) {
    const LoadUnits units(machine.config);
    Json json = head_json(machine);
    json["saturation"] = bracket_json(found.load);
    json["saturation_gbps"] =
        bracket_json({gbps(units, found.load.lower), gbps(units, found.load.upper)});
    json["zero_load_latency"] = found.zero_load_latency ? Json(*found.zero_load_latency) : Json();
    json["zero_load_method"] = !found.zero_load_latency   ? Json()
                               : found.zero_load_is_exact ? "mean of idle paths"
                                                          : "first run";
    const auto& at_3x = found.at_3x_zero_load;
    json["rate_at_3x_zero_load"] = at_3x ? Json(at_3x->middle()) : Json();
    json["bracket_at_3x_zero_load"] = at_3x ? bracket_json(*at_3x) : Json();
    json["plateau_rate"] = found.plateau_rate;
    json["plateau_accepted"] = found.plateau_accepted;
    json["plateau_accepted_gbps"] = gbps(units, found.plateau_accepted);
    json["runs"] = points_json(found.runs, units);
    json["collapse"] = collapse_json(found.runs);
    return json;
}

void print_saturation(std::ostream& out, const Machine& machine, const Saturation& found) {
    const LoadUnits units(machine.config);
    print_head(out, machine, "saturation");
    print_line(out, "saturation", saturation_text(found.load, units));
    const LoadPoint& first = found.runs.front();
    std::string zero_load;
    if (found.zero_load_latency) {
        zero_load = fmt::format("{:.2f} cycles mean latency", *found.zero_load_latency);
        if (!found.zero_load_is_exact) zero_load += " at " + load_text(units, first.rate);
    } else {
        zero_load = fmt::format("not known: the run at {} {}", rate_text(first.rate),
                                first.is_unstable() ? "has no steady state" : "delivered nothing");
    }
    print_line(out, "zero load", zero_load);
    std::string three_times = "not known";
    if (const auto& at_3x = found.at_3x_zero_load; at_3x && at_3x->is_narrow(found.narrow)) {
        three_times = "at " + load_text(units, at_3x->middle());
    } else if (at_3x) {
        three_times = fmt::format("between {} and {}, no runs left to narrow it",
                                  load_text(units, at_3x->lower), load_text(units, at_3x->upper));
    } else if (found.zero_load_latency && !found.load.is_open()) {
        three_times = "never";
    }
    print_line(out, "3x zero load", three_times);
    print_line(out, found.load.is_open() ? "beyond saturation" : "at the most load",
               fmt::format("{} accepted at {}", load_text(units, found.plateau_accepted),
                           load_text(units, found.plateau_rate)));
    std::vector<LoadPoint> by_rate = found.runs;
    std::stable_sort(by_rate.begin(), by_rate.end(),
                     [](const LoadPoint& a, const LoadPoint& b) { return a.rate < b.rate; });
    print_points(out, by_rate, units);
    print_collapse(out, by_rate);
}

}  // namespace flitscope
