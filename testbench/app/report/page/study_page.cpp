// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/study_page.h"

#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "testbench/app/report/design_table.h"
#include "testbench/app/report/page/packed_numbers.h"
#include "testbench/app/study/explore/derived.h"
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
        for (const study::ObjectiveRow& objective : study.objectives) {
            values.push_back(row.objectives.value(objective.name, Json()));
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
                           {"objectives", std::move(values)}});
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
            {"configurations", packed_text(configurations.str())}};
}

}  // namespace flitscope
