// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <utility>

#include "testbench/report/plot.h"
#include "testbench/report/report.h"
#include "testbench/report/report_lines.h"
#include "testbench/report/text_table.h"

namespace flitscope {
namespace {

using study::DesignRow;
using study::ExploreResult;
using study::ObjectiveRow;
using study::Study;
using study::StudyRow;

/// A design of a front.
Json design_json(const DesignRow& row) {
    return {{"digest", row.digest},
            {"axes", row.axes},
            {"objectives", row.objectives},
            {"period_ns", row.period_ns},
            {"period_of", row.is_synthesized ? "router" : "clock_ns"}};
}

std::string period_text(const Json& design) {
    return fmt::format("{:.4g} {}", design.at("period_ns").get<double>(),
                       design.at("period_of").get<std::string>());
}

/// Whether all designs have the same period, which is then said once.
bool have_one_period(const Json& designs) {
    return std::all_of(designs.begin(), designs.end(), [&](const Json& design) {
        return period_text(design) == period_text(designs.front());
    });
}

/// A row per design: its objectives, its axes, its clock, its digest.
void print_designs(std::ostream& out, const Json& designs, const StudyRow& study) {
    if (designs.empty()) {
        out << "\n  no design\n";
        return;
    }
    std::vector<std::string> heading;
    for (const ObjectiveRow& objective : study.objectives) {
        heading.push_back(objective_heading(objective));
    }
    for (const auto& [name, label] : designs.front().at("axes").items()) heading.push_back(name);
    const bool has_periods = !have_one_period(designs);
    if (has_periods) heading.emplace_back("period [ns]");
    heading.emplace_back("digest");
    TextTable table(std::move(heading));
    for (const Json& design : designs) {
        std::vector<std::string> row;
        for (const ObjectiveRow& objective : study.objectives) {
            row.push_back(number_text(design.at("objectives").value(objective.name, Json())));
        }
        for (const auto& [name, label] : design.at("axes").items()) {
            row.push_back(label.get<std::string>());
        }
        if (has_periods) row.push_back(period_text(design));
        row.push_back(design.at("digest").get<std::string>().substr(0, kShortDigest));
        table.add(std::move(row));
    }
    out << '\n';
    table.print(out);
    if (has_periods) {
        out << "\n  times are cycles of the period of each design: of its synthesized router, or "
               "clock_ns\n";
    } else {
        fmt::print(out, "\n  times are cycles of {:.4g} ns: {}\n",
                   designs.front().at("period_ns").get<double>(),
                   designs.front().at("period_of") == "router"
                       ? "the period of the synthesized router"
                       : "clock_ns, whatever the routers");
    }
}

/// The objectives of a row, all to be minimised.
study::Objectives minimised(const StudyRow& study, const DesignRow& row) {
    study::Objectives objectives;
    for (const ObjectiveRow& objective : study.objectives) {
        const double value = objective.value(row);
        objectives.push_back(objective.is_maximised ? -value : value);
    }
    return objectives;
}

/// The labels of a design on the axes in which not all designs agree.
std::string what_differs(const Json& axes, const Json& designs) {
    std::string text;
    for (const auto& [name, label] : axes.items()) {
        const bool differs = std::any_of(designs.begin(), designs.end(),
                                         [&, &name = name, &label = label](const Json& other) {
                                             return other.at("axes").at(name) != label;
                                         });
        if (differs) text += (text.empty() ? "" : " ") + label.get<std::string>();
    }
    return text;
}

std::string share(std::uint64_t part, std::uint64_t all) {
    if (all == 0) return "";
    return fmt::format(" ({:.1f} %)", 100 * static_cast<double>(part) / static_cast<double>(all));
}

}  // namespace

Json explore_json(const Study& study, const ExploreResult& result) {
    Json front = Json::array();
    for (const study::Design& design : result.front) {
        front.push_back(design_json(study::design_row(study, design)));
    }
    return {{"version", version()},
            {"study", study.name},
            {"points", result.points},
            {"simulated", result.simulated},
            {"stopped", result.stopped},
            {"reused", result.reused},
            {"pruned", result.pruned - result.stopped},
            {"refused", result.refused},
            {"wall_seconds", result.wall_seconds},
            {"simulation_seconds", result.simulation_seconds},
            {"front", std::move(front)}};
}

void print_explore(std::ostream& out, const Study& study, const ExploreResult& result) {
    const bool is_exact = study.search.method == study::SearchMethod::kExact;
    fmt::print(out, "{}: {} designs\n", study.name, grouped(result.points));
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
    if (result.refused != 0) print_line(out, "refused", grouped(result.refused));
    print_line(out, "time",
               fmt::format("{:.1f} s, of which {:.1f} s of simulation on one processor",
                           result.wall_seconds, result.simulation_seconds));
    print_line(
        out, "front",
        fmt::format("{} design{}{}", result.front.size(), result.front.size() == 1 ? "" : "s",
                    is_exact ? ", the same as that of simulating all of them"
                             : ", of those that were looked at"));
    print_designs(out, explore_json(study, result).at("front"), study::study_row(study));
}

Json front_json(const StudyRow& study, const std::vector<DesignRow>& rows) {
    std::vector<const DesignRow*> simulated;
    std::vector<study::Objectives> objectives;
    for (const DesignRow& row : rows) {
        if (!row.counts()) continue;
        simulated.push_back(&row);
        objectives.push_back(minimised(study, row));
    }
    std::vector<std::size_t> front = study::pareto_front(objectives);
    std::sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
        return objectives[a] != objectives[b] ? objectives[a] < objectives[b]
                                              : simulated[a]->digest < simulated[b]->digest;
    });
    Json list = Json::array();
    for (const std::size_t i : front) {
        list.push_back(design_json(*simulated[i]));
    }
    return {{"version", version()},
            {"study", study.name},
            {"points", rows.size()},
            {"simulated", simulated.size()},
            {"front", std::move(list)}};
}

void print_front(std::ostream& out, const StudyRow& study, const std::vector<DesignRow>& rows) {
    const Json json = front_json(study, rows);
    fmt::print(out, "{}: {} designs, {} simulated, {} on the front\n", study.name,
               grouped(rows.size()), grouped(json.at("simulated").get<std::uint64_t>()),
               json.at("front").size());
    print_designs(out, json.at("front"), study);
}

void draw_front(const std::string& path, const StudyRow& study,
                const std::vector<DesignRow>& rows) {
    Plot plot = plot_at(path);
    plot.title = study.name;
    const Json json = front_json(study, rows);
    const Json& front = json.at("front");
    const ObjectiveRow& x = study.objectives.at(0);
    const ObjectiveRow& y = study.objectives.size() > 1 ? study.objectives[1] : x;
    const auto label = [](const ObjectiveRow& objective) {
        return fmt::format("{} [{}]", objective.name, objective.unit);
    };
    plot.x_label = label(x);
    plot.y_label = label(y);
    Series all{"simulated", {}};
    all.has_line = false;
    for (const DesignRow& row : rows) {
        if (row.state != study::DesignState::kSimulated) continue;
        all.points.emplace_back(x.value(row), y.value(row));
    }
    Series best{"front", {}};
    best.has_line = study.objectives.size() == 2;
    plot.decades_x = plot.log_y = true;
    for (const PlotPoint& point : all.points) {
        plot.decades_x = plot.decades_x && point.x > 0;
        plot.log_y = plot.log_y && point.y > 0;
    }
    std::set<std::pair<Json, Json>> named;
    for (const Json& design : front) {
        const Json& at = design.at("objectives");
        const bool is_new = named.emplace(at.at(x.name), at.at(y.name)).second;
        best.points.emplace_back(at.at(x.name).get<double>(), at.at(y.name).get<double>(), 0,
                                 is_new ? what_differs(design.at("axes"), front) : "");
    }
    plot.series = {std::move(all), std::move(best)};
    draw(plot_folder(path), plot);
}

void write_designs_csv(std::ostream& out, const StudyRow& study,
                       const std::vector<DesignRow>& rows) {
    out << "digest,state,reason,period_ns,period_of";
    if (!rows.empty()) {
        for (const auto& [name, label] : rows.front().axes.items()) out << ',' << csv_text(name);
    }
    for (const ObjectiveRow& objective : study.objectives) out << ',' << objective.name;
    out << '\n';
    for (const DesignRow& row : rows) {
        fmt::print(out, "{},{},{},{:.10g},{}", row.digest, study::state_name(row.state),
                   csv_text(row.reason), row.period_ns, row.is_synthesized ? "router" : "clock_ns");
        for (const auto& [name, label] : row.axes.items()) {
            out << ',' << csv_text(label.get<std::string>());
        }
        for (const ObjectiveRow& objective : study.objectives) {
            const Json value = row.objectives.value(objective.name, Json());
            out << ',' << (value.is_number() ? fmt::format("{:.10g}", value.get<double>()) : "");
        }
        out << '\n';
    }
}

}  // namespace flitscope
