// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Views of the designs of a study, apart from their front.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "models/base/text_table.h"
#include "testbench/app/report/design_table.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/report_lines.h"
#include "testbench/app/study/explore/losses.h"
#include "testbench/app/study/explore/views.h"

namespace flitscope {
namespace {

using study::AxisEffect;
using study::BudgetChoice;
using study::Cell;
using study::CrossTable;
using study::DesignRow;
using study::ObjectiveRow;
using study::StudyRow;

Json head(const StudyRow& study) {
    Json json = {{"version", version()}, {"study", study.name}};
    add_extent(json, study);
    return json;
}

/// The heading of a view.
void print_head(std::ostream& out, const StudyRow& study, const std::string& what) {
    out << fmt::format("{}: {}\n", study.name, what);
    print_extent(out, study);
    out << '\n';
}

Json design_or_null(const std::optional<DesignRow>& design) {
    return design ? design_json(*design) : Json();
}

std::string in_a_row(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

bool was_pruned(const Cell& cell) { return cell.measured < cell.all; }

}  // namespace

Json effects_json(const StudyRow& study, const std::vector<AxisEffect>& effects) {
    Json json = head(study);
    json["effects"] = Json::array();
    for (const AxisEffect& e : effects) {
        json["effects"].push_back({{"axis", e.axes.front()},
                                   {"with", std::vector(e.axes.begin() + 1, e.axes.end())},
                                   {"objective", e.objective},
                                   {"groups", e.groups},
                                   {"spread", e.spread},
                                   {"most", e.most},
                                   {"best", e.best.empty() ? Json() : Json(e.best.front())},
                                   {"wins", e.wins}});
    }
    return json;
}

void print_effects(std::ostream& out, const StudyRow& study, const std::vector<AxisEffect>& effects,
                   const std::vector<DesignRow>& designs) {
    print_head(out, study, "effect of each axis, among designs that agree on all others");
    TextTable table({"axis", "objective", "groups", "largest/smallest", "at most", "best is mostly",
                     "in groups"});
    for (const AxisEffect& e : effects) {
        if (e.groups == 0) {
            table.add({in_a_row(e.axes), e.objective, "0", "-", "-", "-", "-"});
            continue;
        }
        table.add({in_a_row(e.axes), e.objective, std::to_string(e.groups),
                   fmt::format("{:.3g} x", e.spread), fmt::format("{:.3g} x", e.most),
                   e.best.empty() ? "-" : in_a_row(e.best), std::to_string(e.wins)});
    }
    table.print(out);
    out << "\n  a group contains measured designs that differ only in this axis; an exact search "
           "measures few:\n  search: {method: random, evaluations: N} measures N designs, or all "
           "of them\n";
    print_periods(out, counting(designs));
}

Json budgets_json(const StudyRow& study, const std::string& budget,
                  const std::vector<BudgetChoice>& choices) {
    Json json = head(study);
    json["budget"] = budget;
    json["choices"] = Json::array();
    for (const BudgetChoice& choice : choices) {
        json["choices"].push_back({{"limit", choice.limit},
                                   {"objective", choice.objective},
                                   {"design", design_or_null(choice.design)}});
    }
    return json;
}

void print_budgets(std::ostream& out, const StudyRow& study, const std::string& budget,
                   const std::vector<BudgetChoice>& choices,
                   const std::vector<DesignRow>& designs) {
    const ObjectiveRow& spent = study.objective(budget);
    print_head(out, study, "the best within " + budget);
    std::vector<ObjectiveRow> others;
    for (const ObjectiveRow& objective : study.objectives) {
        if (objective.name != budget) others.push_back(objective);
    }
    std::vector<const DesignRow*> chosen;
    for (const BudgetChoice& choice : choices) {
        if (choice.design) chosen.push_back(&*choice.design);
    }
    DesignTable table(
        {spent.is_maximised ? "at least" : "at most", objective_heading(spent), "best of"},
        std::move(others), std::move(chosen), study::constant_axes(study::all_of(designs)));
    for (const BudgetChoice& choice : choices) {
        const DesignRow* const design = choice.design ? &*choice.design : nullptr;
        const std::string value = design == nullptr ? "-" : number_text(spent.value(*design));
        table.add({number_text(choice.limit), value, choice.objective}, design);
    }
    table.print(out);
}

Json cross_json(const StudyRow& study, const std::string& objective, const CrossTable& table) {
    Json json = head(study);
    json["objective"] = objective;
    json["cells"] = Json::array();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const Cell& cell = table.cells[r][c];
            json["cells"].push_back({{"row", table.rows[r]},
                                     {"column", table.columns[c]},
                                     {"designs", cell.all},
                                     {"measured", cell.measured},
                                     {"best", design_or_null(cell.best)}});
        }
    }
    return json;
}

void print_cross(std::ostream& out, const StudyRow& study, const std::string& objective,
                 const CrossTable& table) {
    const ObjectiveRow& info = study.objective(objective);
    print_head(out, study, "best " + objective_heading(info));
    std::vector<std::string> heading = {""};
    heading.insert(heading.end(), table.columns.begin(), table.columns.end());
    TextTable text(std::move(heading));
    bool is_any_pruned = false;
    std::vector<const DesignRow*> shown;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::vector<std::string> row = {table.rows[r]};
        for (const Cell& cell : table.cells[r]) {
            std::string value = cell.best ? number_text(info.value(*cell.best)) : "-";
            value += was_pruned(cell) ? '*' : ' ';
            if (cell.best) shown.push_back(&*cell.best);
            is_any_pruned = is_any_pruned || was_pruned(cell);
            row.push_back(std::move(value));
        }
        text.add(std::move(row));
    }
    text.print(out);
    if (is_any_pruned) {
        out << fmt::format(
            "\n  * some of these designs were proved not to be on the front, or to be outside of a"
            "\n    constraint, and not measured: their {} may be {} than this\n",
            objective, info.is_maximised ? "larger" : "smaller");
    }
    print_periods(out, shown);
}

}  // namespace flitscope
