// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <tuple>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/config/config_checks.h"
#include "models/config/config_overrides.h"
#include "models/config/config_table.h"
#include "models/config/config_tree.h"
#include "models/config/former_names.h"

namespace flitscope {

namespace {

/// For files of programs that write `key = value;`.
constexpr const char* kYamlHint =
    "this is YAML, key: value, such as fabric: {topology: {kind: mesh, dims: [8, 8]}}";

/// Whether a line of the text begins with `word =`.
bool has_assignments(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const std::size_t equals = line.find('=');
        const std::string name = line.substr(0, equals);
        const std::size_t begin = name.find_first_not_of(" \t");
        const std::size_t end = name.find_last_not_of(" \t");
        if (equals == line.npos || begin == name.npos) continue;
        const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
        if (std::all_of(name.data() + begin, name.data() + end + 1, is_part)) return true;
    }
    return false;
}

/// Gathers findings all the way, so that the user sees every one of them at once.
class Loader {
public:
    Loader(const ConfigTable& table, const std::string& source, std::string folder)
        : table_(table), folder_(folder.empty() ? "." : std::move(folder)) {
        config_.source = source;
    }

    void parse(const std::string& text) {
        try {
            root_ = parse_tree(text, config_.source, findings_);
        } catch (const ConfigError& error) {
            refuse(error);
            if (has_assignments(text) && findings_.back().hint.empty()) {
                findings_.back().hint = kYamlHint;
            }
            return;
        }
        readable_ = root_.is_map();
        use_current_names(table_, "", root_, findings_);
        if (root_.is_null()) {
            report({config_.source, 0, 0}, "is empty", "a configuration needs at least 'fabric'");
        } else if (!root_.is_map()) {
            report(root_.where, "a configuration is a map of keys, found " + root_.found(),
                   root_.is_sequence()     ? "write the keys without '-' in front of them"
                   : has_assignments(text) ? kYamlHint
                                           : "");
        } else if (is_study(root_)) {
            readable_ = false;
            report({config_.source, 0, 0}, "is a study, and no configuration",
                   "flitscope explore " + config_.source);
        }
    }

    /// Applies one "--set" argument to the tree.
    void apply(const std::string& argument) {
        sources_.push_back(override_place(argument).source);
        apply_override(table_, argument, readable_ ? &root_ : nullptr, findings_);
    }

    Config finish() {
        if (readable_) {
            apply_machine();
            read_section(root_, "");
            keys_.has_overrides = !sources_.empty();
            check_config(table_, keys_, config_, findings_);
        }
        if (!findings_.empty()) throw ConfigError(sorted_findings());
        return std::move(config_);
    }

private:
    void report(Location where, std::string what, std::string hint = {}) {
        findings_.push_back({std::move(where), std::move(what), std::move(hint)});
    }
    void refuse(const ConfigError& error) {
        findings_.insert(findings_.end(), error.findings().begin(), error.findings().end());
    }

    /// The findings by place: the file from top to bottom, then the overrides in their order.
    std::vector<Diagnostic> sorted_findings() const {
        const auto rank = [&](const Location& where) {
            const auto it = std::find(sources_.begin(), sources_.end(), where.source);
            const bool in_file = it == sources_.end();
            return std::tuple(in_file ? 0 : 1 + (it - sources_.begin()), where.line, where.column);
        };
        std::vector<Diagnostic> sorted = findings_;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](const Diagnostic& a, const Diagnostic& b) {
                             return rank(a.where) < rank(b.where);
                         });
        return sorted;
    }

    /// The defaults of the machine that the configuration names, if it is one: the position of
    /// `machine` in the text makes no difference.
    void apply_machine() {
        const ConfigTree* name = root_.find("machine");
        const ConfigPreset* preset = name == nullptr ? nullptr : table_.find_preset(name->text);
        if (preset == nullptr) return;
        if (preset->open) preset->open(config_);
        for (const auto& [key, value] : preset->values) {
            const Location where{"machine " + preset->name, 0, 0};
            const ReadContext context{key, folder_, findings_};
            table_.find_key(key)->read(parse_override_tree(value, where, findings_), config_,
                                       context);
        }
    }

    void read_section(const ConfigTree& map, const std::string& path) {
        for (const ConfigTree& child : map.children) {
            const std::string child_path = join_path(path, child.key);
            const ConfigKey* key = table_.find_key(child_path);
            if (table_.is_none(child_path, child)) continue;
            if (key == nullptr && !table_.is_section(child_path)) {
                const bool full = child.key_where.line == 0;
                report(child.key_where,
                       "unknown key '" + excerpt(full ? child_path : child.key) + '\'',
                       table_.suggest_key(path, child.key, full) + as_its_map(child));
                continue;
            }
            const bool at_value = child.is_scalar() || child.is_sequence();
            config_.locations[child_path] = at_value ? child.where : child.key_where;
            keys_.places[child_path] = child.key_where;
            const ReadContext context{child_path, folder_, findings_};
            if (key != nullptr) {
                const std::size_t before = findings_.size();
                key->read(child, config_, context);
                if (findings_.size() > before) {
                    keys_.refused.insert(child_path);
                    explain_other_word(*key, child);
                }
            } else {
                read_child_section(child, context);
            }
        }
    }

    /// What to write instead of another tool's word; empty if `value` is not one.
    static std::string hint_on_other_word(const ConfigKey& key, const ConfigTree& value) {
        for (const auto& [word, instead] : key.other_words) {
            if (value.is_scalar() && value.text == word) return instead;
        }
        return {};
    }

    /// The finding just made may be about such a word.
    void explain_other_word(const ConfigKey& key, const ConfigTree& value) {
        const std::string hint = hint_on_other_word(key, value);
        if (!hint.empty()) findings_.back().hint = hint;
    }

    void read_child_section(const ConfigTree& tree, const ReadContext& context) {
        const ConfigSection* special = table_.find_section(context.name);
        if (tree.is_map()) {
            if (special != nullptr && special->open) special->open(config_);
            read_section(tree, context.name);
        } else if (special != nullptr && special->read_scalar && tree.is_scalar()) {
            special->read_scalar(tree, config_, context);
        } else if (special != nullptr || !tree.is_null()) {
            keys_.refused.insert(context.name);
            report(tree.where,
                   "'" + context.name + "' must be a map of keys, found " + tree.found(),
                   special == nullptr || special->instead.empty() ? as_a_map(tree, context.name)
                                                                  : "or " + special->instead);
        }
    }

    /// What to write for a word instead of the only section of this name; empty if there is no such
    /// section.
    std::string as_its_map(const ConfigTree& tree) const {
        const std::vector<std::string> paths = table_.paths_to(tree.key);
        if (paths.size() != 1 || !table_.is_section(paths.front())) return {};
        const std::string map = as_a_map(tree, paths.front());
        return map.empty() ? "" : ' ' + map;
    }

    /// The map to write for a word instead of `section`: for the kind or file that the word names,
    /// or for another key that it is a value of.
    std::string as_a_map(const ConfigTree& tree, const std::string& section) const {
        if (!tree.is_scalar()) return {};
        const ConfigKey* const kind = table_.kind_of(section);
        const ConfigKey* const file = table_.find_key(join_path(section, "file"));
        const std::string word = excerpt(tree.text);
        const std::string write = fmt::format("write {}: ", leaf_name(section));
        if (kind == nullptr) {
            if (file != nullptr) return write + fmt::format("{{file: {}}}", word);
            for (const ConfigKey& key : table_.keys()) {
                const auto& values = key.choices;
                if (parent_path(key.path) != section ||
                    std::find(values.begin(), values.end(), tree.text) == values.end()) {
                    continue;
                }
                return write + fmt::format("{{{}: {}}}", leaf_name(key.path), word);
            }
            return {};
        }
        const std::string name = leaf_name(kind->path);
        const std::vector<std::string>& choices = kind->choices;
        if (std::find(choices.begin(), choices.end(), tree.text) != choices.end()) {
            std::string map = fmt::format("{{{}: {}", name, word);
            for (const std::string& key : needed_by(*kind, word)) map += ", " + key + ": ...";
            return write + map + '}';
        }
        if (file != nullptr && word.find_first_of("./") != word.npos) {
            for (const std::string& choice : choices) {
                if (!file->applies.conflict(of_kind(*kind, choice)).empty()) continue;
                return write + fmt::format("{{{}: {}, file: {}}}", name, choice, word);
            }
        }
        const std::string other = hint_on_other_word(*kind, tree);
        return fmt::format("{}{{{}: ..., ...}}; {}", write, name,
                           other.empty() ? suggest_choice(tree.text, choices) : other);
    }

    /// A configuration in which `kind` has the value `choice`, and nothing else is set.
    Config of_kind(const ConfigKey& kind, const std::string& choice) const {
        ConfigTree value;
        value.kind = ConfigTree::Kind::kScalar;
        value.text = choice;
        Config config;
        std::vector<Diagnostic> none;
        kind.read(value, config, {kind.path, folder_, none});
        return config;
    }

    /// The names of the keys without which a section of the kind `choice` is not complete.
    std::vector<std::string> needed_by(const ConfigKey& kind, const std::string& choice) const {
        const Config config = of_kind(kind, choice);
        std::vector<std::string> names;
        for (const ConfigKey& key : table_.keys()) {
            const bool is_beside = &key != &kind && parent_path(key.path) == parent_path(kind.path);
            if (!is_beside || !key.is_required || !key.applies.conflict(config).empty()) continue;
            names.push_back(leaf_name(key.path));
        }
        return names;
    }

    const ConfigTable& table_;
    std::string folder_;
    ConfigTree root_;
    bool readable_ = false;
    Config config_;
    KeysRead keys_;
    std::vector<std::string> sources_;  ///< one per override, in their order
    std::vector<Diagnostic> findings_;
};

}  // namespace

bool is_study(const ConfigTree& root) {
    return root.find("vary") != nullptr && root.find("fabric") == nullptr;
}

Config load_config(const ConfigTable& table, const std::string& path,
                   const std::vector<std::string>& overrides) {
    const std::string text = read_input_file(path, "configuration file", kMaxConfigBytes);
    return parse_config(table, text, path, overrides,
                        std::filesystem::path(path).parent_path().string());
}

Config parse_config(const ConfigTable& table, const std::string& text, const std::string& source,
                    const std::vector<std::string>& overrides, const std::string& folder) {
    return config_parser(table, text, source, folder)(overrides);
}

ConfigParser config_parser(const ConfigTable& table, const std::string& text,
                           const std::string& source, const std::string& folder) {
    Loader read(table, source, folder);
    read.parse(text);
    return [read = std::move(read)](const std::vector<std::string>& overrides) {
        Loader loader = read;
        for (const std::string& argument : overrides) loader.apply(argument);
        return loader.finish();
    };
}

}  // namespace flitscope
