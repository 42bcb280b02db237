// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Views of a study that was measured: the effects of its axes, the best within budgets, and the
// best of each kind side by side. All views use the designs that count (DesignRow::counts); the
// others are only known not to be on the front.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/pareto.h"

namespace flitscope::study {

/// All designs, and those that count, in their order.
std::vector<const DesignRow*> all_of(const std::vector<DesignRow>& designs);
std::vector<const DesignRow*> counting(const std::vector<DesignRow>& designs);

/// The objectives of a measured design, all to be minimised.
Objectives minimised(const StudyRow& study, const DesignRow& row);

/// Those of measured designs that no other one dominates, in order of the objectives.
std::vector<const DesignRow*> front_of(const StudyRow& study,
                                       const std::vector<const DesignRow*>& measured);

/// Progress of a study whose search has not finished: "INCOMPLETE: 14 of 36 designs". Empty for
/// others.
std::string incomplete_text(const StudyRow& study);

/// The settings that a study was explored with: "--set fabric.buffer_depth=4". Empty if there were
/// none, or if the database does not say.
std::string settings_text(const StudyRow& study);

/// Lines as one, for a sentence: reasons quote logs of tools.
std::string one_line(const std::string& text);

/// Designs that do not count, all of them for one reason.
struct Exclusion {
    DesignState state = DesignState::kWaiting;
    std::string reason;  ///< in a line: that of the first of them
    std::size_t designs = 0;
    bool is_only_like = false;  ///< those of the others have other numbers in them
};

/// Why designs do not count, the most frequent reason first. Reasons are the same if they differ
/// only in numbers: by how much a constraint is missed, the place of a finding.
std::vector<Exclusion> exclusions(const std::vector<DesignRow>& designs);

/// How much an axis changes an objective, in groups of designs that agree on all other axes. Axes
/// whose values correspond one to one, as in `zip`, are one.
struct AxisEffect {
    std::vector<std::string> axes;
    std::string objective;
    std::size_t groups = 0;  ///< with several measured designs
    double spread = 1;       ///< largest over smallest value, geometric mean of the groups
    double most = 1;         ///< the same of the group in which it is largest
    /// The labels that are best in most groups, of each axis; empty if none ever are.
    std::vector<std::string> best;
    std::size_t wins = 0;  ///< groups in which only it is best
};

/// The effects per axis in the order of the study (those of several at the first of them), per
/// objective. Groups with values that are not positive have no ratio, and are left out.
std::vector<AxisEffect> axis_effects(const StudyRow& study, const std::vector<DesignRow>& designs);

/// The best design in one objective among those whose budget keeps within a limit: at most that
/// much of what is to be small, at least that much of what is to be large.
struct BudgetChoice {
    double limit = 0;
    std::string objective;
    std::optional<DesignRow> design;  ///< none: no measured design keeps within it
};

/// The best design for every limit and each objective but `budget`. Throws std::out_of_range if
/// `budget` is not an objective of the study. The best design within a budget is on the front, so
/// after an exact search it is the best of all.
std::vector<BudgetChoice> best_within(const StudyRow& study, const std::vector<DesignRow>& designs,
                                      const std::string& budget, const std::vector<double>& limits);

/// The best of the designs that have two labels in common.
struct Cell {
    std::optional<DesignRow> best;
    std::size_t measured = 0;
    std::size_t all = 0;  ///< designs with these labels
};

struct CrossTable {
    std::vector<std::string> rows;  ///< labels, in the order of the study
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> cells;  ///< per row, per column
};

/// Throws std::out_of_range if the study has no such axis or objective.
CrossTable cross_table(const StudyRow& study, const std::vector<DesignRow>& designs,
                       const std::string& row_axis, const std::string& column_axis,
                       const std::string& objective);

}  // namespace flitscope::study
