// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of outcomes and studies in a database.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/printable.h"
#include "models/config/value_named.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/statement.h"

namespace flitscope::study {
namespace {

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

DesignState state_of(const std::string& name) {
    return value_named(kDesignStates, name).value_or(DesignState::kWaiting);
}

/// Older databases have a half width for every metric, 0 if it is 0 or unknown. Newer ones have
/// NULL for metrics that are not statistics, which every outcome has.
void forget_older_zeros(std::vector<Metric>& metrics) {
    const auto has_width = [](const Metric& metric) { return metric.half_width.has_value(); };
    if (!std::all_of(metrics.begin(), metrics.end(), has_width)) return;
    for (Metric& metric : metrics) {
        if (*metric.half_width == 0) metric.half_width.reset();
    }
}

/// Reads the output of objectives_json().
std::vector<ObjectiveRow> objectives_of(const Json& list) {
    std::vector<ObjectiveRow> objectives;
    for (const Json& entry : list) {
        objectives.push_back({entry.at("name"), entry.at("unit"), entry.at("goal") == "max"});
    }
    return objectives;
}

}  // namespace

Json objectives_json(const std::vector<ObjectiveRow>& objectives) {
    Json list = Json::array();
    for (const ObjectiveRow& objective : objectives) {
        list.push_back({{"name", objective.name},
                        {"goal", objective.is_maximised ? "max" : "min"},
                        {"unit", objective.unit}});
    }
    return list;
}

PointRow point_row(const DesignPoint& point) {
    return {point.measurement, point.engine, to_yaml(point.config)};
}

const char* name_of(DesignState state) {
    switch (state) {
        case DesignState::kSimulated:
            return "simulated";
        case DesignState::kPruned:
            return "pruned";
        case DesignState::kRefused:
            return "refused";
        case DesignState::kWaiting:
            return "waiting";
    }
    return "";
}

const ObjectiveRow& StudyRow::objective(const std::string& metric) const {
    const auto it = std::find_if(objectives.begin(), objectives.end(),
                                 [&](const ObjectiveRow& one) { return one.name == metric; });
    if (it == objectives.end()) {
        throw std::out_of_range("the study has no objective '" + metric + '\'');
    }
    return *it;
}

std::optional<PointOutcome> Database::find(const std::string& digest) {
    Statement attempt(*this, "SELECT state, error, wall_s FROM attempt WHERE digest = ?");
    if (!attempt.bind(digest).step()) return std::nullopt;
    const auto status = value_named(kPointStatuses, attempt.text(0));
    if (!status) return std::nullopt;  // one of a later version
    PointOutcome outcome;
    outcome.status = *status;
    outcome.problem = attempt.text(1);
    outcome.wall_seconds = attempt.number(2);
    Statement metrics(
        *this, "SELECT name, unit, value, half_width, n, method FROM metric WHERE digest = ?");
    metrics.bind(digest);
    while (metrics.step()) {
        outcome.metrics.push_back({metrics.text(0), metrics.text(1), metrics.number(2),
                                   metrics.known_number(3), metrics.count(4), metrics.text(5)});
    }
    forget_older_zeros(outcome.metrics);
    Statement words(*this, "SELECT name, value FROM word WHERE digest = ?");
    words.bind(digest);
    while (words.step()) outcome.words.emplace_back(words.text(0), words.text(1));
    return outcome;
}

std::string Database::config(const std::string& digest) {
    Statement statement(*this, "SELECT config FROM point WHERE digest = ?");
    return statement.bind(digest).step() ? statement.text(0) : "";
}

void Database::put(const std::string& digest, const PointRow& point, const PointOutcome& outcome) {
    begin();
    Statement(*this, "INSERT OR REPLACE INTO point VALUES(?, ?, ?, ?)")
        .bind(digest)
        .bind(std::string(name_of(point.measurement)))
        .bind(point.engine)
        .bind(point.config)
        .run();
    Statement(*this,
              "INSERT OR REPLACE INTO attempt(digest, state, error, wall_s, host, program) "
              "VALUES(?, ?, ?, ?, ?, ?)")
        .bind(digest)
        .bind(std::string(name_of(outcome.status)))
        .bind(outcome.problem)
        .bind(outcome.wall_seconds)
        .bind(host_name())
        .bind(program_name())
        .run();
    Statement metric(*this, "INSERT OR REPLACE INTO metric VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (const Metric& m : outcome.metrics) {
        metric.bind(digest).bind(m.name).bind(m.unit).bind(m.value).bind(m.half_width);
        metric.bind(m.count).bind(m.method).run();
    }
    Statement word(*this, "INSERT OR REPLACE INTO word VALUES(?, ?, ?)");
    for (const auto& [name, value] : outcome.words) word.bind(digest).bind(name).bind(value).run();
    commit();
}

std::optional<StudyRow> Database::replaced_by(const StudyRow& study) {
    Statement statement(*this, "SELECT text FROM study WHERE name = ?");
    if (!statement.bind(study.name).step()) return std::nullopt;
    StudyRow row{study.name, statement.text(0), {}};
    row.settings = settings_of(study.name);
    return row;
}

void Database::begin_study(const StudyRow& study) {
    begin();
    // The latest study has the greatest id.
    Statement(*this, "DELETE FROM study WHERE name = ?").bind(study.name).run();
    Statement(*this, "DELETE FROM design WHERE study = ?").bind(study.name).run();
    Statement(*this, "INSERT INTO study(name, text, objectives) VALUES(?, ?, ?)")
        .bind(study.name)
        .bind(study.text)
        .bind(objectives_json(study.objectives).dump())
        .run();
    Statement(*this, "INSERT OR REPLACE INTO search VALUES(?, 0, 0)").bind(study.name).run();
    Statement(*this, "DELETE FROM setting WHERE study = ?").bind(study.name).run();
    if (study.settings) {
        Statement(*this, "INSERT INTO setting VALUES(?, ?)")
            .bind(study.name)
            .bind(Json(*study.settings).dump(-1, ' ', false, Json::error_handler_t::replace))
            .run();
    }
    commit();
}

void Database::expect_designs(const std::string& study, std::uint64_t designs) {
    Statement(*this, "UPDATE search SET designs = ? WHERE study = ?")
        .bind(designs)
        .bind(study)
        .run();
}

void Database::end_study(const std::string& study) {
    Statement(*this, "UPDATE search SET has_ended = 1 WHERE study = ?").bind(study).run();
}

void Database::put_design(const std::string& study, std::size_t ordinal, const DesignRow& row,
                          const std::vector<MemberRow>& members) {
    begin();
    Statement(*this, "INSERT OR REPLACE INTO design VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(study)
        .bind(std::uint64_t{ordinal})
        .bind(row.digest)
        .bind(std::string(name_of(row.state)))
        .bind(row.reason)
        .bind(row.axes.dump())
        .bind(row.objectives.dump())
        .bind(row.period_ns)
        .bind(std::uint64_t{row.is_synthesized})
        .run();
    Statement member(*this, "INSERT OR REPLACE INTO member VALUES(?, ?, ?, ?, ?)");
    // All that cannot be built have the same digest, the empty one, and have no points.
    for (std::size_t i = 0; !row.digest.empty() && i < members.size(); ++i) {
        member.bind(row.digest).bind(std::uint64_t{i}).bind(members[i].workload);
        member.bind(members[i].weight).bind(members[i].point).run();
    }
    commit();
}

std::vector<StudyRow> Database::studies() {
    Statement statement(*this, "SELECT name, text, objectives FROM study ORDER BY id");
    std::vector<StudyRow> rows;
    while (statement.step()) {
        StudyRow row{statement.text(0), statement.text(1),
                     objectives_of(Json::parse(statement.text(2)))};
        row.settings = settings_of(row.name);
        read_extent(row);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<std::vector<std::string>> Database::settings_of(const std::string& study) {
    if (!has_settings_) return std::nullopt;
    Statement setting(*this, "SELECT overrides FROM setting WHERE study = ?");
    if (!setting.bind(study).step()) return std::nullopt;
    return Json::parse(setting.text(0)).get<std::vector<std::string>>();
}

void Database::read_extent(StudyRow& study) {
    Statement designs(*this, "SELECT count(*) FROM design WHERE study = ?");
    if (designs.bind(study.name).step()) study.designs = designs.count(0);
    if (!has_searches_) return;
    Statement search(*this, "SELECT designs, has_ended FROM search WHERE study = ?");
    if (!search.bind(study.name).step()) return;
    study.expected = search.count(0);
    study.is_complete = search.count(1) != 0;
}

std::vector<DesignRow> Database::read_designs(const std::string& clause,
                                              const std::vector<std::string>& values) {
    const std::string sql =
        "SELECT digest, state, reason, axes, objectives, period_ns, is_synthesized "
        "FROM design WHERE " +
        clause;
    Statement statement(*this, sql);
    for (const std::string& value : values) statement.bind(value);
    std::vector<DesignRow> rows;
    while (statement.step()) {
        rows.push_back({statement.text(0), state_of(statement.text(1)), statement.text(2),
                        Json::parse(statement.text(3)), Json::parse(statement.text(4)),
                        statement.number(5), statement.count(6) != 0});
    }
    return rows;
}

std::vector<DesignRow> Database::designs(const StudyRow& study) {
    return read_designs("study = ? ORDER BY ordinal", {study.name});
}

std::vector<DesignRow> Database::designs_like(const std::string& digest, const std::string& study) {
    std::vector<DesignRow> rows = read_designs(
        fmt::format("substr(digest, 1, {}) = ? AND ? IN ('', study) "
                    "ORDER BY digest, state = '{}' DESC, (SELECT id FROM study WHERE name = "
                    "design.study) DESC",
                    digest.size(), name_of(DesignState::kSimulated)),
        {digest, study});
    const auto is_same = [](const DesignRow& a, const DesignRow& b) {
        return a.digest == b.digest;
    };
    rows.erase(std::unique(rows.begin(), rows.end(), is_same), rows.end());
    return rows;
}

std::vector<MemberRow> Database::members(const std::string& design) {
    Statement statement(*this,
                        "SELECT workload, weight, point FROM member WHERE design = ? "
                        "ORDER BY ordinal");
    statement.bind(design);
    std::vector<MemberRow> rows;
    while (statement.step()) {
        rows.push_back({statement.text(0), statement.number(1), statement.text(2)});
    }
    return rows;
}

}  // namespace flitscope::study
