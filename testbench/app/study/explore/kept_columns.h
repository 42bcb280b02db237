// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads columns in which a database keeps JSON. A database is untrusted input: each function throws
// std::invalid_argument, with words that follow the name of the column, if the text is not as
// flitscope writes it.
#pragma once

#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"

namespace flitscope::study {

/// The objectives of a study, as objectives_json() writes them; at least one.
std::vector<ObjectiveRow> parse_objectives(const std::string& text);

/// The settings of a study: a list of texts.
std::vector<std::string> parse_settings(const std::string& text);

/// The labels of a design: names of axes to labels.
Json parse_labels(const std::string& text);

/// The values of a design: names of objectives to values.
Json parse_values(const std::string& text);

/// The designs of one study have the same axes, and those that were simulated all its objectives.
/// Throws std::invalid_argument, that says which has not.
void require_alike(const std::vector<DesignRow>& designs,
                   const std::vector<ObjectiveRow>& objectives);

}  // namespace flitscope::study
