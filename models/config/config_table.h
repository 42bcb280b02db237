// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of configuration keys: keys, sections, presets and rules, and everything derived from
// the table (look-up, suggestions, the reference). Each owner of settings supplies its part;
// testbench/app/configuration puts the parts together. Reading, writing, the checks of single keys
// and the reference are all driven by the table, so that none of them can drift from the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/config_tree.h"

namespace flitscope {

struct Config;

/// The condition under which a key applies.
struct Condition {
    std::string when;  ///< for the reference: "topology kind mesh"; empty = always
    /// Says what the configuration has instead ("topology kind 'hypercube'"); empty if the key
    /// applies, or if too little is known.
    std::function<std::string(const Config&)> instead;

    std::string conflict(const Config& config) const { return instead ? instead(config) : ""; }
};

/// The condition that both hold, in the words `when`, or in theirs.
Condition both(std::string when, Condition first, Condition second);
Condition both(Condition first, Condition second);

/// Context in which a value is read.
struct ReadContext {
    std::string name;    ///< name of the key in findings
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
    /// The value as YAML on one line; empty if it is not set.
    std::function<std::string(const Config&)> write;
    Condition applies = {};
    bool is_required = false;        ///< wherever it applies
    std::string shown_default = {};  ///< for the reference, if the written one would mislead
    /// Other tools' words and the equivalents here; for the hint on a refused value.
    std::vector<std::pair<std::string, std::string>> other_words = {};
    /// Paths of keys and sections of the file that an override of this one replaces, unless its
    /// value is the default.
    std::vector<std::string> replaced = {};
    /// The allowed words; empty if the value is not one of a fixed set of words.
    std::vector<std::string> choices = {};

    ConfigKey&& only_for(Condition condition) &&;
    ConfigKey&& required() &&;
    ConfigKey&& shows_default(std::string text) &&;
    ConfigKey&& replaces(std::vector<std::string> paths) &&;
    ConfigKey&& knows(std::vector<std::pair<std::string, std::string>> words) &&;

    /// The type of keys whose value is the name of a file.
    static constexpr const char* kFileName = "file name";
    bool names_file() const { return type == kFileName; }

    /// The default in the reference, which may be given as a value: "none" if the key then has no
    /// value.
    std::string default_text() const;
};

using ConfigKeys = std::vector<ConfigKey>;

/// A map of the configuration that is more than the sum of its keys: a scalar may replace it, or
/// its presence alone has a meaning.
struct ConfigSection {
    std::string path;
    std::string instead;  ///< what is allowed instead of the map, for the reference; may be empty
    std::string meaning;
    std::string scalar_key;  ///< the key that the scalar sets; empty if it only switches
    /// Empty if only a map is allowed.
    std::function<void(const ConfigTree&, Config&, const ReadContext&)> read_scalar = {};
    std::function<void(Config&)> open = {};          ///< called when the map is there
    std::function<bool(const Config&)> is_set = {};  ///< whether to write it; empty = always
    Condition applies = {};

    /// Whether `none` is allowed instead, equivalent to omitting the section.
    bool may_be_none() const { return static_cast<bool>(is_set); }
};

/// A preset that the key `machine` names: other defaults for the other keys.
struct ConfigPreset {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values;  ///< key, and value as YAML
    std::function<void(Config&)> open = {};                   ///< called before they are read
};

/// Other tools' name for a key.
struct OtherNames {
    std::vector<std::string> theirs;  ///< in lower case, with '_' for '-'
    std::string ours;                 ///< its path; empty if there is no such key
    std::string note;                 ///< the difference, and what to write; may be empty

    std::string hint() const;
};

/// What earlier versions called a key, a section, or a value, which stands behind its key:
/// "fabric.switch_arbitration=hold".
struct FormerName {
    std::string before;
    std::string now;
};

/// A loaded configuration as the rules between its keys see it.
class RuleContext {
public:
    explicit RuleContext(const Config& loaded) : config(loaded) {}
    virtual ~RuleContext() = default;

    const Config& config;
    /// Set by the rule of the topology for the rules after it; 0: not known.
    std::uint64_t nodes = 0;
    std::uint64_t routers = 0;
    std::size_t dimensions = 0;

    /// Whether the user has set the key.
    virtual bool is_set(const std::string& path) const = 0;
    /// Whether no key of the section has been refused, and none is missing.
    virtual bool is_sound(const std::string& section) const = 0;
    /// The place of the key's name; config.where() gives that of its value.
    virtual Location key_where(const std::string& path) const = 0;
    virtual void report(Diagnostic finding) = 0;

    /// Reports a key, if set, that names a node missing from the network.
    void require_node(const std::string& path, NodeId node);
};
/// A rule between keys, beyond the range of each.
using ConfigRule = std::function<void(RuleContext&)>;
/// The node names of the configured network, in the order of their numbers; empty if nodes are
/// unnamed. Throws ConfigError if the network is invalid.
using NodeNaming = std::function<std::vector<std::string>(const Config&)>;

class ConfigTable {
public:
    /// Keys in the order in which configurations are written; those of a section are adjacent.
    void add(ConfigKeys keys);
    void add(ConfigSection section) { sections_.push_back(std::move(section)); }
    void add(ConfigPreset preset) { presets_.push_back(std::move(preset)); }
    void add(OtherNames names) { other_names_.push_back(std::move(names)); }
    void add(FormerName name) { former_names_.push_back(std::move(name)); }
    /// Rules are asked in the order in which they were added.
    void add(ConfigRule rule) { rules_.push_back(std::move(rule)); }
    /// Called if keys name nodes, before the rules; without it nodes have only numbers.
    void set_node_naming(NodeNaming naming) { node_naming_ = std::move(naming); }

    const ConfigKeys& keys() const { return keys_; }
    const std::vector<ConfigSection>& sections() const { return sections_; }
    const std::vector<ConfigRule>& rules() const { return rules_; }
    const NodeNaming& node_naming() const { return node_naming_; }

    /// The entry of the table, or nullptr.
    const ConfigKey* find_key(const std::string& path) const;
    const ConfigSection* find_section(const std::string& path) const;
    const ConfigPreset* find_preset(const std::string& name) const;
    /// The entry for another tool's key name, or nullptr.
    const OtherNames* find_other_names(const std::string& theirs) const;
    const std::vector<OtherNames>& other_names() const { return other_names_; }
    /// `name` as it is today, where it is a former one or stands below one; as it is otherwise.
    std::string current_name(const std::string& name) const;
    const std::vector<FormerName>& former_names() const { return former_names_; }
    /// Whether `value` of `path` is the word `none` that the reference shows as its default.
    bool is_none(const std::string& path, const ConfigTree& value) const;
    /// Whether keys begin with `path` + '.'; the empty path is the root.
    bool is_section(const std::string& path) const;

    /// The key that selects the kind of the section: always required, its value one of a fixed set
    /// of words. nullptr if the section has no such key.
    const ConfigKey* kind_of(const std::string& path) const;

    /// The names allowed in section `path`: keys and sections, without the path.
    std::vector<std::string> names_in(const std::string& path) const;
    /// The full paths of all sections and keys, sections before their keys.
    std::vector<std::string> all_paths() const;
    /// The path that ends in '.' + `rest`, if the user left out its first sections. Empty if no
    /// path or several end so.
    std::string path_ending_in(const std::string& rest) const;
    /// The paths whose last name is `leaf`. Those of `traffic` come first, since most overrides
    /// concern it; the others in the order of the table.
    std::vector<std::string> paths_to(const std::string& leaf) const;
    /// Remedy for the unknown key `name` in section `path`; `full` to name full paths only.
    std::string suggest_key(const std::string& path, const std::string& name, bool full) const;

private:
    ConfigKeys keys_;
    std::vector<ConfigSection> sections_;
    std::vector<ConfigPreset> presets_;
    std::vector<OtherNames> other_names_;
    std::vector<FormerName> former_names_;
    std::vector<ConfigRule> rules_;
    NodeNaming node_naming_;
};

/// The configuration as YAML with every key that applies to it written out, file names absolute, by
/// kinds::written_path(); loading it again, from any folder, gives the same run.
std::string to_yaml(const ConfigTable& table, const Config& config);

/// The reference of all keys (Markdown table): key, type, default, range, meaning.
std::string config_reference(const ConfigTable& table);
/// Describes the key or section at path `name` and all below it, or else those at any path whose
/// last word is `name`. Empty without a match. The empty name describes all.
std::string describe_keys(const ConfigTable& table, const std::string& name);

/// "did you mean 'x'? choices: ..." for a `word` that is not among `choices`.
std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices);

/// "a" + '.' + "b", or only "b" in the root.
std::string join_path(const std::string& section, const std::string& name);
/// "a.b" for "a.b.c", and the empty path for "a".
std::string parent_path(const std::string& path);
/// "c" for "a.b.c".
std::string leaf_name(const std::string& path);
/// {"a", "b", "c"} for "a.b.c".
std::vector<std::string> split_path(const std::string& path);

}  // namespace flitscope
