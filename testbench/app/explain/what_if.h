// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Potential gains: changes of a machine that remove causes of its makespan, and an upper bound of
// each gain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explanation.h"

namespace flitscope {

struct WhatIf {
    std::string change;   ///< KEY=VALUE, as for --set
    std::string meaning;  ///< for people
    Cycle on_path = 0;    ///< cycles of the critical path for which the change is a remedy
    /// No more cycles than these can be gained: the makespan less the lower bound of the changed
    /// machine (models/performance/README.md). Nothing if there is no machine.
    std::optional<Cycle> most;
    /// Cycles gained when it was tried; negative: it takes longer. Nothing if it was not tried, the
    /// engine cannot run the changed machine, or that did not complete.
    std::optional<std::int64_t> measured;
    std::string unsynthesized;  ///< as ChangedMachine has it
};

/// A machine with a further KEY=VALUE.
struct ChangedMachine {
    /// Nothing if its clock, or the delays of its wires, follow from that router.
    std::optional<Machine> machine;
    /// The changed router, if it is not synthesized and the explained one is: then its time in ns
    /// is not known. Else empty.
    std::string unsynthesized;
};
/// Throws ConfigError if the change is impossible.
using ChangeMachine = std::function<ChangedMachine(const std::string& change)>;

/// Tries a change on its machine: the cycles gained, as WhatIf::measured.
using TriedChange = std::function<std::optional<std::int64_t>(const Machine& changed)>;

/// The changes that concern the path of an explanation: largest possible gain first, ties by most
/// cycles on the path. Those that the configuration refuses are left out. The first `tried` that
/// have a machine are tried, and come before the others, best first.
std::vector<WhatIf> what_if(const Machine& machine, const Explanation& explanation,
                            const ChangeMachine& change_machine, std::size_t tried,
                            const TriedChange& try_change);

}  // namespace flitscope
