// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Constraints between the keys of a configuration that has been read: one kind of traffic, no keys
// that do not apply, none that is missing, and the rules of the owners.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"

namespace flitscope {

struct Config;

/// What is known of the keys and sections of a configuration apart from their values and the places
/// of these (Config::locations).
struct KeysRead {
    std::map<std::string, Location> places;  ///< places of their names
    std::set<std::string> refused;           ///< their value says nothing about others
    bool has_overrides = false;

    Location key_where(const std::string& path) const;
};

/// Adds the findings. If the traffic is unknown `config` has none afterwards; nodes that keys name
/// are numbers.
void check_config(const ConfigTable& table, const KeysRead& keys, Config& config,
                  std::vector<Diagnostic>& findings);

}  // namespace flitscope
