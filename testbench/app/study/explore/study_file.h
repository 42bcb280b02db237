// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A study as in its file: the axes, the measurements, the objectives (testbench/app/study/README.md
// has the keys).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/study/explore/expression.h"
#include "testbench/app/study/measurement.h"

namespace flitscope::study {

/// One value of an axis: the overrides that it sets, as for --set.
struct AxisValue {
    std::vector<std::string> labels;     ///< one per name of the axis
    std::vector<std::string> overrides;  ///< KEY=VALUE
    /// The keys that these set: a key, or a section and, for a map, all its contents.
    std::set<std::string> keys;
    Location where;
};

/// An axis varies independently of the others: a key, a section in named variants, a choice of
/// several keys, or several of these that advance together.
struct Axis {
    std::vector<std::string> names;
    std::vector<AxisValue> values;  ///< at least one
    Location where;
};

/// One of the measurements that are made of every design.
struct Workload {
    std::string name;
    Measurement measurement = Measurement::kRun;
    std::vector<std::string> overrides;  ///< KEY=VALUE
    double weight = 1;
    Location where;
};

struct Objective {
    std::string metric;
    bool is_maximised = false;
    Location where;
};

/// A metric must be within limits.
struct Limits {
    std::string metric;
    std::optional<double> least;
    std::optional<double> most;
    Location where;
};

enum class SearchMethod : std::uint8_t {
    kExact,   ///< every design is simulated, or proved not to be on the front
    kRandom,  ///< designs drawn at random
    kNsga2,   ///< a genetic search for the front (Deb, Pratap, Agarwal and Meyarivan 2002)
};
inline constexpr std::array kSearchMethods{SearchMethod::kExact, SearchMethod::kRandom,
                                           SearchMethod::kNsga2};
/// The word for it in studies: exact, random, nsga2.
const char* name_of(SearchMethod method);

struct SearchConfig {
    SearchMethod method = SearchMethod::kExact;
    std::uint64_t evaluations = 1000;  ///< random and nsga2: maximum number of designs
    std::uint64_t population = 40;     ///< for nsga2
    std::uint64_t seed = 1;
};

struct MetricInfo;  // objectives.h

struct Study {
    std::string source;  ///< its file, as the user named it
    std::string name;    ///< the file's, without folder and ending
    std::string text;    ///< text of the file
    std::string base;    ///< configuration file, resolved against the folder of the study
    Location base_where;
    std::vector<std::string> overrides;  ///< of every design: equal_cost, then the command line's
    std::vector<std::string> settings;   ///< those of the command line
    std::vector<Axis> axes;
    std::vector<Expression> conditions;  ///< all of them must hold
    std::vector<Workload> workloads;
    std::vector<Objective> objectives;
    std::vector<Limits> constraints;
    SearchConfig search;

    /// Places in the file of overrides that belong to no axis.
    std::vector<std::pair<std::string, Location>> places;

    /// The names of all axes, in their order.
    std::vector<std::string> axis_names() const;
    /// These names, each with the labels of its values.
    std::vector<AxisLabels> axis_labels() const;
    /// Whether a metric of its objectives or constraints has the property, such as
    /// &MetricInfo::needs_router.
    bool needs(bool MetricInfo::*property) const;
};

/// Reads the study. `overrides` are those of the command line, which win over the base and lose
/// against axes and measurements. Throws ConfigError with every finding.
Study load_study(const std::string& path, const std::vector<std::string>& overrides);
/// Reads a study from the text of the file `source`.
Study parse_study(std::string text, const std::string& source,
                  const std::vector<std::string>& overrides);

}  // namespace flitscope::study
