// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two runs side by side: where their difference comes from.
#pragma once

#include <iosfwd>
#include <string>

#include "testbench/app/explain/explained_difference.h"
#include "testbench/app/report/report.h"

namespace flitscope {

/// A run as reports name it.
struct ComparedRun {
    std::string config;  ///< its file
    const Machine& machine;
    const SimulationResult& run;
};

/// On a page: the first run is called A, the second B.
void print_explained_difference(std::ostream& out, const ComparedRun& first,
                                const ComparedRun& second, const ExplainedDifference& difference);
JsonText explained_difference_json(const ComparedRun& first, const ComparedRun& second,
                                   const ExplainedDifference& difference);
/// A row per figure that differs or is common: part, name, quantity, first, second, difference,
/// difference_ns. A cell is empty if that run does not have it.
void write_explained_difference_csv(std::ostream& out, const ExplainedDifference& difference);

}  // namespace flitscope
