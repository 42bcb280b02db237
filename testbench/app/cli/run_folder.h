// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder that a run has left (run --out), read back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/report/kept_summary.h"
#include "testbench/app/report/report.h"
#include "testbench/app/report/run_files.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {
struct Machine;
}  // namespace flitscope

namespace flitscope::cli {

/// Sums of a run, and the configuration by which it can be run again.
class RunFolder {
public:
    /// Throws ConfigError if the folder is not that of a run, or the run did not finish.
    explicit RunFolder(const std::string& path);

    /// The path of its configuration.
    std::string config() const { return file(RunFile::kConfig); }
    /// The engine that ran it.
    const std::string& engine() const { return summary_.engine; }
    bool has_messages() const;
    bool has_energy() const { return summary_.has_energy(); }
    /// Paths of files that are named like tables of the run but are not of it: left from another
    /// run, or the user's own.
    std::vector<std::string> others(const Machine& machine) const;

    /// Throws ConfigError if files are missing that every run of `machine` leaves.
    void require_files(const Machine& machine) const;
    /// Throws ConfigError if a file that the configuration names, a graph or a trace, is not the
    /// one that the run has read.
    void require_inputs(const Machine& machine) const;
    /// Describes the first figure that differs when the run is made again, with `count_blocked`,
    /// with `log_messages` if it has_messages(), and with `count_sendings` if it has_energy().
    /// Wall-clock times, the version and the engine may differ.
    std::optional<Diagnostic> difference(const Machine& machine, const Explanation& again) const;

private:
    bool is_of_run(const RunFile& table, const Machine& machine) const;
    std::string file(const std::string& name) const;
    /// Whether there is such a file; throws ConfigError if that cannot be determined.
    bool has(const std::string& name) const;
    std::string read(const std::string& name) const;
    Diagnostic differs(const std::string& name, const std::string& what) const;

    std::string path_;
    KeptSummary summary_;
};

}  // namespace flitscope::cli
