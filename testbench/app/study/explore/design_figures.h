// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a design, against the requirements of a study: its objectives, bounds before it is
// measured and values afterwards, and the constraints that it violates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "testbench/app/study/explore/exploration.h"

namespace flitscope::study {

/// Objectives of a design over all workloads, to be minimised; up to the first unknown one.
struct DesignObjectives {
    Objectives values;
    std::string unknown;  ///< why one is not, a sentence; empty if all are known
};

/// No worse than what a measurement can give. `is_guessed`: the router's figures are estimates,
/// which are bounds themselves.
DesignObjectives best_objectives(const Study& study, const std::vector<Evaluation>& workloads,
                                 bool is_guessed);
/// The objectives as they were measured.
DesignObjectives measured_objectives(const Study& study, const std::vector<Evaluation>& workloads);

/// How far a design is outside the constraints.
struct Breach {
    std::string reason;  ///< for the first one; empty if it keeps them all
    double size = 0;     ///< the sum over all, each as a share of its limit
};

/// The constraints that a design breaks for certain; `bounded`: as far as is known before it is
/// measured.
Breach breach(const std::vector<Limits>& constraints, const std::vector<Evaluation>& workloads,
              bool bounded, bool is_guessed);

/// Beyond this many cycles the design is certainly dominated by one of `front`; only if everything
/// but the time of its only program is known.
std::optional<Cycle> useful_cycles(const Study& study, const Design& design, const Front& front);

/// The routers of which a design has area and period: those of all measurements.
struct DesignRouter {
    std::string name;     ///< hw::text_of()
    std::string problem;  ///< why no router suits all workloads; else empty
};
/// The one router of a design, by its appraisals.
DesignRouter only_router(const Study& study, const Design& design);

}  // namespace flitscope::study
