// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the measurements of a study, its objectives, and its search method.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/app/study/explore/study_part_reader.h"

namespace flitscope::study {

class MeasureReader : StudyPartReader {
public:
    MeasureReader(Study& study, std::vector<Diagnostic>& findings)
        : StudyPartReader(study, findings) {}

    void read_workloads(const ConfigTree& tree);
    void read_objectives(const ConfigTree& tree);
    void read_constraints(const ConfigTree& tree);
    void read_search(const ConfigTree& tree);

private:
    std::optional<Measurement> measurement_of(const ConfigTree& tree);
    void read_workload(const ConfigTree& tree);
    std::uint64_t whole(const ConfigTree& tree, std::uint64_t least, std::uint64_t most);
    bool gives(const std::string& metric, const Location& where);

    bool is_measured_unknown_ = false;  ///< something under `measure` was refused
};

}  // namespace flitscope::study
