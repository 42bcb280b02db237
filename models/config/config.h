// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The resolved configuration of one run: every setting with its value, checked for type and range.
// Keys, ranges, defaults and meanings are listed once, by the owner of each setting
// (config_table.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/interconnect_config.h"
#include "models/config/steady_config.h"
#include "models/config/trace_config.h"
#include "models/config/workload_config.h"

namespace flitscope {

struct Config;

/// A node that the value of a key calls by its name, which the loader replaces by its number.
struct NamedNode {
    std::string key;  ///< "traffic.root", "waveform.nodes[1]"
    std::string name;
    Diagnostic otherwise;  ///< the finding if nodes have no names
    std::function<void(Config&, NodeId)> set;
};

struct LimitsConfig {
    Cycle max_cycles =
        1'000'000'000'000;  ///< a run that is not done by then stops with exit code 3
};

struct Config : WorkloadConfig {
    std::string machine = "ideal";       ///< the preset that the other keys start from
    std::optional<SteadyConfig> steady;  ///< instead of a measurement of fixed length
    TraceConfig trace;
    std::optional<InterconnectConfig> interconnect;
    LimitsConfig limits;
    std::vector<NamedNode> named_nodes;  ///< none once the configuration has been loaded
};

}  // namespace flitscope
