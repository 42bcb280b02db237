// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The files that a run leaves in its folder (--out), one row each.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/explain/explanation.h"
#include "testbench/app/report/kept_summary.h"

namespace flitscope {

struct Machine;

struct RunFile {
    static constexpr const char* kConfig = "config.yaml";
    static constexpr const char* kMessages = "messages.csv";
    static constexpr const char* kSummary = "summary.json";

    std::string name;     ///< "links.csv"
    std::string content;  ///< in a few words, for --help
    /// Whether a run of this machine has it; null: every run has.
    bool (*applies)(const Machine&);
    void (*write)(std::ostream&, const Machine&, const Explanation&);
    struct Request {
        bool SimulationOptions::*option;
        bool (KeptSummary::*was_made)() const;  ///< as far as the folder of a run shows
    };
    /// The option that requests this file; nothing: it is always written.
    std::optional<Request> request = {};

    bool is_of(const Machine& machine) const { return applies == nullptr || applies(machine); }
    bool is_asked_for(const SimulationOptions& options) const {
        return !request || options.*request->option;
    }
};

/// The files in the order in which they are written; the summary is last, so if it is there, all
/// are.
const std::vector<RunFile>& run_files();

}  // namespace flitscope
