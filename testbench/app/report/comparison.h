// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Several networks side by side: the figures of `flitscope topology` and, if requested, of
// `flitscope run`, one network per row of JSON and CSV, one per column of the table for people.
#pragma once

#include <algorithm>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "testbench/app/report/report.h"
#include "testbench/app/run/simulation.h"

namespace flitscope {

struct Machine;

struct Contender {
    std::string name;  ///< empty: the description of the network
    Config config;
    bool may_be_left_out = false;  ///< rather than that nothing is compared
};

/// What came of comparing.
struct Comparison {
    Json rows = Json::array();
    std::vector<Diagnostic> left_out;  ///< why contenders that may be left out cannot be built
};

/// The usual networks that exist for `nodes` nodes, each with `overrides` (load_config): mesh,
/// torus, generalized hypercube, HOW and express meshes in two dimensions as square as the number
/// allows, mesh and torus in three if it is a cube, and the hypercube. Express links span about the
/// square root of a side, windows double from 2 on, and tori have two virtual channels and balanced
/// datelines. Those with more ports than a network may have are left out. Then the grids again,
/// with 2 nodes per router along every dimension, if sides are even and longer than that. Throws
/// ConfigError when an override does not fit.
std::vector<Contender> usual_networks(NodeId nodes, const std::vector<std::string>& overrides);

/// Does `work`, and adds what is wrong with it to `findings`. Whether nothing is.
template <class Work>
bool goes_well(std::vector<Diagnostic>& findings, const Work& work) {
    try {
        work();
        return true;
    } catch (const ConfigError& error) {
        for (const Diagnostic& found : error.findings()) {
            const bool is_known =
                std::any_of(findings.begin(), findings.end(),
                            [&](const Diagnostic& known) { return known.str() == found.str(); });
            if (!is_known) findings.push_back(found);
        }
        return false;
    }
}

/// Options for simulating the traffic of contenders.
struct ComparedRuns {
    /// Throws ConfigError if this machine is impossible.
    std::function<void(const Machine& machine)> require;
    std::function<SimulationResult(const std::string& name, const Machine& machine)> simulate;
};

/// topology_json() of each, with its "name" in front. With `runs` their traffic is simulated, one
/// after the other when all of them can be, and "run" is run_json() of it; else it does not count.
/// Throws ConfigError with `findings`, which are those from before, and those of all; of contenders
/// that may be left out only if no other one is there.
Comparison compare_networks(std::vector<Contender> contenders,
                            std::vector<Diagnostic> findings = {},
                            const ComparedRuns* runs = nullptr);

/// `rows` are those of a Comparison. Warnings follow below the table.
void print_comparison(std::ostream& out, const Json& rows);
void write_comparison_csv(std::ostream& out, const Json& rows);

}  // namespace flitscope
