// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Common to all searches: from choices to designs with bounds, and from those to measured ones.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/base/stopwatch.h"
#include "testbench/app/study/explore/exploration.h"
#include "testbench/app/study/explore/link_costs.h"
#include "testbench/app/study/explore/routers.h"
#include "testbench/app/study/explore/unwritten_outcomes.h"

namespace flitscope::study {

struct DesignPoint;

/// The purpose for which designs are measured.
enum class Purpose : std::uint8_t {
    kSearch,  ///< their results are judged and stored
    kTrial,   ///< to time it: only outcomes are stored, and nothing is synthesized
};

class Explorer {
public:
    Explorer(const Study& study, Database& database, const ExploreOptions& options,
             Purpose purpose = Purpose::kSearch);

    const Study& study() const { return study_; }
    const Space& space() const { return space_; }
    std::vector<Design>& designs() { return designs_; }
    ExploreResult& result() { return result_; }
    /// Routers that are synthesized, and those that are estimated, in all technologies.
    std::size_t known_routers() const;
    EstimateAccount estimates() const;
    /// For a trial: variants of routers and links that a search would synthesize.
    std::vector<std::string> unsynthesized() const;
    /// For a trial: the same as far as designs were added, and how long they are likely to take.
    SynthesesEstimate syntheses() const;
    const Front& front() const { return front_; }
    /// Number of processes at a time on this machine.
    std::size_t processes() const { return options_.processes; }

    /// So many designs will be settled: whoever reads the database sees how many are missing.
    void expect(std::uint64_t designs);
    /// Adds designs: builds, appraises and bounds them. Returns the index of the first.
    std::size_t add(const std::vector<Choices>& choices);
    /// Measures, in the order in which `next` names them; it is called whenever a process is free,
    /// and may return nothing. `on_measured` is called after every design. Results, and settled
    /// designs, are written as soon as all processes have work again.
    void measure(const std::function<std::optional<std::size_t>()>& next,
                 const std::function<void(std::size_t)>& on_measured);
    /// Measures these, in their order.
    void measure_all(const std::vector<std::size_t>& ids,
                     const std::function<void(std::size_t)>& on_measured);
    /// Whether its router was not synthesized: its bounds are those of an estimate.
    bool is_estimated(const Design& design) const {
        return prices(design).routers.is_estimated(design.router);
    }
    /// Synthesizes the routers of these designs, and bounds the waiting designs anew.
    void make_certain(const std::vector<std::size_t>& ids);
    /// Settles a design that is not measured to the end, with the reason.
    void settle(std::size_t id, DesignState state, std::string reason);
    /// Writes the settled designs and outcomes that are not written yet.
    void keep();

private:
    /// A simulation that a design needs.
    struct Run {
        std::size_t design;
        std::size_t workload;
        Cycle useful_cycles;
    };

    /// What routers and links cost in one technology.
    struct Prices {
        Routers routers;
        LinkCosts links;
        std::set<std::string> unsynthesized{};  ///< variants, in a trial
    };

    using Ids = std::vector<std::size_t>;

    Prices& prices(const TechnologyConfig& technology) const;
    Prices& prices(const Design& design) const { return prices(design.technology); }

    /// The point to be measured for a workload of a design, with the figures of its router if
    /// known.
    DesignPoint point(const Design& design, std::size_t workload) const;
    void note_payload(std::size_t workload, Config config);
    /// Builds a design. Returns its points, one per digest.
    std::vector<PointRow> build(Design& design);
    /// Whether its appraisals decide anything: designs drawn at random are measured whatever their
    /// bounds.
    bool needs_appraisals(const Design& design) const;
    void appraise(const Ids& ids);
    void find_routers(const Ids& ids);
    void take_router(std::size_t id);
    std::string unsynthesized_of(const Design& design) const;
    void find_links(const Ids& ids);
    void bound(std::size_t id);
    /// For a trial: settles a design that breaks a constraint for certain, by what is known without
    /// a synthesis.
    void rule_out(std::size_t id);
    /// All outcomes are in: computes the objectives. False if the design was refused.
    bool finish(std::size_t id);
    bool needs_router(const Design& design) const;
    bool is_trial() const { return purpose_ == Purpose::kTrial; }
    std::vector<Evaluation> evaluations(const Design& design) const;
    /// Looks up the kept outcomes of a design. Returns the runs that are missing.
    std::vector<Run> begin(std::size_t id);
    /// Stores an outcome. False if its simulation was stopped early.
    bool end(const Run& run, PointOutcome outcome);
    void learn_from_stopped(Design& design);
    void show(const char* stage, std::size_t done, std::size_t total, const Stopwatch& watch) const;

    const Study& study_;
    Database& database_;
    const ExploreOptions& options_;
    Purpose purpose_;
    Space space_;
    std::vector<Design> designs_;
    std::vector<std::size_t> settled_;  // designs that are not written yet
    Stopwatch synthesis_watch_;
    SynthesesOptions syntheses_;
    UnwrittenOutcomes outcomes_;
    mutable std::map<TechnologyConfig, Prices> prices_;
    Front front_;
    ExploreResult result_;
};

}  // namespace flitscope::study
