// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface to Slurm: its programs sbatch, squeue, sinfo and scancel. No accounting database is
// needed: states are those of squeue.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

namespace flitscope::study {

/// An element of a job array: number of the job, index in it.
using ArrayElement = std::pair<std::string, unsigned>;

class Slurm {
public:
    /// `name` is that of all jobs; output of the programs goes into `folder`. `is_cancelled` ends
    /// the waiting for them (throws Cancelled).
    Slurm(std::string name, std::string folder, std::function<bool()> is_cancelled);

    /// Throws ConfigError, with a remedy, if Slurm is not installed or no controller answers.
    void require() const;

    // The following throw std::runtime_error with the message of the program.

    /// Processors of nodes that are up, in the partitions that jobs of ours may go to: those of the
    /// environment variable SBATCH_PARTITION (A,B,...), else the default one.
    unsigned processors() const;
    /// Starts `script` `count` times, with SLURM_ARRAY_TASK_ID 0, 1, ...; standard output and error
    /// go to the file `log`, in which %a is that number. Returns the number of the job.
    std::string submit(const std::string& script, unsigned count, const std::string& log) const;
    /// The states, as PENDING or COMPLETED, of all elements that Slurm still has.
    std::map<ArrayElement, std::string> states() const;
    /// Ends all jobs of the name.
    void cancel() const;

private:
    std::string ask(std::initializer_list<std::string> command) const;

    std::string name_;
    std::string folder_;
    std::function<bool()> is_cancelled_;
};

/// Whether an element in this state has not ended.
bool is_alive(const std::string& state);

}  // namespace flitscope::study
