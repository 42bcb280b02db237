// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the report on Boppana and Raghavendra (1990) is made of.
#pragma once

#include <vector>

#include "testbench/reproduce/frame/paper.h"

namespace flitscope::reproduce::hypercube_exchange {

inline double number(Cycle value) { return static_cast<double>(value); }

/// Findings from the measured totals, for the conclusions.
struct Findings {
    double worst_by_size = 0;    ///< error against the closed form
    double worst_variants = 0;   ///< against the corrected forms
    double worst_wait = 0;       ///< cycles: mean latency of a message against its closed form
    bool printed_is_met = true;  ///< T_aap' by the best variant, for every n > 3
};

/// Fills in `findings`.
std::vector<Table> tables(const Outcomes& outcomes, Findings& findings);
std::vector<Plot> plots(const Outcomes& outcomes);
/// Time over the lower bound, of messages of so many elements on 2^kEtaSize nodes.
double simulated_eta(const Outcomes& outcomes, Cycle elements);
std::vector<Conclusion> conclusions(const Outcomes& outcomes, const Findings& findings);

}  // namespace flitscope::reproduce::hypercube_exchange
