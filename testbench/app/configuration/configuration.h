// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of all configuration keys, put together from what their owners supply, and the
// configurations that are read by it.
#pragma once

#include <string>
#include <vector>

#include "models/config/config_loader.h"

namespace flitscope {

class ConfigTable;
struct Config;

/// Everything that a configuration may say.
const ConfigTable& configuration_table();

// config_loader.h and config_table.h with that table.
Config load_config(const std::string& path, const std::vector<std::string>& overrides = {});
Config parse_config(const std::string& text, const std::string& source,
                    const std::vector<std::string>& overrides = {},
                    const std::string& folder = ".");
ConfigParser config_parser(const std::string& text, const std::string& source,
                           const std::string& folder);
std::string to_yaml(const Config& config);
/// For a configuration that is to be read back from its YAML, which has files with their full
/// paths. Throws ConfigError with the name of `option` if one of these is not UTF-8.
void require_nameable_files(const Config& config, const std::string& option);
std::string config_reference();
std::string describe_keys(const std::string& name);

}  // namespace flitscope
