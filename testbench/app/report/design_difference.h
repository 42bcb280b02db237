// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two designs of a study side by side.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/report/report.h"
#include "testbench/app/study/explore/database.h"
#include "testbench/app/study/explore/derived.h"

namespace flitscope {

/// One of the measurements of a design.
struct MeasuredConfig {
    std::string measurement;  ///< its name
    std::string config;       ///< YAML; empty if none is stored
    std::string source;       ///< the name in findings on that text
};

/// The differences of two designs.
struct DesignDifference {
    struct Axis {
        std::string name;
        std::string first;  ///< its label in the first design
        std::string second;
    };
    struct Objective {
        std::string name;
        double first = 0;
        double second = 0;

        /// As a share of the first; nothing if that is 0.
        std::optional<double> change() const;
    };
    /// A derived figure, or the clock period.
    struct Derived {
        study::DerivedFigure figure;
        std::optional<double> first;
        std::optional<double> second;
    };
    struct Key {
        std::string path;
        std::optional<std::string> measurement;  ///< nothing: in all that are compared alike
        // Values as YAML; nothing if the configuration has no such key.
        std::optional<std::string> first;
        std::optional<std::string> second;
    };
    std::string first;  ///< digest of the first design
    std::string second;
    std::vector<Axis> axes;             ///< with two labels
    std::vector<Objective> objectives;  ///< for which both have a value
    std::vector<Derived> derived;       ///< with two values
    std::vector<Key> keys;              ///< of their configurations, with two values
    // Measurements of which the other design has no configuration, so that they are not compared.
    std::vector<std::string> only_first;
    std::vector<std::string> only_second;
};

/// Compares measurements of the same name or, if each design has only one, these two. Throws
/// ConfigError if the text of one is not a configuration.
DesignDifference difference(const study::DesignRow& first,
                            const std::vector<MeasuredConfig>& first_configs,
                            const study::DesignRow& second,
                            const std::vector<MeasuredConfig>& second_configs);

Json difference_json(const DesignDifference& difference);
void print_difference(std::ostream& out, const DesignDifference& difference);

}  // namespace flitscope
