// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiments, tables, plots and claims of a paper's YAML file (README.md has the keys), and
// the report made from it.
#pragma once

#include <string>
#include <vector>

#include "testbench/papers/framework/formula.h"
#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

// `script` is the text of the file, made part of the program; `names` has the functions and values
// of the paper that are C++. All throw std::logic_error, which quotes the script, if it is wrong,
// and std::out_of_range if it requests a missing outcome.

/// The experiments that the script describes. Those of `runs` with a text record their causes.
std::vector<Experiment> scripted_experiments(const char* script, const Names& names);

/// The same for experiments made in C++: requests the causes of `runs`.
void record_causes_of_runs(const char* script, const Names& names,
                           std::vector<Experiment>& experiments);

/// The wanted part of the report, made of its own runs alone.
Report scripted_report(const char* script, const Names& names, const Outcomes& outcomes,
                       const Wanted& wanted = {});

}  // namespace flitscope::reproduce
