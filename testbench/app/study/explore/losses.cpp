// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/losses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "testbench/app/study/explore/views.h"

namespace flitscope::study {
namespace {

/// "mesh 2 (f13bddf92a)".
std::string name_of(const DesignRow& design, const std::string& labels) {
    constexpr std::size_t kShortDigest = 10;
    const std::string digest = design.digest.substr(0, kShortDigest);
    return labels.empty() ? digest : fmt::format("{} ({})", labels, digest);
}

/// Digests of other designs become what people call them.
std::string with_names(const std::string& reason, const std::map<std::string, std::string>& names) {
    const std::size_t from = std::string(kDominatedBy).size();
    if (reason.rfind(kDominatedBy, 0) != 0) return one_line(reason);
    const std::size_t end = std::min(reason.find_first_of(":,", from), reason.size());
    const auto name = names.find(reason.substr(from, end - from));
    if (name == names.end()) return one_line(reason);
    return kDominatedBy + name->second + reason.substr(end);
}

/// With this many significant digits, or as an integer if it is long.
std::string number(double value, int digits) {
    constexpr double kLong = 1000;
    return std::abs(value) < kLong ? fmt::format("{:.{}g}", value, digits)
                                   : fmt::format("{:.0f}", value);
}

/// How many times as good `a` is as `b`.
double times(const StudyRow& study, const DesignRow& a, const DesignRow& b) {
    double logarithms = 0;
    for (const ObjectiveRow& goal : study.objectives) {
        const double value = goal.value(a);
        const double other = goal.value(b);
        if (!(std::min(value, other) > 0)) return 0;
        logarithms += std::log(goal.is_maximised ? value / other : other / value);
    }
    return std::exp(logarithms / static_cast<double>(study.objectives.size()));
}

/// "time_ns 40 against 30, pins 8 against 4".
std::string values_text(const StudyRow& study, const DesignRow& loser, const DesignRow& winner) {
    std::vector<std::string> all;
    for (const ObjectiveRow& goal : study.objectives) {
        all.push_back(against_text(goal.name, "", goal.value(loser), goal.value(winner)));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

/// The design on the front that dominates a measured design by the largest factor, and that
/// factor. `best` are the objectives of the front.
const DesignRow* dominator(const StudyRow& study, const DesignRow& loser,
                           const std::vector<const DesignRow*>& front,
                           const std::vector<Objectives>& best, double& how_many_times) {
    const Objectives own = minimised(study, loser);
    const DesignRow* found = nullptr;
    for (std::size_t i = 0; i < front.size(); ++i) {
        if (!dominates(best[i], own)) continue;
        const double by = times(study, *front[i], loser);
        if (found != nullptr && by <= how_many_times) continue;
        found = front[i];
        how_many_times = by;
    }
    return found;
}

}  // namespace

std::string against_text(const std::string& objective, const std::string& bound, double loser,
                         double winner) {
    if (loser == winner) {
        return fmt::format("{} {}{} as well", objective, bound, number(loser, 4));
    }
    std::string own = number(loser, 4);
    std::string other = number(winner, 4);
    if (own == other) {
        own = number(loser, 6);
        other = number(winner, 6);
    }
    return fmt::format("{} {}{} against {}", objective, bound, own, other);
}

std::vector<Loss> losses(const StudyRow& study, const std::vector<DesignRow>& designs,
                         const std::vector<const DesignRow*>& front) {
    const std::set<const DesignRow*> winners(front.begin(), front.end());
    std::vector<Objectives> best;  // the winners'
    for (const DesignRow* winner : front) best.push_back(minimised(study, *winner));
    const std::set<std::string> constant = constant_axes(all_of(designs));
    std::map<std::string, std::string> names;
    for (const DesignRow& design : designs) {
        names.emplace(design.digest, name_of(design, what_differs(design, constant)));
    }
    std::vector<Loss> losses;
    for (const DesignRow& design : designs) {
        if (winners.count(&design) != 0) continue;
        Loss loss{&design, what_differs(design, constant), with_names(design.reason, names), 0};
        if (design.counts()) {
            const DesignRow* const by = dominator(study, design, front, best, loss.times);
            if (by != nullptr) {
                loss.reason = fmt::format("{}{}: {}", kDominatedBy, names.at(by->digest),
                                          values_text(study, design, *by));
            }
        }
        if (loss.reason.empty()) loss.reason = "not measured yet";
        losses.push_back(std::move(loss));
    }
    return losses;
}

std::vector<Loss> nearest_losses(const std::vector<Loss>& all,
                                 const std::vector<const DesignRow*>& front, std::size_t most) {
    if (all.size() <= most || all.front().design->axes.empty()) return all;
    const std::string axis = all.front().design->axes.begin().key();
    std::set<std::string> seen;
    for (const DesignRow* design : front) seen.insert(design->axes.at(axis).get<std::string>());
    std::vector<Loss> nearest;
    std::map<std::string, std::size_t> place_of;  // in `nearest`, by label
    for (const Loss& loss : all) {
        const auto label = loss.design->axes.at(axis).get<std::string>();
        if (seen.count(label) != 0) continue;
        const auto [place, is_new] = place_of.emplace(label, nearest.size());
        if (is_new) {
            nearest.push_back(loss);
            continue;
        }
        Loss& known = nearest[place->second];
        const bool is_nearer = loss.times != 0 && (known.times == 0 || loss.times < known.times);
        if (is_nearer) known = loss;
    }
    if (nearest.size() > most) nearest.resize(most);
    return nearest;
}

std::set<std::string> constant_axes(const std::vector<const DesignRow*>& designs) {
    std::set<std::string> constant;
    if (designs.empty()) return constant;
    for (const auto& [name, label] : designs.front()->axes.items()) {
        const bool is_same = std::all_of(designs.begin(), designs.end(),
                                         [&, &name = name, &label = label](const DesignRow* d) {
                                             return d->axes.at(name) == label;
                                         });
        if (is_same) constant.insert(name);
    }
    return constant;
}

std::string what_differs(const DesignRow& design, const std::set<std::string>& constant) {
    std::string text;
    for (const auto& [name, label] : design.axes.items()) {
        if (constant.count(name) != 0) continue;
        text += (text.empty() ? "" : " ") + label.get<std::string>();
    }
    return text;
}

}  // namespace flitscope::study
