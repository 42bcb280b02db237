// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Boppana and Raghavendra 1990: algorithm AAP and its interleaved variant with circuit switching.
#include "testbench/papers/boppana/boppana.h"

#include "testbench/papers/boppana/boppana_experiments.h"
#include "testbench/papers/boppana/boppana_report.h"

namespace flitscope::reproduce {
namespace {

Report report(const Outcomes& outcomes) {
    Report result;
    hypercube_exchange::Findings findings;
    result.tables = tables(outcomes, findings);
    result.plots = hypercube_exchange::plots(outcomes);
    result.conclusions = conclusions(outcomes, findings);
    return result;
}

}  // namespace

Paper boppana() {
    return {"boppana",
            "R. V. Boppana and C. S. Raghavendra, On Optimal and Practical Routing Methods for a "
            "Massive Data Movement Operation on Hypercubes, USC CENG 90-20, 1990",
            hypercube_exchange::experiments, report};
}

}  // namespace flitscope::reproduce
