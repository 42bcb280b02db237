// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A schedule is found, proved without a simulator, written as a program file, and that file is
// simulated: what `flitscope find-schedule` does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/simulation.h"
#include "traffic/program/program.h"
#include "traffic/schedules/synthesis/bounds/collective_bound.h"
#include "traffic/schedules/synthesis/chunk_check.h"
#include "traffic/schedules/synthesis/chunk_schedule.h"
#include "traffic/schedules/synthesis/request_rules.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope {

struct SynthesisOptions {
    synthesis::SynthesisRequest request;
    synthesis::RequestPlaces places;
    double seconds = 0;  ///< for the search; 0: a few attempts
    std::string file;    ///< to write, .csv or .yaml; an ordinary one, which is read again
    /// Called once the search has ended, before anything is written.
    std::function<void()> on_found;
    std::string engine = "auto";
    SimulationOptions simulation;
};

/// A run of an algorithm of the catalogue for the same collective. Its messages are not cut into
/// chunks that could be followed, so no check here proves it: tests of the catalogue do.
struct CatalogueRun {
    std::string schedule;
    std::string algorithm;  ///< empty if the schedule has no variants
    Cycle cycles = 0;
};

/// A run of a schedule that was found and not taken.
struct OtherRun {
    std::string method;
    Cycle cycles = 0;
};

struct SynthesisRun {
    synthesis::ChunkSchedule schedule;
    synthesis::CollectiveBound bound;
    synthesis::RoundContention contention;
    std::vector<std::string> findings;  ///< of check_completeness()
    double search_seconds = 0;
    /// The configuration with the written file as its program, and the result. Not set if there are
    /// findings: then nothing is written.
    std::optional<Machine> machine;
    SimulationResult run;
    /// Cycles of `schedule`, which need not be the written one. Nothing if it did not complete.
    std::optional<Cycle> found_cycles;
    /// The written file is `catalogue`, which is quicker, and not `schedule`. Never if a method is
    /// named, or several chunks, which a schedule of the catalogue does not have.
    bool is_of_catalogue = false;
    /// The quickest of those that the network can do. Not of long exchanges on large networks, each
    /// of which would take seconds.
    std::optional<CatalogueRun> catalogue;
    /// The alternative of the search (FoundSchedules).
    std::optional<OtherRun> other;

    /// By how much it takes longer than the bound, as a share of that. Nothing of a run that did
    /// not complete: its cycles are those of a part of the schedule.
    std::optional<double> gap() const;
    /// A schedule that is quicker than the bound, which one of the two then is wrong about.
    bool breaks_bound() const;
};

/// `config` without its traffic. Throws ConfigError if no schedule can be found for it.
SynthesisRun run_synthesis(Config config, const SynthesisOptions& options);

/// The program of a machine with a schedule of the catalogue, as a file that takes as long: it
/// names the planes of messages, which those of a file would otherwise cross in turn.
Program for_file(const Machine& machine);

/// The schedule of the catalogue that is the collective of a schedule that is found
/// (`traffic.schedule: synthesized`), whose algorithms may be faster; empty if the schedule is
/// another, or there is none. There is none for exchanges: the search for these begins with the
/// catalogue.
std::string rival_schedule(const TrafficConfig& traffic);

/// The collective of a machine's program: a schedule that is one, or a program file that is a
/// complete exchange. Nothing for others, and if messages differ in their length.
std::optional<synthesis::Task> collective_of(const Machine& machine);

}  // namespace flitscope
