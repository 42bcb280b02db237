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

namespace flitscope {
namespace {

using study::DesignRow;
using study::ExploreResult;
using study::Study;
using study::StudyRow;

constexpr std::size_t kShortDigest = 10;

/// Columns as wide as their widest cell; numbers to the right.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> heading) { rows_.push_back(std::move(heading)); }

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const {
        std::vector<std::size_t> widths(rows_.front().size(), 0);
        for (const auto& row : rows_) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                widths[i] = std::max(widths[i], row[i].size());
            }
        }
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += fmt::format("  {:>{}}", row[i], widths[i]);
            }
            out << line << '\n';
        }
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::string number_text(const Json& value) {
    if (!value.is_number()) return "-";
    const double number = value.get<double>();
    constexpr double kLong = 1000;
    if (number < kLong) return fmt::format("{:.4g}", number);
    return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

/// A design of a front.
Json design_json(const DesignRow& row) {
    return {{"digest", row.digest}, {"axes", row.axes}, {"objectives", row.objectives}};
}

/// A row per design: its objectives, its axes, its digest.
void print_designs(std::ostream& out, const Json& designs, const StudyRow& study) {
    if (designs.empty()) {
        out << "\n  no design\n";
        return;
    }
    std::vector<std::string> heading;
    for (const Json& objective : study.objectives) {
        const auto name = objective.at("name").get<std::string>();
        const auto unit = objective.at("unit").get<std::string>();
        const bool is_said = name.find(unit) != std::string::npos;
        heading.push_back(is_said ? name : name + " [" + unit + ']');
    }
    for (const auto& [name, label] : designs.front().at("axes").items()) heading.push_back(name);
    heading.emplace_back("digest");
    TextTable table(std::move(heading));
    for (const Json& design : designs) {
        std::vector<std::string> row;
        for (const Json& objective : study.objectives) {
            row.push_back(number_text(
                design.at("objectives").value(objective.at("name").get<std::string>(), Json())));
        }
        for (const auto& [name, label] : design.at("axes").items()) {
            row.push_back(label.get<std::string>());
        }
        row.push_back(design.at("digest").get<std::string>().substr(0, kShortDigest));
        table.add(std::move(row));
    }
    out << '\n';
    table.print(out);
}

/// The objectives of a row, all to be minimised.
study::Objectives minimised(const StudyRow& study, const DesignRow& row) {
    study::Objectives objectives;
    for (const Json& objective : study.objectives) {
        const double value = row.objectives.at(objective.at("name").get<std::string>());
        objectives.push_back(objective.at("goal") == "max" ? -value : value);
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
        if (row.state != study::DesignState::kSimulated || !row.reason.empty()) continue;
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
    const auto axis = [&](std::size_t i) {
        return study.objectives.at(i).at("name").get<std::string>();
    };
    const std::string x = axis(0);
    const std::string y = study.objectives.size() > 1 ? axis(1) : x;
    const auto label = [&](std::size_t i) {
        const Json& objective =
            study.objectives.at(std::min<std::size_t>(i, study.objectives.size() - 1));
        return fmt::format("{} [{}]", objective.at("name").get<std::string>(),
                           objective.at("unit").get<std::string>());
    };
    plot.x_label = label(0);
    plot.y_label = label(1);
    Series all{"simulated", {}};
    all.has_line = false;
    for (const DesignRow& row : rows) {
        if (row.state != study::DesignState::kSimulated) continue;
        all.points.emplace_back(row.objectives.at(x).get<double>(),
                                row.objectives.at(y).get<double>());
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
        const bool is_new = named.emplace(at.at(x), at.at(y)).second;
        best.points.emplace_back(design.at("objectives").at(x).get<double>(),
                                 design.at("objectives").at(y).get<double>(), 0,
                                 is_new ? what_differs(design.at("axes"), front) : "");
    }
    plot.series = {std::move(all), std::move(best)};
    draw(plot_folder(path), plot);
}

void write_designs_csv(std::ostream& out, const StudyRow& study,
                       const std::vector<DesignRow>& rows) {
    out << "digest,state,reason";
    if (!rows.empty()) {
        for (const auto& [name, label] : rows.front().axes.items()) out << ',' << csv_text(name);
    }
    for (const Json& objective : study.objectives) {
        out << ',' << objective.at("name").get<std::string>();
    }
    out << '\n';
    for (const DesignRow& row : rows) {
        out << row.digest << ',' << study::state_name(row.state) << ',' << csv_text(row.reason);
        for (const auto& [name, label] : row.axes.items()) {
            out << ',' << csv_text(label.get<std::string>());
        }
        for (const Json& objective : study.objectives) {
            const Json value =
                row.objectives.value(objective.at("name").get<std::string>(), Json());
            out << ',' << (value.is_number() ? fmt::format("{:.10g}", value.get<double>()) : "");
        }
        out << '\n';
    }
}

}  // namespace flitscope
