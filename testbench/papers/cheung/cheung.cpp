// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cheung and Lau 1995: computations on meshes with express links, their steps and what these cost
// when wires are free, when they take time in proportion to their length, and at equal cost.
#include "testbench/papers/cheung/cheung.h"

#include "testbench/papers/cheung/cheung_experiments.h"
#include "testbench/papers/cheung/cheung_report.h"

namespace flitscope::reproduce {
namespace {

Report report(const Outcomes& outcomes) {
    const cheung_lau::Measured measured(outcomes);
    const cheung_lau::MedianRounds rounds = cheung_lau::measure_median_rounds();
    Report result;
    result.tables = tables(measured, rounds);
    result.plots = plots(measured);
    result.conclusions = conclusions(measured, rounds);
    return result;
}

}  // namespace

Paper cheung() {
    return {"cheung",
            "S. Cheung and F. C. M. Lau, Efficient Computations on Meshes with Express Links, 1995",
            cheung_lau::experiments, report};
}

}  // namespace flitscope::reproduce
