// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "models/base/printable.h"
#include "models/base/shell_word.h"
#include "testbench/app/study/explore/objectives.h"

namespace flitscope::study {
namespace {

/// Characters that a shell does not take literally.
constexpr const char* kShellSigns = " \t\n\"'\\$`!*?#&|;<>(){}[]~";

/// The labels of an axis in the order in which the designs have them.
std::vector<std::string> labels_of(const std::vector<DesignRow>& designs, const std::string& axis) {
    std::vector<std::string> labels;
    for (const DesignRow& design : designs) {
        if (!design.axes.contains(axis)) {
            throw std::out_of_range("the study has no axis '" + axis + '\'');
        }
        const auto label = design.axes.at(axis).get<std::string>();
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
    return labels;
}

/// `text` with a mark instead of every number.
std::string without_numbers(const std::string& text) {
    std::string rest;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            rest += c;
            continue;
        }
        if (rest.empty() || rest.back() != '#') rest += '#';
        for (const std::string_view one : {"#.#", "#e+#", "#e-#"}) {  // 1.25, 1e+06
            const std::size_t size = one.size();
            if (rest.size() >= size && rest.compare(rest.size() - size, size, one) == 0) {
                rest.resize(rest.size() - size + 1);
            }
        }
    }
    return rest;
}

using Group = std::vector<const DesignRow*>;
using Names = std::vector<std::string>;

Names labels(const DesignRow& design, const Names& axes) {
    Names all;
    for (const std::string& axis : axes) all.push_back(design.axes.at(axis).get<std::string>());
    return all;
}

/// Whether each of several labels of one axis goes with one of the other.
bool are_tied(const std::vector<DesignRow>& designs, const std::string& axis,
              const std::string& other) {
    std::map<std::string, std::string> forth;
    std::map<std::string, std::string> back;
    for (const DesignRow& design : designs) {
        const Names pair = labels(design, {axis, other});
        if (forth.emplace(pair[0], pair[1]).first->second != pair[1]) return false;
        if (back.emplace(pair[1], pair[0]).first->second != pair[0]) return false;
    }
    return forth.size() > 1;
}

/// The axes; those that only differ together are combined.
std::vector<Names> tied_axes(const std::vector<DesignRow>& designs) {
    std::vector<Names> all;
    for (const auto& [axis, label] : designs.front().axes.items()) {
        const auto with = std::find_if(
            all.begin(), all.end(),
            [&, &axis = axis](const Names& tied) { return are_tied(designs, tied.front(), axis); });
        if (with == all.end()) {
            all.push_back({axis});
        } else {
            with->push_back(axis);
        }
    }
    return all;
}

/// Designs that agree on all axes but these.
std::vector<Group> groups_along(const std::vector<const DesignRow*>& designs, const Names& axes) {
    std::map<std::string, Group> groups;
    for (const DesignRow* design : designs) {
        Json others = design->axes;
        for (const std::string& axis : axes) others.erase(axis);
        groups[others.dump()].push_back(design);
    }
    std::vector<Group> list;
    for (auto& [others, group] : groups) {
        if (group.size() > 1) list.push_back(std::move(group));
    }
    return list;
}

AxisEffect effect(const Names& axes, const ObjectiveRow& goal, const std::vector<Group>& groups) {
    AxisEffect effect;
    effect.axes = axes;
    effect.objective = goal.name;
    double logarithms = 0;
    std::map<Names, std::size_t> wins;
    for (const Group& group : groups) {
        const auto is_better = [&](const DesignRow* a, const DesignRow* b) {
            return goal.is_better(goal.value(*a), goal.value(*b));
        };
        const auto [best, worst] = std::minmax_element(group.begin(), group.end(), is_better);
        const double value = goal.value(**best);
        const double other = goal.value(**worst);
        if (!(std::min(value, other) > 0)) continue;
        const double ratio = std::max(value, other) / std::min(value, other);
        ++effect.groups;
        logarithms += std::log(ratio);
        effect.most = std::max(effect.most, ratio);
        const auto equals = std::count_if(group.begin(), group.end(), [&](const DesignRow* one) {
            return goal.value(*one) == value;
        });
        if (equals == 1) ++wins[labels(**best, axes)];
    }
    if (effect.groups != 0) {
        effect.spread = std::exp(logarithms / static_cast<double>(effect.groups));
    }
    for (const auto& [best, count] : wins) {
        if (count <= effect.wins) continue;
        effect.best = best;
        effect.wins = count;
    }
    return effect;
}

}  // namespace

std::vector<const DesignRow*> all_of(const std::vector<DesignRow>& designs) {
    std::vector<const DesignRow*> all;
    for (const DesignRow& design : designs) all.push_back(&design);
    return all;
}

std::vector<const DesignRow*> counting(const std::vector<DesignRow>& designs) {
    std::vector<const DesignRow*> all;
    for (const DesignRow& design : designs) {
        if (design.counts()) all.push_back(&design);
    }
    return all;
}

Objectives minimised(const StudyRow& study, const DesignRow& row) {
    Objectives objectives;
    for (const ObjectiveRow& objective : study.objectives) {
        const double value = objective.value(row);
        objectives.push_back(objective.is_maximised ? -value : value);
    }
    return objectives;
}

std::vector<const DesignRow*> front_of(const StudyRow& study,
                                       const std::vector<const DesignRow*>& measured) {
    std::vector<Objectives> objectives;
    for (const DesignRow* design : measured) objectives.push_back(minimised(study, *design));
    std::vector<std::size_t> front = pareto_front(objectives);
    std::sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
        return objectives[a] != objectives[b] ? objectives[a] < objectives[b]
                                              : measured[a]->digest < measured[b]->digest;
    });
    std::vector<const DesignRow*> designs;
    for (const std::size_t i : front) designs.push_back(measured[i]);
    return designs;
}

std::string incomplete_text(const StudyRow& study) {
    if (study.is_complete) return "";
    if (study.expected == 0) {
        return fmt::format("INCOMPLETE: {} designs, and the search has not finished",
                           study.designs);
    }
    return fmt::format("INCOMPLETE: {} of {} designs", study.designs, study.expected);
}

std::string settings_text(const StudyRow& study) {
    std::string text;
    for (const std::string& setting : study.settings.value_or(std::vector<std::string>{})) {
        const bool is_plain = setting.find_first_of(kShellSigns) == std::string::npos;
        text += text.empty() ? "--set " : " --set ";
        text += printable(is_plain ? setting : shell_word(setting));
    }
    return text;
}

std::string one_line(const std::string& text) {
    std::string line;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::size_t begin = std::min(text.find_first_not_of(" \t", from), end);
        if (begin < end) {
            if (!line.empty()) line += line.back() == ':' ? " " : "; ";
            line.append(text, begin, end - begin);
        }
        from = end + 1;
    }
    return line;
}

std::vector<Exclusion> exclusions(const std::vector<DesignRow>& designs) {
    std::vector<Exclusion> all;
    std::map<std::pair<DesignState, std::string>, std::size_t> known;
    for (const DesignRow& design : designs) {
        if (design.counts()) continue;
        std::string reason = one_line(design.reason);
        reason.resize(std::min(reason.size(), reason.find(kOfWhich)));  // which is its own
        const auto [it, is_new] =
            known.emplace(std::pair(design.state, without_numbers(reason)), all.size());
        if (is_new) all.push_back({design.state, reason, 0, false});
        Exclusion& one = all[it->second];
        ++one.designs;
        one.is_only_like |= one.reason != reason;
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Exclusion& a, const Exclusion& b) { return a.designs > b.designs; });
    return all;
}

std::vector<AxisEffect> axis_effects(const StudyRow& study, const std::vector<DesignRow>& designs) {
    std::vector<AxisEffect> effects;
    if (designs.empty()) return effects;
    const std::vector<const DesignRow*> measured = counting(designs);
    for (const Names& axes : tied_axes(designs)) {
        const std::vector<Group> groups = groups_along(measured, axes);
        for (const ObjectiveRow& goal : study.objectives) {
            effects.push_back(effect(axes, goal, groups));
        }
    }
    return effects;
}

std::vector<BudgetChoice> best_within(const StudyRow& study, const std::vector<DesignRow>& designs,
                                      const std::string& budget,
                                      const std::vector<double>& limits) {
    const ObjectiveRow& spent = study.objective(budget);
    const std::vector<const DesignRow*> measured = counting(designs);
    std::vector<BudgetChoice> choices;
    for (const double limit : limits) {
        for (const ObjectiveRow& goal : study.objectives) {
            if (goal.name == budget) continue;
            BudgetChoice choice{limit, goal.name, {}};
            // On a tie, the one that leaves more of the budget, then by the others, so that it is
            // on the front.
            std::vector<const ObjectiveRow*> order = {&goal, &spent};
            for (const ObjectiveRow& other : study.objectives) order.push_back(&other);
            const auto is_better = [&order](const DesignRow& one, const DesignRow& other) {
                for (const ObjectiveRow* by : order) {
                    const double value = by->value(one);
                    const double against = by->value(other);
                    if (value != against) return by->is_better(value, against);
                }
                return false;
            };
            for (const DesignRow* design : measured) {
                if (spent.is_better(limit, spent.value(*design))) continue;
                if (!choice.design || is_better(*design, *choice.design)) choice.design = *design;
            }
            choices.push_back(std::move(choice));
        }
    }
    return choices;
}

CrossTable cross_table(const StudyRow& study, const std::vector<DesignRow>& designs,
                       const std::string& row_axis, const std::string& column_axis,
                       const std::string& objective) {
    const ObjectiveRow& goal = study.objective(objective);
    CrossTable table{labels_of(designs, row_axis), labels_of(designs, column_axis), {}};
    table.cells.assign(table.rows.size(), std::vector<Cell>(table.columns.size()));
    const auto index = [](const std::vector<std::string>& labels, const Json& label) {
        return static_cast<std::size_t>(
            std::find(labels.begin(), labels.end(), label.get<std::string>()) - labels.begin());
    };
    for (const DesignRow& design : designs) {
        Cell& cell = table.cells[index(table.rows, design.axes.at(row_axis))]
                                [index(table.columns, design.axes.at(column_axis))];
        if (design.state == DesignState::kRefused) continue;
        ++cell.all;
        if (design.state == DesignState::kSimulated) ++cell.measured;
        if (!design.counts()) continue;
        if (!cell.best || goal.is_better(goal.value(design), goal.value(*cell.best))) {
            cell.best = design;
        }
    }
    return table;
}

}  // namespace flitscope::study
