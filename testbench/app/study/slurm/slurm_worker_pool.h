// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A pool whose members are jobs of a Slurm cluster: arrays of chunks, each about as long as
// kChunkSeconds by what points have cost so far, for Slurm takes about a second for every element.
// Jobs go back to the queue when their node fails, and write every outcome as soon as they have it.
// So only what is being measured can get lost, whichever process is killed.
#pragma once

#include <functional>
#include <string>

#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {

struct DesignPoint;

struct SlurmOptions {
    /// Chunks and logs are here: on a disk that all nodes see, and only for this study.
    std::string folder;
    /// Elements that run, and that wait for a processor. May be empty.
    std::function<void(std::size_t running, std::size_t waiting)> on_queue = {};
    /// Asked now and then; true ends the work. May be empty.
    std::function<bool()> is_cancelled = {};
};

/// Throws ConfigError, with a remedy, if there is no Slurm, or if it would not find a place for
/// logs in that folder; Cancelled after a signal.
void require_slurm(const std::string& folder);

/// Makes the pool; Slurm must be installed. The work ends with std::runtime_error when a job is
/// cancelled from outside, or Slurm does not answer for minutes; no job is left then, and none when
/// the work was cancelled.
WorkerPool slurm_worker_pool(const SlurmOptions& options);

/// Takes over from a pool that was killed: ends its jobs, hands over their measurements, and
/// removes the folder. Nothing if there is no folder.
void take_over(const SlurmOptions& options,
               const std::function<void(const DesignPoint&, const PointOutcome&)>& on_outcome);

}  // namespace flitscope::study
