// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings of a machine and its traffic.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/hardware_config.h"
#include "models/config/traffic_config.h"

namespace flitscope {

/// The messages of a run follow from these settings, not from those of measurement or output.
struct WorkloadConfig : HardwareConfig {
    TrafficConfig traffic;
    std::uint64_t seed = 1;

    /// False for a configuration that only describes a network.
    bool has_traffic() const {
        return !traffic.schedule.empty() || !traffic.pattern.empty() || !traffic.program.empty() ||
               !traffic.trace.file.empty();
    }
    /// Location where the user set `key` ("fabric.topology.dims"), or the nearest enclosing key
    /// that was set, or the file as a whole: for later findings about its value.
    Location where(const std::string& key) const;

    std::string source;                         ///< name of the configuration file
    std::map<std::string, Location> locations;  ///< location of every key that was set
};

/// The finding for a configuration without the traffic it needs.
Diagnostic no_traffic(const WorkloadConfig& config);

/// The keys that select the traffic; exactly one is set if there is something to run.
const std::vector<std::string>& traffic_sources();

}  // namespace flitscope
