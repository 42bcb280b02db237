// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic matrices as files: how much every node sends to every other one, relative to the rest.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"

namespace flitscope {

/// An entry above 0 of a node's row.
struct TrafficWeight {
    NodeId destination = 0;
    double weight = 0;
};
using TrafficRow = std::vector<TrafficWeight>;  ///< by destination
using TrafficMatrix = std::vector<TrafficRow>;  ///< per source

// CSV without a header: one row per node, in order, with one weight per node, separated by commas.
// Weights are decimal numbers from 0 on, those of nodes to themselves 0. Blank lines and those that
// begin with # are skipped.

/// Reads the matrix of a network of `nodes` nodes. `named_at` is where the user named the file.
/// Throws ConfigError with every finding (the first 20 of a broken file), each with line and
/// column; also when nothing would be sent.
TrafficMatrix read_matrix(const std::string& path, NodeId nodes, const Location& named_at = {});

/// Reads a matrix from text; `source` names it in findings.
TrafficMatrix parse_matrix(const std::string& text, const std::string& source, NodeId nodes);

}  // namespace flitscope
