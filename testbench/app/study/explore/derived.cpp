// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/derived.h"

#include <algorithm>

#include "testbench/app/study/explore/exploration.h"

namespace flitscope::study {

std::string DerivedFigure::heading() const {
    const bool is_said = name.find(unit) != std::string::npos;
    return is_said ? name : name + " [" + unit + ']';
}

std::optional<double> DerivedFigure::value(const DesignRow& design) const {
    const auto found = design.derived.find(name);
    return found == design.derived.end() ? std::nullopt : std::optional(found->get<double>());
}

std::string DerivedFigure::title() const {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

const std::vector<DerivedFigure>& derived_figures() {
    static const std::vector<DerivedFigure> all{{"flit_bits", "bits", "fabric.flit_bits"},
                                                {"ports", "ports", ""},
                                                {"bisection_wires", "wires", ""}};
    return all;
}

Json derived_of(const std::vector<PointOutcome>& appraisals) {
    Json values = Json::object();
    if (appraisals.empty()) return values;
    for (const DerivedFigure& figure : derived_figures()) {
        const Metric* const first = appraisals.front().find(figure.name);
        const bool is_common =
            first != nullptr &&
            std::all_of(appraisals.begin(), appraisals.end(), [&](const PointOutcome& appraisal) {
                const Metric* const one = appraisal.find(figure.name);
                return one != nullptr && one->value == first->value;
            });
        if (is_common) values[figure.name] = first->value;
    }
    return values;
}

void add_derived(Database& database, std::vector<DesignRow>& designs) {
    for (DesignRow& design : designs) {
        std::vector<PointOutcome> appraisals;
        for (const MemberRow& member : database.members(design.digest)) {
            appraisals.push_back(
                database.find(appraisal_digest(member.point)).value_or(PointOutcome()));
        }
        design.derived = derived_of(appraisals);
    }
}

std::vector<DerivedFigure> further_figures(const std::vector<ObjectiveRow>& objectives,
                                           const Json& axes) {
    std::vector<DerivedFigure> further;
    for (const DerivedFigure& figure : derived_figures()) {
        const bool is_objective =
            std::any_of(objectives.begin(), objectives.end(),
                        [&](const ObjectiveRow& one) { return one.name == figure.name; });
        const bool is_axis = !figure.key.empty() && axes.contains(figure.key);
        if (!is_objective && !is_axis) further.push_back(figure);
    }
    return further;
}

std::vector<DerivedFigure> differing_figures(const std::vector<ObjectiveRow>& objectives,
                                             const std::vector<const DesignRow*>& designs) {
    if (designs.empty()) return {};
    std::vector<DerivedFigure> differing = further_figures(objectives, designs.front()->axes);
    const auto is_same = [&](const DerivedFigure& figure) {
        return std::all_of(designs.begin(), designs.end(), [&](const DesignRow* one) {
            return figure.value(*one) == figure.value(*designs.front());
        });
    };
    differing.erase(std::remove_if(differing.begin(), differing.end(), is_same), differing.end());
    return differing;
}

}  // namespace flitscope::study
