// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What must hold between the parameters of a topology, beyond the range of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"

namespace flitscope {

struct TopologySize {
    std::uint64_t nodes = 0;
    std::size_t dimensions = 0;
};

/// What is wrong with the topology of `config`, whose keys have been read without findings: too
/// many nodes or ports, windows that do not fit their dimensions, segments longer than a side.
std::vector<Diagnostic> topology_findings(const Config& config);

/// Nodes and dimensions of a topology without findings; nothing for a custom graph, which is not
/// read for this.
std::optional<TopologySize> topology_size(const TopologyConfig& topology);

/// Throws ConfigError with topology_findings(), for configurations that were made by programs.
void require_topology(const Config& config);

}  // namespace flitscope
