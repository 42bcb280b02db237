// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/study_page.h"

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "testbench/app/report/design_table.h"
#include "testbench/app/report/page/packed_numbers.h"
#include "testbench/app/study/explore/derived.h"
#include "testbench/app/study/explore/losses.h"
#include "testbench/app/study/explore/views.h"

namespace flitscope {

namespace {

Json figures_json(const std::vector<study::DerivedFigure>& figures) {
    Json list = Json::array();
    for (const study::DerivedFigure& figure : figures) {
        list.push_back({{"name", figure.name}, {"unit", figure.unit}});
    }
    return list;
}

/// The half width of the interval of an objective of a design; null if it is not known.
Json half_width_json(study::Database& database, const study::DesignRow& design,
                     const std::string& objective) {
    const std::map<std::string, const char*> means = {{"latency_ns", "mean_latency"},
                                                      {"round_trip_ns", "mean_round_trip"}};
    const auto mean = means.find(objective);
    if (mean == means.end() || design.state != study::DesignState::kSimulated) return nullptr;
    double squares = 0;  // independent runs; the objective is their weighted mean
    double weights = 0;
    for (const study::MemberRow& member : database.members(design.digest)) {
        const auto outcome = database.find(member.point);
        const study::Metric* const metric = outcome ? outcome->find(mean->second) : nullptr;
        if (metric == nullptr) continue;  // a saturation
        if (!metric->half_width) return nullptr;
        squares += std::pow(member.weight * *metric->half_width, 2);
        weights += member.weight;
    }
    return weights == 0 ? Json() : Json(std::sqrt(squares) / weights * design.period_ns);
}

/// Rows of the designs that came nearest to the front, as in `explore front`.
Json nearest_json(const study::StudyRow& study, const std::vector<study::DesignRow>& rows) {
    constexpr std::size_t kMost = 12;
    const auto front = study::front_of(study, study::counting(rows));
    Json nearest = Json::array();
    for (const study::Loss& loss :
         study::nearest_losses(study::losses(study, rows, front), front, kMost)) {
        nearest.push_back(loss.design - rows.data());
    }
    return nearest;
}

/// Why no design is on the front: the most frequent reason.
std::string why_empty(const Json& front) {
    const Json& reasons = front.at("why_empty");
    return reasons.empty() ? "" : reasons.front().at("reason").get<std::string>();
}

}  // namespace

Json study_page_json(study::Database& database, const study::StudyRow& study,
                     const std::string& command) {
    std::vector<study::DesignRow> rows = database.designs(study);
    study::add_derived(database, rows);
    const auto figures = study::differing_figures(study.objectives, study::all_of(rows));
    std::set<std::string> front;
    const Json found = front_json(study, rows);
    for (const Json& design : found.at("front")) {
        front.insert(design.at("digest").get<std::string>());
    }
    Json axes = Json::array();
    if (!rows.empty()) {
        for (const auto& [name, label] : rows.front().axes.items()) axes.push_back(name);
    }
    std::map<std::string, std::string> reasons;
    for (const Json& loss : found.at("losses")) reasons[loss.at("digest")] = loss.at("reason");
    Json designs = Json::array();
    std::ostringstream configurations;  // as those of a study are alike they compress well together
    for (const study::DesignRow& row : rows) {
        Json labels = Json::array();
        for (const Json& axis : axes) {
            labels.push_back(row.axes.value(axis.get<std::string>(), Json()));
        }
        Json values = Json::array();
        Json half_widths = Json::array();
        for (const study::ObjectiveRow& objective : study.objectives) {
            values.push_back(row.objectives.value(objective.name, Json()));
            half_widths.push_back(half_width_json(database, row, objective.name));
        }
        Json derived = Json::array();
        for (const study::DerivedFigure& figure : figures) {
            derived.push_back(row.derived.value(figure.name, Json()));
        }
        designs.push_back({{"digest", row.digest},
                           {"state", name_of(row.state)},
                           {"reason", row.reason},
                           {"why", reasons[row.digest]},
                           {"period_ns", row.period_ns},
                           {"period_of", period_of(row)},
                           {"front", front.count(row.digest) != 0},
                           {"axes", std::move(labels)},
                           {"derived", std::move(derived)},
                           {"objectives", std::move(values)},
                           {"half_widths", std::move(half_widths)}});
        const std::vector<study::MemberRow> members = database.members(row.digest);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i > 0) configurations << "\n";
            print_design(configurations, database, row, members, members[i]);
        }
        configurations << '\0';
    }
    return {{"page", "study"},
            {"title", "study " + study.name},
            {"provenance",
             {{"version", version()},
              {"command", command},
              {"study", study.text},
              {"settings", settings_text(study)}}},
            {"study", study.name},
            {"incomplete", incomplete_text(study)},
            {"axes", std::move(axes)},
            {"derived", figures_json(figures)},
            {"objectives", study::objectives_json(study.objectives)},
            {"designs", std::move(designs)},
            {"nearest", nearest_json(study, rows)},
            {"why_empty", why_empty(found)},
            {"configurations", packed_text(configurations.str())}};
}

}  // namespace flitscope
