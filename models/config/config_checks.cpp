// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/base/node_finder.h"
#include "models/base/printable.h"
#include "models/config/config.h"

namespace flitscope {

namespace {

/// The words of the reference without its Markdown.
std::string plain(std::string text) {
    std::replace(text.begin(), text.end(), '`', '\'');
    return text;
}

class ConfigChecks {
public:
    ConfigChecks(const ConfigTable& table, KeysRead keys, Config& config,
                 std::vector<Diagnostic>& findings)
        : table_(table), keys_(std::move(keys)), config_(config), findings_(findings) {}

    void check() {
        number_named_nodes();
        check_traffic_source();
        check_conditions();
        check_required();
        check_rules();
    }

private:
    void report(Location where, std::string what, std::string hint = {}) {
        findings_.push_back({std::move(where), std::move(what), std::move(hint)});
    }
    bool is_set(const std::string& path) const { return config_.locations.count(path) != 0; }

    /// Replaces names of nodes by their numbers; the network is read for that.
    void number_named_nodes() {
        const std::vector<NamedNode> named = std::exchange(config_.named_nodes, {});
        if (named.empty()) return;
        std::vector<std::string> names;
        try {
            const bool has_names = table_.node_naming() && is_sound("fabric.topology");
            if (has_names) names = table_.node_naming()(config_);
        } catch (const ConfigError& error) {
            findings_.insert(findings_.end(), error.findings().begin(), error.findings().end());
            return;
        }
        const NodeFinder finder(names);
        for (const NamedNode& node : named) {
            if (const std::optional<NodeId> number = finder.find(node.name)) {
                node.set(config_, *number);
                continue;
            }
            keys_.refused.insert(node.key.substr(0, node.key.find('[')));
            if (finder.has_names()) {
                report(node.otherwise.where,
                       fmt::format("'{}' names node '{}', which the graph does not have", node.key,
                                   excerpt(node.name)),
                       finder.remedy(node.name));
            } else {
                findings_.push_back(node.otherwise);
            }
        }
    }

    void check_traffic_source() {
        std::vector<std::string> set;
        for (const std::string& path : traffic_sources()) {
            if (is_set(path)) set.push_back(path);
        }
        // Without the section the configuration describes only a network.
        const bool is_map = keys_.refused.count("traffic") == 0;
        if (set.empty() && is_map && is_set("traffic") && !is_set("interconnect")) {
            findings_.push_back(no_traffic(config_));
        }
        if (set.size() < 2) return;
        for (const std::string& path : set) {
            std::vector<std::string> others;
            for (const std::string& other : set) {
                if (other != path) {
                    others.push_back(
                        fmt::format("'{}' at {}", other, keys_.key_where(other).str()));
                }
            }
            report(keys_.key_where(path),
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
            if (key.is_required && !is_set(key.path) && key.applies.instead &&
                key.applies.conflict(config_).empty() &&
                parent_path(key.path) == parent_path(path)) {
                hint = "use '" + leaf_name(key.path) + '\'';
            }
        }
        report(keys_.key_where(path),
               fmt::format("key '{}' does not apply to {}", leaf_name(path), instead),
               hint + traffic_remedy(path) + section_remedy(path));
    }

    /// The remedy if the command line sets another kind of traffic than the file, and `path` of the
    /// file remains: replace all of the file's traffic.
    std::string traffic_remedy(const std::string& path) {
        if (path.rfind("traffic.", 0) != 0 || keys_.key_where(path).line == 0) return "";
        for (const std::string& source : traffic_sources()) {
            if (!is_set(source) || keys_.key_where(source).line != 0) continue;
            std::string value = table_.find_key(source)->write(config_);
            const std::vector<std::string> parts = split_path(source);
            for (std::size_t i = parts.size(); i-- > 1;) {
                value = fmt::format("{{{}: {}}}", parts[i], value);
            }
            return fmt::format("; --set 'traffic={}' replaces all of the file's traffic", value);
        }
        return "";
    }

    /// The remedy if the command line changes a setting that a section of the file depends on: to
    /// leave the section out. Without overrides the file is wrong by itself, and that hides it.
    std::string section_remedy(const std::string& path) {
        const ConfigSection* const section = table_.find_section(path);
        if (section == nullptr || !section->may_be_none()) return "";
        // Entries of `traffic` are replaced with it (traffic_remedy()).
        if (!keys_.has_overrides || keys_.key_where(path).line == 0 ||
            path.rfind("traffic.", 0) == 0) {
            return "";
        }
        return fmt::format("; --set {}=none leaves it out", path);
    }

    void check_conditions() {
        for (const ConfigSection& section : table_.sections()) {
            // A section that is switched off does no harm if it does not apply.
            if (section.is_set && !section.is_set(config_)) continue;
            check_condition(section.path, section.applies);
        }
        for (const ConfigKey& key : table_.keys()) check_condition(key.path, key.applies);
    }

    /// Whether it is below an invalid section.
    bool is_below_refused(const std::string& path) const {
        for (std::string above = parent_path(path); !above.empty(); above = parent_path(above)) {
            if (keys_.refused.count(above) != 0) return true;
        }
        return false;
    }

    void check_required() {
        for (const ConfigKey& key : table_.keys()) {
            const bool always = key.applies.when.empty();
            if (!key.is_required || is_set(key.path) || is_below_refused(key.path)) continue;
            if (!always && config_.fabric.topology.kind.empty()) continue;
            if (!key.applies.conflict(config_).empty()) continue;
            report(config_.where(parent_path(key.path)), "key '" + key.path + "' is missing",
                   fmt::format("{}{}: {}",
                               always ? "" : "needed for " + plain(key.applies.when) + ", ",
                               key.meaning, key.range));
        }
    }

    /// Applies the rules of the owners to the keys read.
    class Rules final : public RuleContext {
    public:
        explicit Rules(ConfigChecks& checks) : RuleContext(checks.config_), checks_(checks) {}
        bool is_set(const std::string& path) const override { return checks_.is_set(path); }
        bool is_sound(const std::string& section) const override {
            return checks_.is_sound(section);
        }
        Location key_where(const std::string& path) const override {
            return checks_.keys_.key_where(path);
        }
        void report(Diagnostic finding) override {
            checks_.findings_.push_back(std::move(finding));
        }

    private:
        ConfigChecks& checks_;
    };

    bool is_sound(const std::string& section) const {
        for (const ConfigKey& key : table_.keys()) {
            if (parent_path(key.path) != section) continue;
            if (keys_.refused.count(key.path) != 0) return false;
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
    KeysRead keys_;
    Config& config_;
    std::vector<Diagnostic>& findings_;
};

}  // namespace

Location KeysRead::key_where(const std::string& path) const {
    const auto it = places.find(path);
    return it == places.end() ? Location() : it->second;
}

void check_config(const ConfigTable& table, const KeysRead& keys, Config& config,
                  std::vector<Diagnostic>& findings) {
    ConfigChecks(table, keys, config, findings).check();
}

}  // namespace flitscope
