// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config_overrides.h"

#include <algorithm>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/config/config.h"
#include "models/config/former_names.h"

namespace flitscope {

namespace {

/// A place is named on one line.
std::string one_line(std::string text) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    return text;
}

/// One override, on its way into the tree.
class Override {
public:
    Override(const ConfigTable& table, Location where, ConfigTree* root,
             std::vector<Diagnostic>& findings)
        : table_(table), where_(std::move(where)), root_(root), findings_(findings) {}

    void apply(const std::string& argument) {
        const std::size_t equals = argument.find('=');
        if (equals == std::string::npos || equals == 0) {
            report("expected key=value", "for example --set fabric.buffer_depth=4");
            return;
        }
        const std::string path = table_.current_name(argument.substr(0, equals));
        if (!check_path(path)) return;
        try {
            ConfigTree value = parse_override_tree(argument.substr(equals + 1), where_, findings_);
            use_current_names(table_, path, value, findings_);
            if (root_ != nullptr) place(path, std::move(value));
        } catch (const ConfigError& error) {
            findings_.insert(findings_.end(), error.findings().begin(), error.findings().end());
        }
    }

private:
    void report(std::string what, std::string hint = {}) {
        findings_.push_back({where_, std::move(what), std::move(hint)});
    }

    bool check_path(const std::string& path) {
        const std::vector<std::string> parts = split_path(path);
        if (std::find(parts.begin(), parts.end(), "") != parts.end()) {
            report("the key '" + path + "' has an empty part");
            return false;
        }
        std::string known;
        for (const std::string& part : parts) {
            if (table_.find_key(known) != nullptr) {
                report("'" + known + "' is a value and has no keys",
                       "set '" + known + "' as a whole");
                return false;
            }
            const std::string next = join_path(known, part);
            if (table_.find_key(next) == nullptr && !table_.is_section(next)) {
                // A slip in a section's name shows only in the path as a whole.
                std::string near = next == path ? "" : nearest(path, table_.all_paths());
                if (near.empty() && next != path) near = table_.path_ending_in(path);
                report("unknown key '" + excerpt(path) + '\'',
                       did_you_mean(near, table_.suggest_key(known, part, true)));
                return false;
            }
            known = next;
        }
        return true;
    }

    void place(const std::string& path, ConfigTree value) {
        make_way(path, value);
        std::vector<std::string> parts = split_path(path);
        value.key = parts.back();
        value.key_where = where_;
        parts.pop_back();
        ConfigTree* map = root_;
        std::string map_path;
        for (const std::string& part : parts) {
            map_path = join_path(map_path, part);
            ConfigTree* child = map->find(part);
            if (child == nullptr) {
                map->children.emplace_back();
                child = &map->children.back();
                child->key = part;
                child->where = child->key_where = where_;
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

    /// Makes a map of a section that is empty or has a scalar instead of its map.
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

    /// Removes entries of the file that conflict with an override of `path` with this value.
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
        ConfigTree* map = root_;
        for (const std::string& part : parts) {
            map = map->find(part);
            if (map == nullptr) return;
        }
        ConfigTree* const entry = map->find(name);
        if (entry == nullptr || !erase_file_entries(*entry)) return;
        map->children.erase(map->children.begin() + (entry - map->children.data()));
    }

    /// Removes entries below `tree` not given on the command line; true if nothing is left.
    static bool erase_file_entries(ConfigTree& tree) {
        if (tree.from_command_line()) return false;
        std::vector<ConfigTree> kept;
        for (ConfigTree& child : tree.children) {
            if (!erase_file_entries(child)) kept.push_back(std::move(child));
        }
        tree.children = std::move(kept);
        return tree.children.empty();
    }

    const ConfigTable& table_;
    const Location where_;
    ConfigTree* const root_;
    std::vector<Diagnostic>& findings_;
};

}  // namespace

Location override_place(const std::string& argument) {
    return {"--set " + one_line(argument), 0, 0};
}

void apply_override(const ConfigTable& table, const std::string& argument, ConfigTree* root,
                    std::vector<Diagnostic>& findings) {
    Override(table, override_place(argument), root, findings).apply(argument);
}

}  // namespace flitscope
