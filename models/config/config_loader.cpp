// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config_loader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/input_file.h"
#include "models/config/config_tree.h"

namespace flitscope {

namespace {

/// A place is named on one line.
std::string one_line(std::string text) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    return text;
}

/// The words of the reference without its Markdown.
std::string plain(std::string text) {
    std::replace(text.begin(), text.end(), '`', '\'');
    return text;
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
            return;
        }
        readable_ = root_.is_map();
        if (root_.is_null()) {
            report({config_.source, 0, 0}, "is empty", "a configuration needs at least 'fabric'");
        } else if (!root_.is_map()) {
            report(root_.where, "a configuration is a map of keys, found " + root_.found(),
                   root_.is_sequence() ? "write the keys without '-' in front of them" : "");
        } else if (is_study(root_)) {
            readable_ = false;
            report({config_.source, 0, 0}, "is a study, and no configuration",
                   "flitscope explore " + config_.source);
        }
    }

    /// Applies one "--set" argument to the tree.
    void apply(const std::string& argument) {
        const Location where{"--set " + one_line(argument), 0, 0};
        sources_.push_back(where.source);
        const std::size_t equals = argument.find('=');
        if (equals == std::string::npos || equals == 0) {
            report(where, "expected key=value", "for example --set fabric.buffer_depth=4");
            return;
        }
        const std::string path = argument.substr(0, equals);
        if (!check_path(path, where)) return;
        try {
            ConfigTree value = parse_override_tree(argument.substr(equals + 1), where, findings_);
            if (readable_) place(path, std::move(value), where);
        } catch (const ConfigError& error) {
            refuse(error);
        }
    }

    Config finish() {
        if (readable_) {
            apply_machine();
            read_section(root_, "");
            check_traffic_source();
            check_conditions();
            check_required();
            check_rules();
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
    bool is_set(const std::string& path) const { return config_.locations.count(path) != 0; }

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

    // ---- Overrides ------------------------------------------------------------------------------

    bool check_path(const std::string& path, const Location& where) {
        const std::vector<std::string> parts = split_path(path);
        if (std::find(parts.begin(), parts.end(), "") != parts.end()) {
            report(where, "the key '" + path + "' has an empty part");
            return false;
        }
        std::string known;
        for (const std::string& part : parts) {
            if (table_.find_key(known) != nullptr) {
                report(where, "'" + known + "' is a value without keys of its own",
                       "set '" + known + "' as a whole");
                return false;
            }
            const std::string next = join_path(known, part);
            if (table_.find_key(next) == nullptr && !table_.is_section(next)) {
                // A slip in a section's name shows only in the path as a whole.
                std::string near = next == path ? "" : nearest(path, table_.all_paths());
                if (near.empty() && next != path) near = table_.path_ending_in(path);
                report(where, "unknown key '" + excerpt(path) + '\'',
                       did_you_mean(near, table_.suggest_key(known, part, true)));
                return false;
            }
            known = next;
        }
        return true;
    }

    void place(const std::string& path, ConfigTree value, const Location& where) {
        make_way(path, value);
        std::vector<std::string> parts = split_path(path);
        value.key = parts.back();
        value.key_where = where;
        parts.pop_back();
        ConfigTree* map = &root_;
        std::string map_path;
        for (const std::string& part : parts) {
            map_path = join_path(map_path, part);
            ConfigTree* child = map->find(part);
            if (child == nullptr) {
                map->children.emplace_back();
                child = &map->children.back();
                child->key = part;
                child->where = child->key_where = where;
            }
            expand(*child, map_path);
            if (!child->is_map()) return;  // reading it will say so
            map = child;
        }
        if (ConfigTree* old = map->find(value.key)) {
            *old = std::move(value);
        } else {
            map->children.push_back(std::move(value));
        }
    }

    /// Makes a map of a section that is empty or has a scalar in place of its map.
    void expand(ConfigTree& section, const std::string& path) const {
        const ConfigSection* special = table_.find_section(path);
        if (section.is_null()) {
            section.kind = ConfigTree::Kind::kMap;
        } else if (section.is_scalar() && special != nullptr && special->read_scalar) {
            ConfigTree scalar = section;
            section.kind = ConfigTree::Kind::kMap;
            if (special->scalar_key.empty()) return;
            scalar.key = special->scalar_key;
            section.children.push_back(std::move(scalar));
        }
    }

    /// Removes from the file what cannot stand beside an override of `path` with this value.
    void make_way(const std::string& path, const ConfigTree& value) {
        const ConfigKey* const key = table_.find_key(path);
        if (key == nullptr) {
            if (!value.is_map()) return;
            for (const ConfigTree& child : value.children) {
                make_way(join_path(path, child.key), child);
            }
            return;
        }
        const bool is_default = value.is_scalar() && value.text == key->write(Config());
        if (is_default || table_.is_none(path, value)) return;
        for (const std::string& other : key->replaced) erase_from_file(other);
    }

    void erase_from_file(const std::string& path) {
        std::vector<std::string> parts = split_path(path);
        const std::string name = parts.back();
        parts.pop_back();
        ConfigTree* map = &root_;
        for (const std::string& part : parts) {
            map = map->find(part);
            if (map == nullptr) return;
        }
        ConfigTree* const entry = map->find(name);
        if (entry == nullptr || !erase_file_entries(*entry)) return;
        map->children.erase(map->children.begin() + (entry - map->children.data()));
    }

    /// Removes what stands below `tree` but not on the command line; true if nothing is left of it.
    static bool erase_file_entries(ConfigTree& tree) {
        if (tree.from_command_line()) return false;
        std::vector<ConfigTree> kept;
        for (ConfigTree& child : tree.children) {
            if (!erase_file_entries(child)) kept.push_back(std::move(child));
        }
        tree.children = std::move(kept);
        return tree.children.empty();
    }

    // ---- Reading --------------------------------------------------------------------------------

    /// The defaults of the machine that the configuration names, if it is one: where in the text
    /// `machine` stands makes no difference.
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
                       table_.suggest_key(path, child.key, full));
                continue;
            }
            const bool at_value = child.is_scalar() || child.is_sequence();
            config_.locations[child_path] = at_value ? child.where : child.key_where;
            key_where_[child_path] = child.key_where;
            const ReadContext context{child_path, folder_, findings_};
            if (key != nullptr) {
                const std::size_t before = findings_.size();
                key->read(child, config_, context);
                if (findings_.size() > before) {
                    bad_.insert(child_path);
                    explain_other_word(*key, child);
                }
            } else {
                read_child_section(child, context);
            }
        }
    }

    /// What to write in place of a word that others use; empty if `value` is none.
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
            report(tree.where,
                   "'" + context.name + "' must be a map of keys, found " + tree.found(),
                   special == nullptr || special->instead.empty() ? as_a_map(tree, context.name)
                                                                  : "or " + special->instead);
        }
    }

    /// The map to write for a word in place of `section`: that of the kind or of the file that the
    /// word names.
    std::string as_a_map(const ConfigTree& tree, const std::string& section) const {
        if (!tree.is_scalar()) return {};
        const ConfigKey* const kind = table_.kind_of(section);
        const ConfigKey* const file = table_.find_key(join_path(section, "file"));
        const std::string word = excerpt(tree.text);
        const std::string write = fmt::format("write {}: ", leaf_name(section));
        if (kind == nullptr) {
            return file == nullptr ? "" : write + fmt::format("{{file: {}}}", word);
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

    // ---- Rules between keys ---------------------------------------------------------------------

    void check_traffic_source() {
        std::vector<std::string> set;
        for (const std::string& path : traffic_sources()) {
            if (is_set(path)) set.push_back(path);
        }
        // Without the section the configuration is for a network alone.
        if (set.empty() && is_set("traffic") && !is_set("interconnect")) {
            findings_.push_back(no_traffic(config_));
        }
        if (set.size() < 2) return;
        for (const std::string& path : set) {
            std::vector<std::string> others;
            for (const std::string& other : set) {
                if (other != path) {
                    others.push_back(fmt::format("'{}' at {}", other, key_where_[other].str()));
                }
            }
            report(key_where_[path],
                   fmt::format("'{}' contradicts {}", path, fmt::join(others, " and ")),
                   "set exactly one of them");
        }
        // Which one is meant is unknown, so nothing can be said about the keys that go with it.
        config_.traffic.schedule.clear();
        config_.traffic.pattern.clear();
        config_.traffic.program.clear();
        config_.traffic.trace.file.clear();
    }

    void check_condition(const std::string& path, const Condition& applies) {
        if (!is_set(path)) return;
        const std::string instead = applies.conflict(config_);
        if (instead.empty()) return;
        std::string hint = "it is only for " + plain(applies.when);
        for (const ConfigKey& key : table_.keys()) {
            if (key.is_required && key.applies.instead && key.applies.conflict(config_).empty() &&
                parent_path(key.path) == parent_path(path)) {
                hint = "use '" + leaf_name(key.path) + '\'';
            }
        }
        report(key_where_[path],
               fmt::format("key '{}' does not apply to {}", leaf_name(path), instead),
               hint + traffic_remedy(path) + section_remedy(path));
    }

    /// The remedy if the command line sets another kind of traffic than the file, of which `path`
    /// remains: to replace all of the file's traffic.
    std::string traffic_remedy(const std::string& path) {
        if (path.rfind("traffic.", 0) != 0 || key_where_[path].line == 0) return "";
        for (const std::string& source : traffic_sources()) {
            if (!is_set(source) || key_where_[source].line != 0) continue;
            std::string value = table_.find_key(source)->write(config_);
            const std::vector<std::string> parts = split_path(source);
            for (std::size_t i = parts.size(); i-- > 1;) {
                value = fmt::format("{{{}: {}}}", parts[i], value);
            }
            return fmt::format("; --set 'traffic={}' replaces all of the file's traffic", value);
        }
        return "";
    }

    /// The remedy if the command line changes what a section of the file goes with: to leave the
    /// section out. Without overrides the file is wrong by itself, and that hides it.
    std::string section_remedy(const std::string& path) {
        const ConfigSection* const section = table_.find_section(path);
        if (section == nullptr || !section->may_be_none()) return "";
        // What stands in `traffic` goes with it (traffic_remedy()).
        if (sources_.empty() || key_where_[path].line == 0 || path.rfind("traffic.", 0) == 0) {
            return "";
        }
        return fmt::format("; --set {}=none leaves it out", path);
    }

    void check_conditions() {
        for (const ConfigSection& section : table_.sections()) {
            // A section that is switched off does no harm where it does not apply.
            if (section.is_set && !section.is_set(config_)) continue;
            check_condition(section.path, section.applies);
        }
        for (const ConfigKey& key : table_.keys()) check_condition(key.path, key.applies);
    }

    void check_required() {
        for (const ConfigKey& key : table_.keys()) {
            const bool always = key.applies.when.empty();
            if (!key.is_required || is_set(key.path)) continue;
            if (!always && config_.fabric.topology.kind.empty()) continue;
            if (!key.applies.conflict(config_).empty()) continue;
            report(config_.where(parent_path(key.path)), "key '" + key.path + "' is missing",
                   fmt::format("{}{}: {}",
                               always ? "" : "needed for " + plain(key.applies.when) + ", ",
                               key.meaning, key.range));
        }
    }

    /// Applies the rules of the owners, to which it shows what has been read.
    class Rules final : public RuleContext {
    public:
        explicit Rules(Loader& loader) : RuleContext(loader.config_), loader_(loader) {}
        bool is_set(const std::string& path) const override { return loader_.is_set(path); }
        bool is_sound(const std::string& section) const override {
            return loader_.is_sound(section);
        }
        Location key_where(const std::string& path) const override {
            return loader_.key_where_[path];
        }
        void report(Diagnostic finding) override {
            loader_.findings_.push_back(std::move(finding));
        }

    private:
        Loader& loader_;
    };

    bool is_sound(const std::string& section) const {
        for (const ConfigKey& key : table_.keys()) {
            if (parent_path(key.path) != section) continue;
            if (bad_.count(key.path) != 0) return false;
            const bool needed = key.is_required && key.applies.conflict(config_).empty();
            if (needed && !is_set(key.path)) return false;
        }
        return true;
    }

    void check_rules() {
        Rules rules(*this);
        for (const ConfigRule& rule : table_.rules()) rule(rules);
    }

    const ConfigTable& table_;
    std::string folder_;
    ConfigTree root_;
    bool readable_ = false;
    Config config_;
    std::map<std::string, Location> key_where_;
    std::set<std::string> bad_;  ///< keys whose value was refused and says nothing about others
    std::vector<std::string> sources_;  ///< of the overrides, in their order
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
