// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a study: builds its designs, looks up or measures what is asked for, keeps it, and finds the
// front.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/objectives.h"
#include "testbench/app/study/explore/pareto.h"
#include "testbench/app/study/explore/routers.h"
#include "testbench/app/study/explore/space.h"
#include "testbench/app/study/explore/study_file.h"
#include "testbench/app/study/explore/views.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {

/// A design as far as it is known.
struct Design {
    Choices choices;
    std::vector<std::string> labels;
    std::string digest;               ///< empty if it cannot be built
    std::vector<std::string> points;  ///< digests of what is to be measured, one per workload
    std::vector<double> clock_ns;     ///< per workload; 0: the period of the router
    /// The configuration depends on figures of the router: points, appraisals and digest are those
    /// with the figures filled in, as soon as they are known.
    bool needs_figures = false;
    std::vector<PointOutcome> appraisals;  ///< per workload; empty if not needed
    std::vector<PointOutcome> outcomes;    ///< per workload; empty until measured
    bool is_synthesized = false;           ///< clock_ns is that of its router
    std::string router;                    ///< variant to synthesize, if needed
    TechnologyConfig technology;           ///< in which it is
    std::vector<double> links_um2;         ///< of the registers of links, per workload; if needed
    DesignState state = DesignState::kWaiting;
    std::string reason;
    Objectives best;        ///< minimised: no worse than what a measurement can give
    Objectives objectives;  ///< minimised, once measured
    /// How far known constraints are exceeded: the sum of shares of their limits.
    double violation = 0;
    /// Why it is ruled out if its router is no better than the estimate; it waits, as estimates may
    /// change.
    std::string ruled_out;
};

struct ExploreProgress {
    const char* stage = "";  ///< "appraising", "synthesizing", "simulating"
    std::size_t done = 0;
    std::size_t total = 0;  ///< 0: not known
    std::size_t pruned = 0;
    std::size_t on_front = 0;
    double seconds = 0;  ///< since the stage began
};

struct ExploreOptions {
    std::string engine;
    unsigned processes = 1;  ///< at a time, for appraisals and syntheses
    WorkerPool simulate = process_worker_pool({});
    std::function<void(const ExploreProgress&)> on_progress = {};
    std::function<bool()> is_cancelled = {};
    /// Routers are estimated from some that are synthesized, and synthesized themselves before a
    /// design of theirs is measured; with the exact search only.
    bool estimates_routers = false;
    /// For estimate(): called with the number of designs before any of them is measured. May be
    /// empty.
    std::function<void(std::uint64_t designs)> on_designs = {};
    double most_trial_seconds = 10;  ///< that estimate() takes
    /// Told of a kept study (Database::replaced_by) before `study` replaces it. May be empty.
    std::function<void(const StudyRow& kept, const StudyRow& study)> on_replaced = {};
};

/// The payload rate that a load in flits per cycle means, over all designs, in a workload that
/// simulates one load of a pattern.
struct PayloadSpread {
    std::string workload;
    double least = 0;        ///< Gbit/s per node, or bits per cycle and node
    double most = 0;         ///< likewise
    bool is_in_gbps = true;  ///< else the clock of a design is not known before its synthesis

    /// Designs do so much more work than others that their times and energies cannot be compared.
    bool is_unequal() const { return most > 1.01 * least; }
};

/// The result of a study. Every design counts once.
struct ExploreResult {
    std::uint64_t points = 0;     ///< designs that the study names and its conditions admit
    std::uint64_t simulated = 0;  ///< measured now, those that were stopped included
    std::uint64_t stopped = 0;    ///< of these, stopped once they could no longer be on the front
    std::uint64_t reused = 0;     ///< measured before
    std::uint64_t pruned = 0;     ///< proved not to be on the front, or outside a constraint
    std::uint64_t refused = 0;    ///< cannot be built, or their measurement failed
    /// among the refused: their process ended abnormally, e.g. out of memory
    std::uint64_t crashed = 0;
    std::string crash;                    ///< how the first of these ended
    std::uint64_t routers = 0;            ///< synthesized, now or before
    EstimateAccount estimates;            ///< of the estimated routers
    std::vector<Design> front;            ///< in order of the objectives
    std::vector<PayloadSpread> payloads;  ///< of the workloads that have one
    std::vector<Exclusion> why_refused;   ///< reasons for `refused`, the most frequent first
    std::vector<Exclusion> why_empty;     ///< for an empty front: why no design is on it
    double wall_seconds = 0;              ///< elapsed time of this run
    double simulation_seconds = 0;        ///< time of its simulations, one after the other
};

/// The syntheses that a study still needs.
struct SynthesesEstimate {
    std::size_t examined = 0;  ///< designs whose routers and links these are
    std::size_t routers = 0;
    std::size_t links = 0;
    double seconds = 0;     ///< they are likely to take
    bool is_least = false;  ///< not all designs could be examined in time, so there may be more
};

/// Estimates how long a study will take, by measuring a few of its designs, on this machine and
/// for ExploreOptions::most_trial_seconds. Their outcomes are kept; the rest of the study in the
/// database stays as it is. Nothing is synthesized.
struct ExploreEstimate {
    std::uint64_t points = 0;
    std::size_t tried = 0;      ///< designs tried
    std::size_t ruled_out = 0;  ///< tried, and ruled out by constraints, so they were not measured
    std::size_t measured = 0;   ///< tried and measured
    /// Assumes that constraints rule out the same share as of those tried, and that the rest are
    /// simulated; none if none of those tried could be simulated.
    std::optional<double> seconds;
    bool is_least = false;  ///< a simulation was stopped, so it takes longer
    std::string problem;    ///< why none could be: that of the first one
    /// Variants of routers and links of these that are not synthesized: that comes on top.
    std::vector<std::string> unsynthesized;
    SynthesesEstimate syntheses;  ///< of all designs
};

/// Throw ConfigError if no design can be built, as far as they look; DatabaseError; Cancelled, with
/// everything kept that was measured by then.
ExploreResult explore(const Study& study, Database& database, const ExploreOptions& options);
ExploreEstimate estimate(const Study& study, Database& database, const ExploreOptions& options);

/// Keeps the outcome of the point of that digest, but not that of a crash, which proves nothing,
/// and not that of a stopped run instead of a complete one.
void keep_outcome(Database& database, const std::string& digest, const PointRow& point,
                  const PointOutcome& outcome);

/// Under which the appraisal of a point is kept.
std::string appraisal_digest(const std::string& point);

/// A study and a design as they are stored and reported: objectives by name, in their unit, not
/// minimised.
StudyRow study_row(const Study& study);
DesignRow design_row(const Study& study, const Design& design);

}  // namespace flitscope::study
