// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures of a design that follow from its axes, and often decide: how wide its links become under
// a budget of wires, how many ports its routers get.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"

namespace flitscope::study {

struct DerivedFigure {
    std::string name;
    std::string unit;
    std::string key;  ///< the key that sets it; empty if none does

    /// Name, and unit if the name does not include it.
    std::string heading() const;
    /// That of a design; nothing if it is not known.
    std::optional<double> value(const DesignRow& design) const;
    /// In words, for a column of a table, whose heading is broken at blanks.
    std::string title() const;
};

/// All that there are: flit_bits, ports, bisection_wires.
const std::vector<DerivedFigure>& derived_figures();

/// Names and values of those that all of these appraisals, of one design, agree on.
Json derived_of(const std::vector<PointOutcome>& appraisals);

/// Fills DesignRow::derived from the appraisals that the database keeps. A random search without
/// constraints has none, and leaves it empty.
void add_derived(Database& database, std::vector<DesignRow>& designs);

/// Those that neither an objective nor one of the axes (DesignRow::axes) has.
std::vector<DerivedFigure> further_figures(const std::vector<ObjectiveRow>& objectives,
                                           const Json& axes);

/// Those of them in which the designs differ.
std::vector<DerivedFigure> differing_figures(const std::vector<ObjectiveRow>& objectives,
                                             const std::vector<const DesignRow*>& designs);

}  // namespace flitscope::study
