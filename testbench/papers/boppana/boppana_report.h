// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the report on Boppana and Raghavendra (1990) is made of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/papers/frame/paper.h"

namespace flitscope::reproduce::hypercube_exchange {

inline double number(Cycle value) { return static_cast<double>(value); }

/// What counts as no error at all.
inline constexpr double kExact = 1e-9;

/// Findings from the measured totals, for the conclusions. A case for every n.
struct Findings {
    Cases nobody_waits;         ///< mean latency of a message as that of one that meets nobody
    Cases as_closed_form;       ///< by size
    Cases printed_is_met;       ///< T_aap' by the best variant, n > 3
    double worst_by_size = 0;   ///< error against the closed form
    double worst_variants = 0;  ///< against the corrected forms
    double worst_wait = 0;      ///< cycles
};

/// An operation other than the exchange by one algorithm, by both methods.
struct OperationRun {
    std::size_t operation;  ///< of operations()
    std::string algorithm;
    Cycle by_circuit;
    Cycle by_storing;
    double links;  ///< that a message crosses on average

    double ratio() const { return number(by_storing) / number(by_circuit); }
    bool is_to_neighbours() const { return links <= 1; }
};
std::vector<OperationRun> other_operations(const Outcomes& outcomes);

/// Fills in `findings`.
std::vector<Table> tables(const Outcomes& outcomes, Findings& findings);
std::vector<Plot> plots(const Outcomes& outcomes);
/// Time over the lower bound, of messages of so many elements on 2^kEtaSize nodes.
double simulated_eta(const Outcomes& outcomes, Cycle elements);
std::vector<Conclusion> conclusions(const Outcomes& outcomes, const Findings& findings);

}  // namespace flitscope::reproduce::hypercube_exchange
