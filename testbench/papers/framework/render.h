// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The report of a reproduction as text and as JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/papers/framework/paper.h"

namespace flitscope::reproduce {

/// Tables and conclusions, for people.
void print_report(std::ostream& out, const Paper& paper, const Report& report);
Json report_json(const Paper& paper, const Report& report);

/// The page of all conclusions (Markdown): the runs, the claims of each paper, the findings.
/// `reports`: of the papers, from these outcomes.
void print_conclusions(std::ostream& out, const std::vector<Paper>& papers,
                       const std::vector<Report>& reports, const Outcomes& outcomes);

}  // namespace flitscope::reproduce
