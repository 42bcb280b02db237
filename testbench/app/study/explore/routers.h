// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cost of the routers of a study: every kind is synthesized, or some are estimated from the
// others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "testbench/app/study/explore/objectives.h"
#include "testbench/app/study/syntheses.h"

namespace flitscope::study {

/// How good the estimates of a study's routers are.
struct EstimateAccount {
    std::size_t estimated = 0;  ///< routers that never were synthesized
    EstimateErrors errors;      ///< the largest of all kinds of routers
    double margin = 0;          ///< times these errors a router may be better than its estimate
};

class Routers {
public:
    /// All in one `technology`. `with_energy`: also their energy, which is not estimated.
    /// `estimates`: estimate where allowed and possible.
    Routers(SynthesesOptions syntheses, bool with_energy, bool estimates,
            TechnologyConfig technology = {})
        : syntheses_(std::move(syntheses)),
          with_energy_(with_energy),
          estimates_(estimates),
          technology_(std::move(technology)) {}

    // Routers of designs are given as hw::text_of() writes them.

    /// Takes what the cache has of these routers; returns the names of the variants that it has
    /// not.
    std::vector<std::string> look_up(const std::vector<std::string>& designs);
    /// Finds out about these routers. Throws Cancelled.
    void add(const std::vector<std::string>& designs, bool may_estimate);
    /// Synthesizes these routers. Those still estimated are estimated anew, as more is known.
    /// Throws Cancelled.
    void make_certain(const std::vector<std::string>& designs);
    /// Of these variants, none of them known, those that add() would synthesize.
    std::vector<hw::RtlVariant> to_synthesize(const std::vector<hw::RtlVariant>& missing) const;

    /// Null if a router is not known. No figure that is estimated is above the true one, as far as
    /// estimates can be trusted.
    const RouterCost* cost(const std::string& design) const;
    /// The cost of those `routers` of a design that one of its measurements has, at the period of
    /// the slowest of all.
    const RouterCost* cost(const std::string& routers, const std::string& design) const;
    /// Whether any of the routers is.
    bool is_estimated(const std::string& design) const;
    /// Why a router could not be synthesized; empty if all were, or were not tried.
    std::string problem(const std::string& design) const;

    std::size_t known() const { return known_.size(); }
    EstimateAccount account() const;

private:
    struct Estimated {
        SynthesisResult middle;
        RouterCost best;
    };

    const hw::BuiltRouters& routers_of(const std::string& design) const;
    /// The names of all their variants, each once.
    std::vector<std::string> variants_of(const std::vector<std::string>& designs) const;
    /// The cost of each of a kind; null if it is not known.
    const RouterCost* cost_of_variant(const std::string& name) const;
    std::vector<std::string> look_up_variants(const std::vector<std::string>& names);
    void synthesize(const std::vector<hw::RtlVariant>& variants);
    /// Whether the cache has it.
    bool look_up(const hw::RtlVariant& variant);
    void estimate(const std::vector<hw::RtlVariant>& variants);
    void estimate_again();
    void check(const SynthesisResult& truth);
    RouterCost best_of(const SynthesisResult& estimate) const;

    SynthesesOptions syntheses_;
    bool with_energy_;
    bool estimates_;
    TechnologyConfig technology_;
    // By the name of a variant.
    std::map<std::string, SynthesisResult> known_;
    std::map<std::string, RouterCost> costs_;  // of those
    std::map<std::string, Estimated> estimated_;
    std::map<std::string, std::string> problems_;
    // By the routers of a design.
    mutable std::map<std::string, hw::BuiltRouters> parsed_;
    mutable std::map<std::string, RouterCost> of_designs_;  // until more is known
    /// The largest error of a few routers is not the largest of all.
    double margin_ = 1.5;
};

}  // namespace flitscope::study
