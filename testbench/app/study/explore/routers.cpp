// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/routers.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "testbench/app/gate_synthesis/router_estimate.h"

namespace flitscope::study {
namespace {

/// A figure that is certainly not larger, and plausible if little is known.
double at_best(double figure, double error) { return figure * std::max(0.1, 1 - error); }

}  // namespace

std::vector<std::string> Routers::look_up(const std::vector<std::string>& names) {
    std::vector<std::string> missing;
    for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
        if (known_.count(name) != 0 || problems_.count(name) != 0) continue;
        if (!look_up(*hw::parse_rtl_variant(name))) missing.push_back(name);
    }
    return missing;
}

void Routers::add(const std::vector<std::string>& names, bool may_estimate) {
    std::vector<std::string> wanted;
    std::copy_if(names.begin(), names.end(), std::back_inserter(wanted),
                 [&](const std::string& name) { return !may_estimate || !is_estimated(name); });
    std::vector<hw::RtlVariant> missing;
    for (const std::string& name : look_up(wanted)) {
        missing.push_back(*hw::parse_rtl_variant(name));
    }
    if (!estimates_ || !may_estimate) {
        synthesize(missing);
        return;
    }
    std::vector<hw::RtlVariant> known;
    for (const auto& [name, router] : known_) known.push_back(router.variant);
    synthesize(routers_to_know(missing, known));
    estimate(missing);
}

void Routers::make_certain(const std::vector<std::string>& names) {
    std::vector<hw::RtlVariant> variants;
    for (const std::string& name : names) {
        if (is_estimated(name)) variants.push_back(*hw::parse_rtl_variant(name));
    }
    synthesize(variants);
    estimate_again();
}

const RouterCost* Routers::cost(const std::string& name) const {
    if (const auto it = costs_.find(name); it != costs_.end()) return &it->second;
    const auto it = estimated_.find(name);
    return it == estimated_.end() ? nullptr : &it->second.best;
}

std::string Routers::problem(const std::string& name) const {
    const auto it = problems_.find(name);
    return it == problems_.end() ? "" : it->second;
}

EstimateAccount Routers::account() const {
    EstimateAccount account{estimated_.size(), {}, margin_};
    for (const auto& [name, one] : estimated_) {
        const EstimateErrors& errors = *one.middle.estimated;
        account.errors.area = std::max(account.errors.area, errors.area);
        account.errors.period = std::max(account.errors.period, errors.period);
        account.errors.power = std::max(account.errors.power, errors.power);
        account.errors.known = std::max(account.errors.known, errors.known);
    }
    return account;
}

void Routers::synthesize(const std::vector<hw::RtlVariant>& variants) {
    std::vector<std::string> names;
    for (const hw::RtlVariant& variant : variants) names.push_back(variant.name());
    const auto problems = synthesize_all(
        names,
        [this](const std::string& name) {
            const hw::RtlVariant variant = *hw::parse_rtl_variant(name);
            ::flitscope::synthesize(variant, {});
            if (with_energy_) router_energy(variant, {});
        },
        syntheses_);
    for (const hw::RtlVariant& variant : variants) {
        if (look_up(variant)) continue;
        const auto problem = problems.find(variant.name());
        problems_[variant.name()] =
            problem == problems.end() ? "the cache has lost it" : problem->second;
        estimated_.erase(variant.name());
    }
}

bool Routers::look_up(const hw::RtlVariant& variant) {
    auto found = cached_synthesis(variant, {});
    if (!found) return false;
    RouterCost cost{found->area_um2, found->min_period_ns, found->power_mw, {}};
    if (with_energy_) cost.energy = cached_router_energy(variant, {});
    if (with_energy_ && !cost.energy) return false;
    check(*found);
    const std::string name = variant.name();
    estimated_.erase(name);
    costs_[name] = std::move(cost);
    known_[name] = *std::move(found);
    return true;
}

/// Whether a router came out better than its estimate allowed; then others may, too.
void Routers::check(const SynthesisResult& truth) {
    const auto it = estimated_.find(truth.variant.name());
    if (it == estimated_.end()) return;
    const SynthesisResult& guess = it->second.middle;
    const EstimateErrors& errors = *guess.estimated;
    const auto widen = [this](double guessed, double found, double error) {
        constexpr double kRoom = 1.1;
        if (error > 0) margin_ = std::max(margin_, kRoom * (1 - found / guessed) / error);
    };
    if (truth.area_um2 < it->second.best.area_um2) {
        widen(guess.area_um2, truth.area_um2, errors.area);
    }
    if (truth.min_period_ns < it->second.best.period_ns) {
        widen(guess.min_period_ns, truth.min_period_ns, errors.period);
    }
    if (truth.power_mw < it->second.best.power_mw) {
        widen(guess.power_mw, truth.power_mw, errors.power);
    }
}

void Routers::estimate(const std::vector<hw::RtlVariant>& variants) {
    std::vector<SynthesisResult> known;
    for (const auto& [name, router] : known_) known.push_back(router);
    const RouterEstimator estimator(known);
    std::vector<hw::RtlVariant> unlike;
    for (const hw::RtlVariant& variant : variants) {
        if (known_.count(variant.name()) != 0 || problems_.count(variant.name()) != 0) continue;
        if (auto middle = estimator.estimate(variant)) {
            const RouterCost best = best_of(*middle);
            estimated_[variant.name()] = {*std::move(middle), best};
        } else {
            unlike.push_back(variant);
        }
    }
    synthesize(unlike);
}

void Routers::estimate_again() {
    std::vector<hw::RtlVariant> variants;
    for (const auto& [name, one] : estimated_) variants.push_back(one.middle.variant);
    estimate(variants);
}

RouterCost Routers::best_of(const SynthesisResult& estimate) const {
    const EstimateErrors& errors = *estimate.estimated;
    // The longer the period, the less power: at the longest that it may have.
    const double longest = power_period_ns(estimate.conditions.period_ns,
                                           estimate.min_period_ns * (1 + margin_ * errors.period));
    return {at_best(estimate.area_um2, margin_ * errors.area),
            at_best(estimate.min_period_ns, margin_ * errors.period),
            at_best(estimate.power_mw, margin_ * errors.power) * estimate.power_period_ns / longest,
            std::nullopt};
}

}  // namespace flitscope::study
