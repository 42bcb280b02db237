// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs experiments in several parallel processes, and stores their outcomes, so that interrupted
// work resumes at the same point.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/app/study/design_point.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

struct ExperimentOptions {
    /// The folder in which outcomes are kept, one file each; created when needed. Empty: they are
    /// not stored.
    std::string folder;
    unsigned processes = 1;  ///< at a time
    /// Called with the outcome of each experiment, stored or new. May be empty.
    std::function<void(const Experiment&, const study::PointOutcome&)> on_outcome;
    /// A line on how far the work is, after every experiment. May be empty.
    std::function<void(const std::string&)> on_progress;
    /// Asked now and then; the work stops when it returns true. May be empty.
    std::function<bool()> is_cancelled;
};

/// The outcomes of all experiments. Those whose configuration, engine and program are the same as
/// those of a kept outcome are not run again. Throws std::runtime_error, which names the
/// experiment, when one fails, and study::Cancelled; outcomes finished by then are kept.
Outcomes run_experiments(const std::vector<Experiment>& experiments,
                         const ExperimentOptions& options);

}  // namespace flitscope::reproduce
