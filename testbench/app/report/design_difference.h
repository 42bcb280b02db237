// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two designs of a study beside each other.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/report/report.h"
#include "testbench/app/study/explore/database.h"

namespace flitscope {

/// One of the measurements of a design.
struct MeasuredConfig {
    std::string measurement;  ///< its name
    std::string config;       ///< YAML; empty where none is kept
    std::string source;       ///< what findings on that text name
};

/// What two designs differ in.
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

        /// As a share of the first; nothing where that is 0.
        std::optional<double> change() const;
    };
    struct Key {
        std::string path;
        std::optional<std::string> measurement;  ///< nothing: in all that are compared alike
        // Values as YAML; nothing where the configuration has no such key.
        std::optional<std::string> first;
        std::optional<std::string> second;
    };
    std::string first;  ///< digest of the first design
    std::string second;
    std::vector<Axis> axes;             ///< with two labels
    std::vector<Objective> objectives;  ///< of which both have a value
    std::vector<Key> keys;              ///< of their configurations, with two values
    // Measurements of which the other design has no configuration, so that they are not compared.
    std::vector<std::string> only_first;
    std::vector<std::string> only_second;
};

/// Compares the measurements of the same name, or where each design has one alone these two. Throws
/// ConfigError where the text of one is no configuration.
DesignDifference difference(const study::DesignRow& first,
                            const std::vector<MeasuredConfig>& first_configs,
                            const study::DesignRow& second,
                            const std::vector<MeasuredConfig>& second_configs);

Json difference_json(const DesignDifference& difference);
void print_difference(std::ostream& out, const DesignDifference& difference);

}  // namespace flitscope
