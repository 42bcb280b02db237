// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two designs of a study beside each other.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/report/report.h"
#include "testbench/study/explore/database.h"

namespace flitscope {

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
    std::string first;  ///< digest of the first design
    std::string second;
    std::vector<Axis> axes;             ///< with two labels
    std::vector<Objective> objectives;  ///< of which both have a value
    // Lines of their configurations.
    std::vector<std::string> only_first;
    std::vector<std::string> only_second;
};

/// The text of a configuration is empty where a design could not be built.
DesignDifference difference(const study::DesignRow& first, const std::string& first_config,
                            const study::DesignRow& second, const std::string& second_config);

Json difference_json(const DesignDifference& difference);
void print_difference(std::ostream& out, const DesignDifference& difference);

}  // namespace flitscope
