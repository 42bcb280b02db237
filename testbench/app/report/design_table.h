// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Designs of a study as reports show them, and the clock periods by which their cycles became
// times.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "models/base/text_table.h"
#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/derived.h"

namespace flitscope {

nlohmann::ordered_json design_json(const study::DesignRow& design);

/// The origin of a design's period: "router", its synthesized one, or "clock_ns".
const char* period_of(const study::DesignRow& design);

/// For every view of a study: the settings it was explored with, whether its search came to its
/// end, and how many designs it has to settle (null: not known).
void add_extent(nlohmann::ordered_json& json, const study::StudyRow& study);
/// Lines for below the title of a view: the settings of the study, if any, and a note if it is
/// incomplete.
void print_extent(std::ostream& out, const study::StudyRow& study);

/// Name and unit of an objective of a study, the unit if the name does not include it.
std::string objective_heading(const study::ObjectiveRow& objective);

/// A row per design: its description, its objectives, its axes, derived figures that differ, its
/// period if not all have the same, its digest.
class DesignTable {
public:
    /// `said` is the heading of what is said of each; `designs` are all that are going to be added.
    /// Axes of `constant` have a line above the table in place of a column.
    DesignTable(std::vector<std::string> said, std::vector<study::ObjectiveRow> objectives,
                std::vector<const study::DesignRow*> designs, std::set<std::string> constant = {});

    /// Null: there is no such design. All but `said` is that of the design.
    void add(std::vector<std::string> said, const study::DesignRow* design);
    /// Prints the table, and the periods below it. Derived figures for which there is no room in
    /// 100 columns are named instead.
    void print(std::ostream& out) const;

private:
    struct Row {
        std::vector<std::string> said;
        const study::DesignRow* design;
    };
    /// The table with the first `derived` of derived_.
    TextTable table(std::size_t derived) const;

    std::vector<std::string> said_;  // headings
    std::vector<study::ObjectiveRow> objectives_;
    std::vector<const study::DesignRow*> designs_;
    std::set<std::string> constant_;
    std::vector<study::DerivedFigure> derived_;
    bool has_periods_;
    std::vector<Row> rows_;
};

/// A line for below a table that has no column of them: the period of these designs, or the range
/// of their periods. Nothing if there is no design.
void print_periods(std::ostream& out, const std::vector<const study::DesignRow*>& designs);

}  // namespace flitscope
