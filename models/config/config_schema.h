// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of all configuration keys. Reading, writing, the checks of single keys and the
// reference are driven by it, so that none of them can drift from the others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/config_tree.h"

namespace flitscope {

/// When a key means something.
struct Condition {
    std::string when;  ///< for the reference: "topology kind mesh"; empty = always
    /// What the configuration has instead ("topology kind 'hypercube'"); empty when the key
    /// applies, or when too little is known to say that it does not.
    std::function<std::string(const Config&)> instead;

    std::string conflict(const Config& config) const { return instead ? instead(config) : ""; }
};

/// What reading a value needs beside the value.
struct ReadContext {
    std::string name;    ///< of the key, as findings call it
    std::string folder;  ///< relative paths in the file resolve against it
    std::vector<Diagnostic>& findings;
};

struct ConfigKey {
    std::string path;  ///< "fabric.topology.dims"
    std::string type;
    std::string range;
    std::string unit;  ///< may be empty
    std::string meaning;
    /// Stores the value of the tree in the configuration, or adds a finding.
    std::function<void(const ConfigTree&, Config&, const ReadContext&)> read;
    /// The value as YAML on one line; empty when the configuration has none.
    std::function<std::string(const Config&)> write;
    Condition applies = {};
    bool is_required = false;        ///< wherever it applies
    std::string shown_default = {};  ///< for the reference, where the written one would mislead

    ConfigKey&& only_for(Condition condition) &&;
    ConfigKey&& required() &&;
    ConfigKey&& shows_default(std::string text) &&;
};

/// A map of the configuration that is more than the sum of its keys: a scalar may stand for it, or
/// it means something that it is there.
struct ConfigSection {
    std::string path;
    std::string instead;  ///< what may stand in place of the map, for the reference; may be empty
    std::string meaning;
    std::string scalar_key;  ///< the key that the scalar stands for; empty when it only switches
    /// Empty where only a map may stand.
    std::function<void(const ConfigTree&, Config&, const ReadContext&)> read_scalar = {};
    std::function<void(Config&)> open = {};          ///< called when the map is there
    std::function<bool(const Config&)> is_set = {};  ///< whether to write it; empty = always
    Condition applies = {};
};

/// Every key, in the order in which configurations are written; keys of a section are adjacent.
const std::vector<ConfigKey>& config_keys();
const std::vector<ConfigSection>& config_sections();

/// The entry of the table, or nullptr.
const ConfigKey* find_key(const std::string& path);
const ConfigSection* find_section(const std::string& path);
/// Whether keys begin with `path` + '.'; the empty path is the root.
bool is_section(const std::string& path);

/// The names that may stand in section `path`: keys and sections, without the path.
std::vector<std::string> names_in(const std::string& path);
/// The full paths of all sections and keys, sections before their keys.
std::vector<std::string> all_paths();
/// Remedy for the unknown key `name` in section `path`; `full` to name full paths only.
std::string suggest_key(const std::string& path, const std::string& name, bool full);

/// The keys of which exactly one is set: what the traffic is.
const std::vector<std::string>& traffic_sources();

/// "did you mean 'x'? choices: ..." for a `word` that is not among `choices`.
std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices);

/// "a" + '.' + "b", or "b" alone in the root.
std::string join_path(const std::string& section, const std::string& name);
/// "a.b" for "a.b.c", and the empty path for "a".
std::string parent_path(const std::string& path);
/// "c" for "a.b.c".
std::string leaf_name(const std::string& path);

}  // namespace flitscope
