// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/routers.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "testbench/app/energy/run_energy.h"
#include "testbench/app/gate_synthesis/router_estimate.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/study/explore/synthesis_time.h"

namespace flitscope::study {
namespace {

/// A figure that is certainly not larger, and plausible if little is known.
double at_best(double figure, double error) { return figure * std::max(0.1, 1 - error); }

}  // namespace

const hw::BuiltRouters& Routers::routers_of(const std::string& design) const {
    const auto [it, is_new] = parsed_.try_emplace(design);
    if (is_new) it->second = hw::parse_built_routers(design);
    return it->second;
}

std::vector<std::string> Routers::variants_of(const std::vector<std::string>& designs) const {
    std::set<std::string> names;
    for (const std::string& design : designs) {
        for (const hw::BuiltRouter& kind : routers_of(design)) names.insert(kind.variant.name());
    }
    return {names.begin(), names.end()};
}

std::vector<std::string> Routers::look_up(const std::vector<std::string>& designs) {
    return look_up_variants(variants_of(designs));
}

std::vector<std::string> Routers::look_up_variants(const std::vector<std::string>& names) {
    std::vector<std::string> missing;
    for (const std::string& name : names) {
        if (known_.count(name) != 0 || problems_.count(name) != 0) continue;
        if (!look_up(*hw::parse_rtl_variant(name))) missing.push_back(name);
    }
    return missing;
}

void Routers::add(const std::vector<std::string>& designs, bool may_estimate) {
    std::vector<std::string> wanted = variants_of(designs);
    if (may_estimate) {
        wanted.erase(
            std::remove_if(wanted.begin(), wanted.end(),
                           [&](const std::string& name) { return estimated_.count(name) != 0; }),
            wanted.end());
    }
    std::vector<hw::RtlVariant> missing;
    for (const std::string& name : look_up_variants(wanted)) {
        missing.push_back(*hw::parse_rtl_variant(name));
    }
    if (!estimates_ || !may_estimate) {
        synthesize(missing);
        return;
    }
    synthesize(to_synthesize(missing));
    estimate(missing);
}

std::vector<hw::RtlVariant> Routers::to_synthesize(
    const std::vector<hw::RtlVariant>& missing) const {
    if (!estimates_) return missing;
    std::vector<hw::RtlVariant> known;
    for (const auto& [name, router] : known_) known.push_back(router.variant);
    return routers_to_know(missing, known);
}

void Routers::make_certain(const std::vector<std::string>& designs) {
    std::vector<hw::RtlVariant> variants;
    for (const std::string& name : variants_of(designs)) {
        if (estimated_.count(name) != 0) variants.push_back(*hw::parse_rtl_variant(name));
    }
    synthesize(variants);
    estimate_again();
}

const RouterCost* Routers::cost_of_variant(const std::string& name) const {
    if (const auto it = costs_.find(name); it != costs_.end()) return &it->second;
    const auto it = estimated_.find(name);
    return it == estimated_.end() ? nullptr : &it->second.best;
}

const RouterCost* Routers::cost(const std::string& design) const {
    if (const auto it = of_designs_.find(design); it != of_designs_.end()) return &it->second;
    RouterCost cost;
    double routers = 0;
    std::vector<EnergyOfKind> energies;
    for (const hw::BuiltRouter& kind : routers_of(design)) {
        const RouterCost* const one = cost_of_variant(kind.variant.name());
        if (one == nullptr) return nullptr;
        routers += kind.count;
        cost.area_um2 += kind.count * one->area_um2;
        cost.power_mw += kind.count * one->power_mw;
        cost.largest_um2 = std::max(cost.largest_um2, one->area_um2);
        cost.period_ns = std::max(cost.period_ns, one->period_ns);
        add_kind_text(cost.kinds, kind.count, one->area_um2, kind.variant);
        if (one->energy) energies.push_back({kind, *one->energy});
    }
    if (routers == 0) return nullptr;
    cost.area_um2 /= routers;
    cost.power_mw /= routers;
    if (energies.size() == routers_of(design).size()) cost.energy = average_energy(energies);
    return &of_designs_.emplace(design, std::move(cost)).first->second;
}

const RouterCost* Routers::cost(const std::string& routers, const std::string& design) const {
    const RouterCost* const own = cost(routers);
    const RouterCost* const all = cost(design);
    if (own == nullptr || all == nullptr) return nullptr;
    if (own->period_ns == all->period_ns) return own;
    RouterCost& slower = of_designs_[routers + '\n' + design];
    slower = *own;
    slower.period_ns = all->period_ns;
    return &slower;
}

bool Routers::is_estimated(const std::string& design) const {
    const hw::BuiltRouters& routers = routers_of(design);
    return std::any_of(routers.begin(), routers.end(), [&](const hw::BuiltRouter& kind) {
        return estimated_.count(kind.variant.name()) != 0;
    });
}

std::string Routers::problem(const std::string& design) const {
    for (const hw::BuiltRouter& kind : routers_of(design)) {
        const auto it = problems_.find(kind.variant.name());
        if (it != problems_.end())
            return kind.variant.name() + " could not be synthesized: " + it->second;
    }
    return "";
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
    // The longest first: none is left alone at the end, and the time left does not grow.
    std::vector<std::pair<double, std::string>> longest;
    const SynthesisTime time({}, technology_);
    for (const hw::RtlVariant& variant : variants) {
        longest.emplace_back(-time.seconds(variant), variant.name());
    }
    std::sort(longest.begin(), longest.end());
    std::vector<std::string> names;
    for (auto& [seconds, name] : longest) names.push_back(std::move(name));
    const auto problems = synthesize_all(
        names,
        [this](const std::string& name) {
            const hw::RtlVariant variant = *hw::parse_rtl_variant(name);
            ::flitscope::synthesize(variant, technology_);
            if (with_energy_) router_energy(variant, technology_);
        },
        syntheses_);
    for (const hw::RtlVariant& variant : variants) {
        if (look_up(variant)) continue;
        const auto problem = problems.find(variant.name());
        problems_[variant.name()] =
            problem == problems.end() ? "the cache has lost it" : problem->second;
        estimated_.erase(variant.name());
        of_designs_.clear();
    }
}

bool Routers::look_up(const hw::RtlVariant& variant) {
    auto found = cached_synthesis(variant, technology_);
    if (!found) return false;
    RouterCost cost{found->area_um2, found->area_um2, found->min_period_ns, found->power_mw, {}};
    if (with_energy_) cost.energy = cached_router_energy(variant, technology_);
    if (with_energy_ && !cost.energy) return false;
    check(*found);
    of_designs_.clear();
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
            of_designs_.clear();
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
    const double area = at_best(estimate.area_um2, margin_ * errors.area);
    return {area, area, at_best(estimate.min_period_ns, margin_ * errors.period),
            at_best(estimate.power_mw, margin_ * errors.power) * estimate.power_period_ns / longest,
            std::nullopt};
}

}  // namespace flitscope::study
