// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The costs of the routers of a study: all synthesized, or some of them estimated from the others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

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
    /// `with_energy`: also their energy, which is not estimated. `estimates`: estimate where
    /// allowed and possible.
    Routers(SynthesesOptions syntheses, bool with_energy, bool estimates)
        : syntheses_(std::move(syntheses)), with_energy_(with_energy), estimates_(estimates) {}

    /// Takes what the cache has of these, by the names of their variants; returns the others.
    std::vector<std::string> look_up(const std::vector<std::string>& names);
    /// Finds out about these, by the names of their variants. Throws Cancelled.
    void add(const std::vector<std::string>& names, bool may_estimate);
    /// Synthesizes these. Estimates are updated with the new data. Throws Cancelled.
    void make_certain(const std::vector<std::string>& names);

    /// Null if it is not known. For an estimated router no figure is above its true one, as far as
    /// estimates can be trusted.
    const RouterCost* cost(const std::string& name) const;
    bool is_estimated(const std::string& name) const { return estimated_.count(name) != 0; }
    /// Why it could not be synthesized; empty if it was, or was not tried.
    std::string problem(const std::string& name) const;

    std::size_t known() const { return known_.size(); }
    EstimateAccount account() const;

private:
    struct Estimated {
        SynthesisResult middle;
        RouterCost best;
    };

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
    std::map<std::string, SynthesisResult> known_;
    std::map<std::string, RouterCost> costs_;  // of those
    std::map<std::string, Estimated> estimated_;
    std::map<std::string, std::string> problems_;
    /// The largest error of a few routers is not the largest of all.
    double margin_ = 1.5;
};

}  // namespace flitscope::study
