// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads what varies in a study, and finds fault with what has no effect.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbench/app/study/explore/study_part_reader.h"

namespace flitscope::study {

class AxisReader : StudyPartReader {
public:
    AxisReader(Study& study, std::vector<Diagnostic>& findings)
        : StudyPartReader(study, findings) {}

    void read_axes(const ConfigTree& tree);
    void read_equal_cost(const ConfigTree& tree);
    void read_zip(const ConfigTree& tree);
    void read_conditions(const ConfigTree& tree);
    /// That no budget is given for what varies, and that not every measurement sets it.
    void require_effect_of_axes();
    /// That not every design, or every measurement, sets the key of an override of the command line
    /// itself.
    void require_use_of(const std::string& text);

private:
    void read_overrides(const std::string& key, const ConfigTree& value, AxisValue& into);
    void read_axis(const std::string& name, const std::string& key, const ConfigTree& tree);
    void zip(const ConfigTree& group);
    void claim_keys_of(const Axis& axis);

    std::map<std::string, Location> varied_;  // keys that axes set
};

}  // namespace flitscope::study
