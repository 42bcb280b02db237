// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// From text and command-line overrides to a checked configuration, by a table of keys.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flitscope {

class ConfigTable;
struct Config;
struct ConfigTree;

/// Reads `path` and applies `overrides` ("fabric.buffer_depth=4"), whose values are YAML and are
/// checked like the file. Throws ConfigError with every finding, sorted by place.
///
/// An override replaces the entry of the file, its errors included; a map replaces the whole map.
/// If two overrides set the same key the later one wins. An override of one of traffic_sources()
/// replaces whichever of them the file has, a trace with all its settings; keys that do not go with
/// the new one are then findings. An override of a wire budget replaces fabric.flit_bits of the
/// file (ConfigKey::replaced). Relative file names resolve against the folder of the file, those of
/// overrides against the current directory.
Config load_config(const ConfigTable& table, const std::string& path,
                   const std::vector<std::string>& overrides);

/// Reads a configuration from text; `source` names it in findings, relative paths resolve against
/// `folder`.
Config parse_config(const ConfigTable& table, const std::string& text, const std::string& source,
                    const std::vector<std::string>& overrides, const std::string& folder);

/// A configuration with these overrides.
using ConfigParser = std::function<Config(const std::vector<std::string>& overrides)>;

/// Reads a text once for many configurations, each as parse_config() gives it. `table` must outlive
/// the parser.
ConfigParser config_parser(const ConfigTable& table, const std::string& text,
                           const std::string& source, const std::string& folder);

/// Whether a text is a study (testbench/app/study), and no configuration.
bool is_study(const ConfigTree& root);

}  // namespace flitscope
