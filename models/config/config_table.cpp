// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "models/base/diagnostics.h"
#include "models/base/did_you_mean.h"
#include "models/base/words.h"
#include "models/base/wrapped_text.h"
#include "models/config/config.h"

namespace flitscope {

using Names = std::vector<std::string>;

namespace {

constexpr const char* kNone = "none";

/// The choices that contain `word`, if they are no more than `most` and the word is distinctive:
/// recursive_doubling for doubling.
Names few_with(const std::string& word, const Names& choices, std::size_t most) {
    constexpr std::size_t kLeast = 4;
    if (word.size() < kLeast) return {};
    Names found;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(found),
                 [&](const std::string& choice) { return choice.find(word) != choice.npos; });
    return found.size() <= most ? found : Names();
}

/// The names allowed in a section, all of them if they are few.
std::string list_of_keys(const std::string& section, const Names& names) {
    constexpr std::size_t kMostShown = 12;
    const bool all = names.size() <= kMostShown;
    const auto shown = names.begin() + static_cast<std::ptrdiff_t>(all ? names.size() : kMostShown);
    std::string text =
        fmt::format("keys {}: {}", section.empty() ? "here" : "of '" + section + '\'',
                    fmt::join(names.begin(), shown, ", "));
    if (!all) {
        text += fmt::format(" and {} more, see flitscope keys{}", names.size() - kMostShown,
                            section.empty() ? "" : ' ' + section);
    }
    return text;
}

}  // namespace

Condition both(std::string when, Condition first, Condition second) {
    const auto instead = [first = std::move(first.instead),
                          second = std::move(second.instead)](const Config& config) {
        std::string other = first(config);
        return other.empty() ? second(config) : other;
    };
    return {std::move(when), instead};
}

Condition both(Condition first, Condition second) {
    std::string when = first.when + " and " + second.when;
    return both(std::move(when), std::move(first), std::move(second));
}

ConfigKey&& ConfigKey::only_for(Condition condition) && {
    applies = std::move(condition);
    return std::move(*this);
}

ConfigKey&& ConfigKey::required() && {
    is_required = true;
    return std::move(*this);
}

ConfigKey&& ConfigKey::shows_default(std::string text) && {
    shown_default = std::move(text);
    return std::move(*this);
}

ConfigKey&& ConfigKey::replaces(std::vector<std::string> paths) && {
    replaced = std::move(paths);
    return std::move(*this);
}

ConfigKey&& ConfigKey::knows(std::vector<std::pair<std::string, std::string>> words) && {
    other_words = std::move(words);
    return std::move(*this);
}

std::string OtherNames::hint() const {
    if (ours.empty()) return note;
    const std::string key = fmt::format("that is '{}' here", ours);
    return note.empty() ? key : key + ": " + note;
}

std::string ConfigKey::default_text() const {
    if (is_required) return "required";
    if (!shown_default.empty()) return shown_default;
    const std::string written = write(Config());
    return written.empty() ? kNone : written;
}

void RuleContext::require_node(const std::string& path, NodeId node) {
    if (nodes == 0 || node < nodes || !is_set(path)) return;
    report({config.where(path),
            fmt::format("'{}' names node {}, but the nodes are 0 to {}", path, node, nodes - 1),
            ""});
}

void ConfigTable::add(ConfigKeys keys) {
    std::move(keys.begin(), keys.end(), std::back_inserter(keys_));
}

const ConfigKey* ConfigTable::find_key(const std::string& path) const {
    for (const ConfigKey& key : keys_) {
        if (key.path == path) return &key;
    }
    return nullptr;
}

const ConfigSection* ConfigTable::find_section(const std::string& path) const {
    for (const ConfigSection& section : sections_) {
        if (section.path == path) return &section;
    }
    return nullptr;
}

const ConfigKey* ConfigTable::kind_of(const std::string& path) const {
    for (const ConfigKey& key : keys_) {
        const bool always = key.is_required && key.applies.when.empty();
        if (always && !key.choices.empty() && parent_path(key.path) == path) return &key;
    }
    return nullptr;
}

const ConfigPreset* ConfigTable::find_preset(const std::string& name) const {
    for (const ConfigPreset& preset : presets_) {
        if (preset.name == name) return &preset;
    }
    return nullptr;
}

const OtherNames* ConfigTable::find_other_names(const std::string& theirs) const {
    const std::string name = folded(theirs);
    for (const OtherNames& names : other_names_) {
        const auto& all = names.theirs;
        if (std::find(all.begin(), all.end(), name) != all.end()) return &names;
    }
    return nullptr;
}

std::string ConfigTable::current_name(const std::string& name) const {
    for (const FormerName& former : former_names_) {
        const std::size_t length = former.before.size();
        const bool ends_here =
            name.size() == length || (name.size() > length && name[length] == '.');
        if (ends_here && name.compare(0, length, former.before) == 0) {
            return former.now + name.substr(length);
        }
    }
    return name;
}

bool ConfigTable::is_none(const std::string& path, const ConfigTree& value) const {
    if (!value.is_scalar() || value.quoted || value.text != kNone) return false;
    const ConfigKey* const key = find_key(path);
    const ConfigSection* const section = find_section(path);
    return key != nullptr ? key->default_text() == kNone
                          : section != nullptr && section->may_be_none();
}

bool ConfigTable::is_section(const std::string& path) const {
    return std::any_of(keys_.begin(), keys_.end(), [&](const ConfigKey& key) {
        return path.empty() || key.path.compare(0, path.size() + 1, path + '.') == 0;
    });
}

std::vector<std::string> ConfigTable::names_in(const std::string& path) const {
    const std::size_t skip = path.empty() ? 0 : path.size() + 1;
    Names names;
    for (const ConfigKey& key : keys_) {
        if (skip > 0 && key.path.compare(0, skip, path + '.') != 0) continue;
        const std::string name = key.path.substr(skip, key.path.find('.', skip) - skip);
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
}

std::vector<std::string> ConfigTable::all_paths() const {
    Names paths;
    for (const ConfigKey& key : keys_) {
        for (std::size_t dot = key.path.find('.'); dot != key.path.npos;
             dot = key.path.find('.', dot + 1)) {
            const std::string section = key.path.substr(0, dot);
            if (std::find(paths.begin(), paths.end(), section) == paths.end()) {
                paths.push_back(section);
            }
        }
        paths.push_back(key.path);
    }
    return paths;
}

std::string ConfigTable::path_ending_in(const std::string& rest) const {
    std::string found;
    for (const std::string& path : all_paths()) {
        const std::string end = '.' + rest;
        if (path.size() <= end.size()) continue;
        if (path.compare(path.size() - end.size(), end.size(), end) != 0) continue;
        if (!found.empty()) return {};
        found = path;
    }
    return found;
}

std::vector<std::string> ConfigTable::paths_to(const std::string& leaf) const {
    Names paths = all_paths();
    const auto ends_otherwise = [&](const std::string& path) { return leaf_name(path) != leaf; };
    paths.erase(std::remove_if(paths.begin(), paths.end(), ends_otherwise), paths.end());
    std::stable_partition(paths.begin(), paths.end(),
                          [](const std::string& path) { return path.rfind("traffic.", 0) == 0; });
    return paths;
}

std::string ConfigTable::suggest_key(const std::string& path, const std::string& name,
                                     bool full) const {
    const Names siblings = names_in(path);
    Names near = paths_to(name);  // the right key in the wrong section
    if (const auto root = std::find(near.begin(), near.end(), name); root != near.end()) {
        near.erase(root);
        const std::string outside = '\'' + name + "' is a top-level key";
        return near.empty() ? outside : outside + "; or " + did_you_mean(near, "");
    }
    if (near.empty()) {
        if (const OtherNames* const other = find_other_names(name)) return other->hint();
        Names leaves;
        for (const std::string& known : all_paths()) {
            const std::string leaf = leaf_name(known);
            if (std::find(leaves.begin(), leaves.end(), leaf) == leaves.end()) {
                leaves.push_back(leaf);
            }
        }
        if (const std::string sibling = nearest(name, siblings); !sibling.empty()) {
            near = {full ? join_path(path, sibling) : sibling};
        } else if (const Names longer = few_with(name, leaves, 2); !longer.empty()) {
            for (const std::string& leaf : longer) {
                for (const std::string& known : paths_to(leaf)) near.push_back(known);
            }
        } else if (const std::string leaf = nearest(name, leaves); !leaf.empty()) {
            near = paths_to(leaf);
        }
    }
    return did_you_mean(near, list_of_keys(path, siblings));
}

std::string suggest_choice(const std::string& word, const std::vector<std::string>& choices) {
    std::string near = nearest(word, choices);
    if (near.empty()) {
        for (const std::string& longer : few_with(word, choices, 1)) near = longer;
    }
    return did_you_mean_of(near, "choices", choices);
}

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> parts(1);
    for (const char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

std::string join_path(const std::string& section, const std::string& name) {
    return section.empty() ? name : section + '.' + name;
}

std::string parent_path(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string leaf_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string to_yaml(const ConfigTable& table, const Config& config) {
    std::string text;
    std::vector<std::string> open;  // sections of the line before
    for (const ConfigKey& key : table.keys()) {
        const ConfigSection* section = table.find_section(parent_path(key.path));
        const bool absent = (section != nullptr && section->is_set && !section->is_set(config)) ||
                            (key.path.rfind("traffic.", 0) == 0 && !config.has_traffic());
        const std::string value = key.write(config);
        if (absent || value.empty() || !key.applies.conflict(config).empty()) continue;
        std::vector<std::string> parts = split_path(key.path);
        const std::string name = parts.back();
        parts.pop_back();
        const auto common = std::mismatch(open.begin(), open.end(), parts.begin(), parts.end());
        for (auto part = common.second; part != parts.end(); ++part) {
            const auto depth = static_cast<std::size_t>(part - parts.begin());
            text += std::string(2 * depth, ' ') + *part + ":\n";
        }
        text += std::string(2 * parts.size(), ' ') + name + ": " + value + '\n';
        open = parts;
    }
    return text;
}

namespace {

/// The entry of a key or a section in the reference.
struct KeyEntry {
    std::string path;
    std::string type;
    std::string standard;
    std::string range;
    std::string unit;
    std::string meaning;
};

std::vector<KeyEntry> key_entries(const ConfigTable& table) {
    std::vector<KeyEntry> entries;
    const auto add = [&](KeyEntry entry, const Condition& applies) {
        if (!applies.when.empty()) entry.meaning += "; only for " + applies.when;
        entries.push_back(std::move(entry));
    };
    std::string section_path;
    for (const ConfigKey& key : table.keys()) {
        const ConfigSection* section = table.find_section(parent_path(key.path));
        if (section != nullptr && section->path != section_path) {
            section_path = section->path;
            add({section->path, section->read_scalar ? "map, or see range" : "map",
                 section->may_be_none() ? kNone : "", section->instead, "", section->meaning},
                section->applies);
        }
        add({key.path, key.type, key.default_text(), key.range, key.unit, key.meaning},
            section != nullptr && key.applies.when.empty() ? section->applies : key.applies);
    }
    return entries;
}

}  // namespace

std::string config_reference(const ConfigTable& table) {
    std::string text =
        "| Key | Type | Default | Range | Unit | Meaning |\n"
        "|---|---|---|---|---|---|\n";
    for (const KeyEntry& entry : key_entries(table)) {
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", entry.path, entry.type,
                            entry.standard, entry.range, entry.unit, entry.meaning);
    }
    return text;
}

std::string describe_keys(const ConfigTable& table, const std::string& name) {
    std::string at_path;
    std::string by_leaf;
    for (const KeyEntry& entry : key_entries(table)) {
        std::string text = entry.path + '\n' + wrapped(entry.meaning, 4);
        std::string facts = entry.type;
        if (!entry.range.empty()) facts += ": " + entry.range;
        if (!entry.unit.empty()) facts += " (" + entry.unit + ')';
        if (!entry.standard.empty()) facts += "; default " + entry.standard;
        text += wrapped(facts, 4);
        const bool is_below = name.empty() || entry.path.rfind(name + '.', 0) == 0;
        if (entry.path == name || is_below) at_path += text;
        if (leaf_name(entry.path) == name) by_leaf += text;
    }
    return at_path.empty() ? by_leaf : at_path;
}

}  // namespace flitscope
