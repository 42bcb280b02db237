// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the routers and links of designs cost, each design in its technology.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_variant.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/router_of.h"
#include "testbench/app/study/appraisal.h"
#include "testbench/app/study/explore/design_figures.h"
#include "testbench/app/study/explore/explorer.h"
#include "testbench/app/study/explore/synthesis_time.h"

namespace flitscope::study {

Explorer::Prices& Explorer::prices(const TechnologyConfig& technology) const {
    const auto found = prices_.find(technology);
    if (found != prices_.end()) return found->second;
    const bool with_energy = study_.needs(&MetricInfo::needs_energy);
    return prices_
        .emplace(technology,
                 Prices{Routers(syntheses_, with_energy, options_.estimates_routers, technology),
                        LinkCosts(syntheses_, technology)})
        .first->second;
}

bool Explorer::needs_router(const Design& design) const {
    return design.needs_figures ||
           std::count(design.clock_ns.begin(), design.clock_ns.end(), 0) != 0 ||
           study_.needs(&MetricInfo::needs_router);
}

/// Finds out what the routers of these designs cost: each variant once.
void Explorer::find_routers(const Ids& ids) {
    struct Names {
        std::vector<std::string> exact;    // whose figures decide what is simulated
        std::vector<std::string> roughly;  // those of the others may be estimates for a while
    };
    std::map<TechnologyConfig, Names> all;
    for (const std::size_t id : ids) {
        Design& design = designs_[id];
        if (design.state != DesignState::kWaiting || !needs_router(design)) continue;
        DesignRouter router = only_router(study_, design);
        design.router = std::move(router.name);
        if (!router.problem.empty()) {
            settle(id, DesignState::kRefused, std::move(router.problem));
            continue;
        }
        Names& names = all[design.technology];
        (design.needs_figures ? names.exact : names.roughly).push_back(design.router);
    }
    for (const auto& [technology, names] : all) {
        Prices& in = prices(technology);
        if (is_trial()) {
            for (const auto* const some : {&names.exact, &names.roughly}) {
                const std::vector<std::string> unknown = in.routers.look_up(*some);
                in.unsynthesized.insert(unknown.begin(), unknown.end());
            }
        } else {
            in.routers.add(names.exact, false);
            in.routers.add(names.roughly, true);
        }
    }
    for (const std::size_t id : ids) take_router(id);
}

/// For a trial: a router of the design that is not synthesized; empty if all are.
std::string Explorer::unsynthesized_of(const Design& design) const {
    const std::set<std::string>& unknown = prices(design).unsynthesized;
    for (const hw::BuiltRouter& kind : hw::parse_built_routers(design.router)) {
        if (unknown.count(kind.variant.name()) != 0) return kind.variant.name();
    }
    return "";
}

/// Takes the synthesized figures of a design's routers.
void Explorer::take_router(std::size_t id) {
    Design& design = designs_[id];
    if (design.state != DesignState::kWaiting || design.router.empty()) return;
    const Routers& routers = prices(design).routers;
    if (const std::string problem = routers.problem(design.router); !problem.empty()) {
        settle(id, DesignState::kRefused, problem);
    } else if (const std::string missing = unsynthesized_of(design); !missing.empty()) {
        if (!design.needs_figures) return;  // a run takes as long with any clock
        settle(id, DesignState::kRefused,
               fmt::format("{} is not synthesized, and the delays of its wires follow from it",
                           missing));
    } else if (!is_estimated(design)) {
        std::replace(design.clock_ns.begin(), design.clock_ns.end(), 0.0,
                     synthesized_clock_ns(routers.cost(design.router)->period_ns));
    }
}

void Explorer::make_certain(const std::vector<std::size_t>& ids) {
    std::map<TechnologyConfig, std::vector<std::string>> names;
    for (const std::size_t id : ids) names[designs_[id].technology].push_back(designs_[id].router);
    for (const auto& [technology, some] : names) prices(technology).routers.make_certain(some);
    for (std::size_t id = 0; id < designs_.size(); ++id) {
        if (designs_[id].router.empty()) continue;
        if (!designs_[id].outcomes.empty()) continue;  // begun: settled by what is measured
        take_router(id);
        if (designs_[id].state == DesignState::kWaiting) bound(id);
    }
}

/// Finds the area of the registers of the designs' links.
void Explorer::find_links(const Ids& ids) {
    if (!study_.needs(&MetricInfo::needs_links)) return;
    std::map<std::size_t, std::vector<FabricLinks>> fabrics;  // one per workload
    std::map<TechnologyConfig, std::vector<LinkVariant>> all;
    for (const std::size_t id : ids) {
        const Design& design = designs_[id];
        if (design.state != DesignState::kWaiting) continue;
        const hw::RtlVariant router = hw::parse_built_routers(design.router).front().variant;
        for (const PointOutcome& appraisal : design.appraisals) {
            const FabricLinks& links = fabrics[id].emplace_back(FabricLinks{
                {router.virtual_channels, router.flit_bits}, appraised_links(appraisal)});
            for (const LinkVariant& variant : links.variants()) {
                all[design.technology].push_back(variant);
            }
        }
    }
    for (const auto& [technology, variants] : all) {
        Prices& in = prices(technology);
        if (is_trial()) {
            const std::vector<std::string> unknown = in.links.look_up(variants);
            in.unsynthesized.insert(unknown.begin(), unknown.end());
        } else {
            in.links.add(variants);
        }
    }
    if (is_trial()) return;
    for (const auto& [id, workloads] : fabrics) {
        Design& design = designs_[id];
        const LinkCosts& costs = prices(design).links;
        const auto area_of = [&](const LinkVariant& variant) { return costs.area_um2(variant); };
        design.links_um2.clear();
        for (const FabricLinks& links : workloads) {
            if (design.state != DesignState::kWaiting) break;
            if (const auto area = links.total_um2(area_of)) {
                design.links_um2.push_back(*area);
                continue;
            }
            for (const LinkVariant& variant : links.variants()) {
                const std::string problem = costs.problem(variant);
                if (problem.empty()) continue;
                settle(id, DesignState::kRefused,
                       fmt::format("{} could not be synthesized: {}", variant.name(), problem));
                break;
            }
        }
    }
}

std::size_t Explorer::known_routers() const {
    std::size_t known = 0;
    for (const auto& [technology, in] : prices_) known += in.routers.known();
    return known;
}

EstimateAccount Explorer::estimates() const {
    EstimateAccount all;
    for (const auto& [technology, in] : prices_) {
        const EstimateAccount one = in.routers.account();
        all.estimated += one.estimated;
        all.errors.area = std::max(all.errors.area, one.errors.area);
        all.errors.period = std::max(all.errors.period, one.errors.period);
        all.errors.power = std::max(all.errors.power, one.errors.power);
        all.errors.known = std::max(all.errors.known, one.errors.known);
        all.margin = std::max(all.margin, one.margin);
    }
    return all;
}

std::vector<std::string> Explorer::unsynthesized() const {
    std::vector<std::string> names;
    for (const auto& [technology, in] : prices_) {
        for (const std::string& name : in.unsynthesized) {
            names.push_back(technology.is_standard() ? name : name + " in " + technology.text());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

SynthesesEstimate Explorer::syntheses() const {
    SynthesesEstimate estimate;
    estimate.examined = designs_.size();
    for (const auto& [technology, in] : prices_) {
        std::vector<hw::RtlVariant> missing;
        for (const std::string& name : in.unsynthesized) {
            if (const auto router = hw::parse_rtl_variant(name)) {
                missing.push_back(*router);
            } else {
                ++estimate.links;
                estimate.seconds += kLinkSynthesisSeconds;
            }
        }
        const bool with_energy = study_.needs(&MetricInfo::needs_energy);
        const SynthesisTime time(missing, technology);
        for (const hw::RtlVariant& router : in.routers.to_synthesize(missing)) {
            ++estimate.routers;
            estimate.seconds += time.seconds(router) * (with_energy ? kWithEnergy : 1);
        }
    }
    estimate.seconds /= options_.processes;
    return estimate;
}

}  // namespace flitscope::study
