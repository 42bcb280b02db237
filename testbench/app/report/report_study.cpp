// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "models/base/printable.h"
#include "models/base/text_table.h"
#include "models/base/wrapped_text.h"
#include "testbench/app/report/design_table.h"
#include "testbench/app/report/plot.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/explore/derived.h"
#include "testbench/app/study/explore/exploration.h"
#include "testbench/app/study/explore/losses.h"
#include "testbench/app/study/explore/pareto.h"
#include "testbench/app/study/explore/study_file.h"
#include "testbench/app/study/explore/views.h"

namespace flitscope {
namespace {

using study::DesignRow;
using study::ExploreEstimate;
using study::ExploreResult;
using study::front_of;
using study::ObjectiveRow;
using study::Study;
using study::StudyRow;

using Designs = std::vector<const DesignRow*>;

using Reasons = std::vector<study::Exclusion>;

Json reasons_json(const Reasons& reasons) {
    Json json = Json::array();
    for (const study::Exclusion& one : reasons) {
        json.push_back({{"designs", one.designs},
                        {"state", name_of(one.state)},
                        {"reason", printable(one.reason)}});
    }
    return json;
}

void print_why_empty(std::ostream& out, const Reasons& reasons) {
    constexpr std::size_t kShown = 8;
    out << "\n  no design" << (reasons.empty() ? ": nothing is known of any yet\n" : "\n");
    std::size_t others = 0;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        const study::Exclusion& one = reasons[i];
        if (i >= kShown) {
            others += one.designs;
            continue;
        }
        out << fmt::format("  {:>10} {}: {}{}\n", grouped(one.designs), name_of(one.state),
                           printable(one.reason), one.is_only_like ? " (the first of them)" : "");
    }
    if (others == 0) return;
    out << fmt::format("  {:>10} for {} other reasons (flitscope explore export has them all)\n",
                       grouped(others), reasons.size() - kShown);
}

/// The most frequent reasons.
void print_why_refused(std::ostream& out, const Reasons& reasons) {
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(kShown, reasons.size()); ++i) {
        const study::Exclusion& one = reasons[i];
        print_line(out, "",
                   fmt::format("{}: {}{}", grouped(one.designs), printable(one.reason),
                               one.is_only_like ? " (the first of them)" : ""));
    }
    if (reasons.size() > kShown) {
        print_line(out, "", "others for other reasons (flitscope explore export has them all)");
    }
}

/// `why_empty`: if there are none. `constant`: axes in which all designs of the study agree.
void print_designs(std::ostream& out, const StudyRow& study, const Designs& designs,
                   const Reasons& why_empty, std::set<std::string> constant) {
    if (designs.empty()) {
        print_why_empty(out, why_empty);
        return;
    }
    DesignTable table({}, study.objectives, designs, std::move(constant));
    for (const DesignRow* design : designs) table.add({}, design);
    out << '\n';
    table.print(out);
}

/// "1 design", "1,234 designs".
std::string designs_text(std::uint64_t count) {
    return fmt::format("{} design{}", grouped(count), count == 1 ? "" : "s");
}

std::string share(std::uint64_t part, std::uint64_t all) {
    if (all == 0) return "";
    return fmt::format(" ({:.1f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

}  // namespace

Json estimate_json(const Study& study, const ExploreEstimate& estimate) {
    return {{"version", version()},
            {"study", study.name},
            {"points", estimate.points},
            {"tried", estimate.tried},
            {"ruled_out", estimate.ruled_out},
            {"measured", estimate.measured},
            {"estimated_seconds", estimate.seconds ? Json(*estimate.seconds) : Json()},
            {"is_least", estimate.is_least},
            {"problem", estimate.problem.empty() ? Json() : Json(printable(estimate.problem))},
            {"unsynthesized", estimate.unsynthesized},
            {"syntheses",
             {{"examined", estimate.syntheses.examined},
              {"routers", estimate.syntheses.routers},
              {"links", estimate.syntheses.links},
              {"estimated_seconds", estimate.syntheses.seconds},
              {"is_least", estimate.syntheses.is_least}}}};
}

void print_estimate(std::ostream& out, const Study& study, const ExploreEstimate& estimate) {
    out << fmt::format("{}: {}", study.name, designs_text(estimate.points));
    const bool is_ruled_out = estimate.ruled_out != 0 && estimate.ruled_out == estimate.tried;
    if (estimate.seconds) {
        out << fmt::format(
            "; {} {} if all of them are simulated{}\n", estimate.is_least ? "more than" : "about",
            duration_text(*estimate.seconds),
            estimate.ruled_out == 0
                ? ""
                : fmt::format(" that constraints do not rule out in advance: {} of {} examined",
                              estimate.tried - estimate.ruled_out, estimate.tried));
    } else if (estimate.problem.empty()) {
        out << fmt::format("; how long they take is not known, this many are not examined\n");
    } else if (estimate.tried == 0) {
        out << fmt::format("; how long they take is not known: {}\n", printable(estimate.problem));
    } else {
        out << fmt::format(
            "; how long they take is not known, for {} that were {}\n"
            "  the first one: {}\n",
            is_ruled_out ? fmt::format("constraints rule out all of the {}", estimate.tried)
                         : fmt::format("none of the {}", estimate.tried),
            is_ruled_out ? "looked at" : "tried could be simulated", printable(estimate.problem));
    }
    if (estimate.unsynthesized.empty()) return;
    const study::SynthesesEstimate& syntheses = estimate.syntheses;
    out << fmt::format(
        "  on top of that: {}{} routers and {} links to synthesize{}, about {}, such as {}; a dry "
        "run starts none\n",
        syntheses.is_least ? "at least " : "", syntheses.routers, syntheses.links,
        syntheses.is_least ? fmt::format(" for {} designs examined", grouped(syntheses.examined))
                           : "",
        duration_text(syntheses.seconds), fmt::join(estimate.unsynthesized, ", "));
}

namespace {

Json payloads_json(const std::vector<study::PayloadSpread>& payloads) {
    Json json = Json::array();
    for (const study::PayloadSpread& payload : payloads) {
        if (!payload.is_unequal()) continue;
        json.push_back({{"workload", payload.workload},
                        {"least", payload.least},
                        {"most", payload.most},
                        {"unit", payload.is_in_gbps ? "Gbit/s" : "bits/cycle"}});
    }
    return json;
}

}  // namespace

Json explore_json(const Study& study, const ExploreResult& result) {
    Json front = Json::array();
    for (const study::Design& design : result.front) {
        front.push_back(design_json(study::design_row(study, design)));
    }
    const EstimateErrors& errors = result.estimates.errors;
    return {{"version", version()},
            {"study", study.name},
            {"points", result.points},
            {"simulated", result.simulated},
            {"stopped", result.stopped},
            {"reused", result.reused},
            {"pruned", result.pruned - result.stopped},
            {"refused", result.refused},
            {"crashed", result.crashed},
            {"crash", result.crashed == 0 ? Json() : Json(printable(result.crash))},
            {"routers",
             {{"synthesized", result.routers},
              {"estimated", result.estimates.estimated},
              {"area_error", errors.area},
              {"period_error", errors.period},
              {"power_error", errors.power},
              {"margin", result.estimates.margin}}},
            {"wall_seconds", result.wall_seconds},
            {"simulation_seconds", result.simulation_seconds},
            {"unequal_payloads", payloads_json(result.payloads)},
            {"why_refused", reasons_json(result.why_refused)},
            {"why_empty", reasons_json(result.why_empty)},
            {"front", std::move(front)}};
}

namespace {

/// Warns of loads in flits per cycle that are other amounts of work in other designs.
void print_unequal_payloads(std::ostream& out, const std::vector<study::PayloadSpread>& payloads) {
    for (const study::PayloadSpread& payload : payloads) {
        if (!payload.is_unequal()) continue;
        print_line(
            out, "UNEQUAL WORK",
            fmt::format("in {}: {:.4g} to {:.4g} {} of payload a node by design, since the load "
                        "is",
                        payload.workload, payload.least, payload.most,
                        payload.is_in_gbps ? "Gbit/s" : "bits per cycle"));
        print_line(out, "",
                   fmt::format("in flits per cycle; to hold it equal give it in units: "
                               "traffic.injection_rate: {}",
                               payload.is_in_gbps ? fmt::format("{:.3g} Gbit/s", payload.least)
                                                  : "10 Gbit/s"));
    }
}

}  // namespace

void print_explore(std::ostream& out, const Study& study, const ExploreResult& result) {
    const bool is_exact = study.search.method == study::SearchMethod::kExact;
    out << fmt::format("{}: {}\n", study.name, designs_text(result.points));
    print_line(
        out, "simulated",
        fmt::format("{}{}{}", grouped(result.simulated), share(result.simulated, result.points),
                    result.stopped == 0
                        ? ""
                        : fmt::format(", {} of them stopped as soon as they could not be on "
                                      "the front",
                                      grouped(result.stopped))));
    if (result.reused != 0) print_line(out, "known already", grouped(result.reused));
    print_line(out, "pruned",
               fmt::format("{}, by their bounds or by a constraint",
                           grouped(result.pruned - result.stopped)));
    if (result.refused != 0) {
        print_line(out, "refused", grouped(result.refused));
        // If the front is empty, all reasons are listed below it.
        if (!result.front.empty()) print_why_refused(out, result.why_refused);
    }
    if (const auto& estimates = result.estimates; estimates.estimated != 0) {
        print_line(
            out, "routers",
            fmt::format("{} synthesized, {} estimated", result.routers, estimates.estimated));
        print_line(out, "",
                   fmt::format("a known one is estimated from the others within {:.1f} % in area, "
                               "{:.1f} % in",
                               100 * estimates.errors.area, 100 * estimates.errors.period));
        print_line(out, "",
                   fmt::format("period, {:.1f} % in power; bounds allow for {:.2g} times that",
                               100 * estimates.errors.power, estimates.margin));
    }
    print_unequal_payloads(out, result.payloads);
    print_line(out, "time",
               fmt::format("{:.1f} s, including {:.1f} s of simulation on one processor",
                           result.wall_seconds, result.simulation_seconds));
    print_line(out, "front",
               fmt::format("{}{}", designs_text(result.front.size()),
                           !is_exact             ? ", among those examined"
                           : result.crashed != 0 ? ", among those that could be measured"
                           : result.estimates.estimated != 0
                               ? ", all of them synthesized: the same as simulating all designs, "
                                 "as far as estimates hold"
                               : ", the same as simulating all of them"));
    std::vector<DesignRow> rows;
    for (const study::Design& design : result.front) {
        rows.push_back(study::design_row(study, design));
    }
    Designs front;
    for (const DesignRow& row : rows) front.push_back(&row);
    std::set<std::string> constant;
    for (const study::Axis& axis : study.axes) {
        if (axis.values.size() == 1) constant.insert(axis.names.begin(), axis.names.end());
    }
    print_designs(out, study::study_row(study), front, result.why_empty, std::move(constant));
}

namespace {

/// Number of designs that were simulated to the end, those that miss a constraint included. Those
/// that were stopped are kept as pruned.
std::size_t simulated_of(const std::vector<DesignRow>& rows) {
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(),
        [](const DesignRow& row) { return row.state == study::DesignState::kSimulated; }));
}

/// Whether the points are so far apart in this coordinate that a linear axis would hide the lower.
bool spans_a_decade(const std::vector<PlotPoint>& points, double PlotPoint::*coordinate) {
    const auto [least, most] = std::minmax_element(
        points.begin(), points.end(),
        [&](const PlotPoint& a, const PlotPoint& b) { return a.*coordinate < b.*coordinate; });
    return (*least).*coordinate > 0 && (*most).*coordinate >= 10 * ((*least).*coordinate);
}

/// A sentence for each design that is not on the front, or if there are many for the nearest of
/// each kind.
void print_losses(std::ostream& out, const StudyRow& study, const std::vector<DesignRow>& rows,
                  const Designs& front) {
    constexpr std::size_t kMost = 12;
    const std::vector<study::Loss> all = study::losses(study, rows, front);
    const std::vector<study::Loss> shown = study::nearest_losses(all, front, kMost);
    if (!shown.empty()) out << "\n  not on the front:\n";
    for (const study::Loss& loss : shown) {
        out << fmt::format("    {}\n{}",
                           loss.labels.empty() ? loss.design->digest : printable(loss.labels),
                           wrapped(printable(loss.reason), 8, 92));
    }
    if (shown.size() == all.size()) return;
    out << fmt::format("{}  {} more: flitscope explore front --json has the reason of each\n",
                       shown.empty() ? "\n" : "", designs_text(all.size() - shown.size()));
}

}  // namespace

Json front_json(const StudyRow& study, const std::vector<DesignRow>& rows) {
    const Designs measured = counting(rows);
    const Designs best = front_of(study, measured);
    Json front = Json::array();
    for (const DesignRow* design : best) front.push_back(design_json(*design));
    Json json = {{"version", version()}, {"study", study.name}};
    add_extent(json, study);
    json["points"] = rows.size();
    json["simulated"] = simulated_of(rows);
    json["compared"] = measured.size();
    json["why_empty"] = reasons_json(front.empty() ? study::exclusions(rows) : Reasons());
    json["front"] = std::move(front);
    Json lost = Json::array();
    for (const study::Loss& loss : study::losses(study, rows, best)) {
        lost.push_back({{"digest", loss.design->digest},
                        {"axes", loss.design->axes},
                        {"state", name_of(loss.design->state)},
                        {"reason", printable(loss.reason)}});
    }
    json["losses"] = std::move(lost);
    return json;
}

void print_front(std::ostream& out, const StudyRow& study, const std::vector<DesignRow>& rows) {
    const Designs measured = counting(rows);
    const Designs front = front_of(study, measured);
    const std::size_t simulated = simulated_of(rows);
    const std::string outside = simulated == measured.size()
                                    ? ""
                                    : fmt::format(", {} of them outside of a constraint",
                                                  grouped(simulated - measured.size()));
    out << fmt::format("{}: {}, {} simulated{}, {} on the front\n", study.name,
                       designs_text(rows.size()), grouped(simulated), outside, front.size());
    print_extent(out, study);
    print_designs(
        out, study, front, front.empty() ? study::exclusions(rows) : Reasons(),
        rows.size() < 2 ? std::set<std::string>() : study::constant_axes(study::all_of(rows)));
    if (!front.empty()) print_losses(out, study, rows, front);
}

Json studies_json(const std::vector<StoredStudy>& studies) {
    Json list = Json::array();
    for (const StoredStudy& one : studies) {
        Json json = {{"study", one.study.name}};
        add_extent(json, one.study);
        json["points"] = one.designs.size();
        json["simulated"] = simulated_of(one.designs);
        json["on_front"] = front_of(one.study, counting(one.designs)).size();
        list.push_back(std::move(json));
    }
    return {{"version", version()}, {"studies", std::move(list)}};
}

void print_studies(std::ostream& out, const std::vector<StoredStudy>& studies) {
    TextTable table({"study", "designs", "simulated", "on the front", "complete", "explored with"});
    for (const StoredStudy& one : studies) {
        const std::string incomplete = incomplete_text(one.study);
        const std::string settings = one.study.settings ? settings_text(one.study) : "not known";
        table.add({one.study.name, grouped(one.designs.size()), grouped(simulated_of(one.designs)),
                   std::to_string(front_of(one.study, counting(one.designs)).size()),
                   incomplete.empty() ? "yes" : incomplete, settings.empty() ? "-" : settings});
    }
    table.print(out);
}

void draw_front(const std::string& path, const StudyRow& study,
                const std::vector<DesignRow>& rows) {
    Plot plot = plot_at(path);
    const std::string incomplete = incomplete_text(study);
    plot.title = incomplete.empty() ? study.name : fmt::format("{} ({})", study.name, incomplete);
    const ObjectiveRow& x = study.objectives.at(0);
    const ObjectiveRow& y = study.objectives.size() > 1 ? study.objectives[1] : x;
    const auto label = [](const ObjectiveRow& objective) {
        return fmt::format("{} [{}]", objective.name, objective.unit);
    };
    plot.x_label = label(x);
    plot.y_label = label(y);
    Series all{"simulated", {}};
    all.has_line = false;
    all.is_hollow = true;
    for (const DesignRow& row : rows) {
        if (row.state != study::DesignState::kSimulated) continue;
        all.points.emplace_back(x.value(row), y.value(row));
    }
    if (all.points.empty()) {
        throw ConfigError({"--plot " + path, 0, 0}, "no design of the study was simulated",
                          "there is nothing to draw");
    }
    plot.fits_data = true;
    plot.decades_x = spans_a_decade(all.points, &PlotPoint::x);
    plot.log_y = spans_a_decade(all.points, &PlotPoint::y);
    Series best{"front", {}};
    best.is_front = true;
    // With more objectives these are not all: a design that is worse in both may be on the front.
    best.has_line = study.objectives.size() == 2;
    const Designs measured = counting(rows);
    const std::set<std::string> constant = study::constant_axes(measured);
    std::set<std::pair<double, double>> named;
    for (const DesignRow* design : front_of(study, measured)) {
        const bool is_new = named.emplace(x.value(*design), y.value(*design)).second;
        best.points.emplace_back(x.value(*design), y.value(*design), std::nullopt,
                                 is_new ? study::what_differs(*design, constant) : "");
    }
    // On the better side of the front there is no other design.
    plot.lists_labels = true;
    plot.labels_right = x.is_maximised;
    plot.labels_above = y.is_maximised;
    plot.series = {std::move(all), std::move(best)};
    draw(plot_folder(path), plot);
}

void write_designs_csv(std::ostream& out, const StudyRow& study,
                       const std::vector<DesignRow>& rows) {
    const std::vector<study::DerivedFigure> derived =
        study::further_figures(study.objectives, rows.empty() ? Json::object() : rows.front().axes);
    out << "digest,state,reason,cycle_ns,cycle_of";
    if (!rows.empty()) {
        for (const auto& [name, label] : rows.front().axes.items()) out << ',' << csv_text(name);
    }
    for (const ObjectiveRow& objective : study.objectives) out << ',' << objective.name;
    for (const study::DerivedFigure& figure : derived) out << ',' << figure.name;
    out << '\n';
    for (const DesignRow& row : rows) {
        // A design that was refused before its router was known has none.
        const bool has_period = row.period_ns != 0;
        out << fmt::format("{},{},{},{},{}", row.digest, name_of(row.state), csv_text(row.reason),
                           has_period ? fmt::format("{:.12g}", row.period_ns) : "",
                           has_period ? period_of(row) : "");
        for (const auto& [name, label] : row.axes.items()) {
            out << ',' << csv_text(label.get<std::string>());
        }
        for (const ObjectiveRow& objective : study.objectives) {
            const Json value = row.objectives.value(objective.name, Json());
            out << ',' << (value.is_number() ? fmt::format("{:.12g}", value.get<double>()) : "");
        }
        for (const study::DerivedFigure& figure : derived) {
            const std::optional<double> value = figure.value(row);
            out << ',' << (value ? fmt::format("{:.12g}", *value) : "");
        }
        out << '\n';
    }
}

}  // namespace flitscope
