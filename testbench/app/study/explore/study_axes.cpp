// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/study_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/study/explore/objectives.h"

namespace flitscope::study {
namespace {

std::string key_of(const std::string& override) { return override.substr(0, override.find('=')); }

/// Whether what sets `section` replaces what `key` was before.
bool replaces(const std::string& section, const std::string& key) {
    return key == section || key.rfind(section + '.', 0) == 0;
}

/// A measurement is applied to a design as a whole: its sections replace all of their contents.
bool is_set_by_all(const std::vector<Workload>& measurements, const std::string& key) {
    const auto sets_it = [&key](const Workload& measurement) {
        return std::any_of(
            measurement.overrides.begin(), measurement.overrides.end(),
            [&key](const std::string& override) { return replaces(key_of(override), key); });
    };
    return !measurements.empty() && std::all_of(measurements.begin(), measurements.end(), sets_it);
}

/// Among axes, one that sets a key goes before one that sets a section around it (Space::settings).
bool is_set_by_all(const std::vector<AxisValue>& values, const std::string& key) {
    return std::all_of(values.begin(), values.end(),
                       [&key](const AxisValue& value) { return value.keys.count(key) != 0; });
}

/// `tree` and all its contents, by their keys.
void add_keys(const std::string& key, const ConfigTree& tree, std::set<std::string>& keys) {
    keys.insert(key);
    if (!tree.is_map()) return;
    for (const ConfigTree& child : tree.children) add_keys(key + '.' + child.key, child, keys);
}

/// Whether two values are one, though they may be written as 0.5 and 0.50.
bool is_same(const std::string& label, const std::string& other) {
    if (label == other) return true;
    const auto number = kinds::to_real(label);
    return number && number == kinds::to_real(other);
}

std::string label_of(const ConfigTree& value) {
    return value.is_scalar() ? value.text : yaml_flow(value);
}

}  // namespace

/// The keys that a value sets: if the axis is a key, that key; else the keys of a map.
void AxisReader::read_overrides(const std::string& key, const ConfigTree& value, AxisValue& into) {
    const auto set = [this, &into](const std::string& name, const ConfigTree& tree) {
        into.overrides.push_back(override_of(name, tree));
        add_keys(name, tree, into.keys);
    };
    if (!key.empty()) {
        set(key, value);
        return;
    }
    for (const ConfigTree& child : value.children) {
        if (is_known(child.key, child.key_where)) set(child.key, child);
    }
}

/// `key` is empty if the axis is a choice of several keys.
void AxisReader::read_axis(const std::string& name, const std::string& key,
                           const ConfigTree& tree) {
    Axis axis{{name}, {}, tree.key_where};
    const bool has_names = tree.is_map();
    static const std::vector<std::string> kColumns = {"digest", "state", "reason", "cycle_ns",
                                                      "cycle_of"};
    if (find_metric(name) != nullptr ||
        std::find(kColumns.begin(), kColumns.end(), name) != kColumns.end()) {
        report(tree.key_where, fmt::format("'{}' is a column of tables of designs already", name),
               "give the axis another name");
        return;
    }
    if (!has_names && !tree.is_sequence()) {
        report(tree.where,
               fmt::format("'{}' has a list of values or a map of named ones, found {}", name,
                           tree.found()),
               "write [2, 4, 8]");
        return;
    }
    for (const ConfigTree& value : tree.children) {
        if (key.empty() && !(has_names && value.is_map() && !value.children.empty())) {
            report(tree.key_where, fmt::format("'{}' is not a key of a configuration", name),
                   "give it named variants of keys: {small: {fabric.buffer_depth: 2}}");
            return;
        }
        const std::string label = has_names ? value.key : label_of(value);
        for (const AxisValue& other : axis.values) {
            if (is_same(other.labels.front(), label)) {
                report(value.where, fmt::format("'{}' has the value '{}' twice", name, label),
                       "leave one of them out");
            }
        }
        AxisValue read{{label}, {}, {}, has_names ? value.key_where : value.where};
        read_overrides(key, value, read);
        axis.values.push_back(std::move(read));
    }
    if (axis.values.empty()) {
        report(tree.where, fmt::format("'{}' has no values, so there is no design", name),
               "give it values, or leave it out");
        return;
    }
    claim_keys_of(axis);
    study_.axes.push_back(std::move(axis));
}

void AxisReader::read_axes(const ConfigTree& tree) {
    if (!is_map(tree, "write {fabric.buffer_depth: [2, 4, 8]}")) return;
    const ConfigTable& table = configuration_table();
    for (const ConfigTree& child : tree.children) {
        const std::string key = table.current_name(child.key);
        const bool is_key = table.find_key(key) != nullptr || table.is_section(key);
        const bool is_choice =
            child.is_map() && std::all_of(child.children.begin(), child.children.end(),
                                          [](const ConfigTree& v) { return v.is_map(); });
        // A word that looks like a key is a key, or a typing error.
        const bool names_key = child.key.find('.') != std::string::npos || !is_choice;
        if (is_key || (names_key && !is_known(child.key, child.key_where))) {
            if (is_key) read_axis(key, key, child);
        } else {
            read_axis(child.key, "", child);
        }
    }
}

void AxisReader::read_equal_cost(const ConfigTree& tree) {
    if (!is_map(tree, "write {fabric.pin_budget: 512}")) return;
    static const std::vector<std::string> kBudgets = {"fabric.pin_budget",
                                                      "fabric.bisection_budget"};
    for (const ConfigTree& child : tree.children) {
        if (std::find(kBudgets.begin(), kBudgets.end(), child.key) == kBudgets.end()) {
            report(child.key_where, fmt::format("'{}' is not a budget", excerpt(child.key)),
                   suggest_choice(child.key, kBudgets));
        } else if (child.is_sequence()) {
            read_axis(child.key, child.key, child);  // best per budget
        } else {
            study_.overrides.push_back(override_of(child.key, child));
            study_.places.emplace_back(study_.overrides.back(), child.where);
        }
    }
}

void AxisReader::read_zip(const ConfigTree& tree) {
    if (!tree.is_sequence()) {
        report(tree.where, "'zip' is a list of lists of axes, found " + tree.found(),
               "write [[fabric.virtual_channels, fabric.buffer_depth]]");
        return;
    }
    for (const ConfigTree& group : tree.children) {
        if (group.is_sequence()) {
            zip(group);
        } else {
            report(group.where, "'zip' is a list of lists of axes, found " + group.found(),
                   "write [[fabric.virtual_channels, fabric.buffer_depth]]");
        }
    }
}

/// Makes one axis of several.
void AxisReader::zip(const ConfigTree& group) {
    std::optional<std::size_t> first;
    for (const ConfigTree& name : group.children) {
        const auto it = std::find_if(study_.axes.begin(), study_.axes.end(), [&](const Axis& a) {
            return a.names == std::vector<std::string>{name.text};
        });
        const auto is_zipped = [&](const Axis& a) {
            return a.names.size() > 1 &&
                   std::find(a.names.begin(), a.names.end(), name.text) != a.names.end();
        };
        if (std::any_of(study_.axes.begin(), study_.axes.end(), is_zipped)) {
            report(name.where, fmt::format("'{}' is zipped twice", excerpt(name.text)),
                   "name it once, in one list with all axes that advance with it");
            return;
        }
        if (it == study_.axes.end()) {
            report(name.where, fmt::format("'{}' is not an axis under 'vary'", excerpt(name.text)),
                   did_you_mean(nearest(name.text, study_.axis_names()), "name axes that vary"));
            return;
        }
        const auto index = static_cast<std::size_t>(it - study_.axes.begin());
        if (!first) {
            first = index;
            continue;
        }
        if (index == *first) {
            report(name.where, fmt::format("'{}' is zipped with itself", excerpt(name.text)),
                   "name every axis once");
            return;
        }
        Axis& axis = study_.axes[*first];
        if (axis.values.size() != it->values.size()) {
            report(name.where,
                   fmt::format("'{}' has {} values and '{}' has {}", axis.names.front(),
                               axis.values.size(), name.text, it->values.size()),
                   "axes that advance together have equally many");
            return;
        }
        axis.names.push_back(it->names.front());
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
            AxisValue& value = axis.values[i];
            const AxisValue& other = it->values[i];
            value.labels.push_back(other.labels.front());
            value.overrides.insert(value.overrides.end(), other.overrides.begin(),
                                   other.overrides.end());
            value.keys.insert(other.keys.begin(), other.keys.end());
        }
        study_.axes.erase(it);
        if (index < *first) --*first;
    }
}

void AxisReader::read_conditions(const ConfigTree& tree) {
    const std::vector<AxisLabels> axes = study_.axis_labels();
    const auto read = [&](const ConfigTree& condition) {
        if (!condition.is_scalar()) {
            report(condition.where, "a condition is a text, found " + condition.found(),
                   "write \"fabric.topology != torus or fabric.virtual_channels >= 2\"");
            return;
        }
        try {
            study_.conditions.emplace_back(condition.text, condition.where, axes);
        } catch (const ConfigError& error) {
            for (const Diagnostic& found : error.findings()) {
                report(found.where, found.what, found.hint);
            }
        }
    };
    if (tree.is_sequence()) {
        for (const ConfigTree& condition : tree.children) read(condition);
    } else {
        read(tree);
    }
}

/// Checks that no two axes set the same key, as one would have no effect.
void AxisReader::claim_keys_of(const Axis& axis) {
    std::set<std::string> keys;
    for (const AxisValue& value : axis.values) keys.insert(value.keys.begin(), value.keys.end());
    for (const std::string& key : keys) {
        const auto [other, is_new] = varied_.emplace(key, axis.where);
        if (is_new) continue;
        report(axis.where,
               fmt::format("'{}' varies twice, the other time at line {}", key, other->second.line),
               "leave it out of one of the axes");
    }
}

void AxisReader::require_effect_of_axes() {
    for (const auto& [override, where] : study_.places) {
        const std::string key = key_of(override);
        const auto is_this = [&text = override](const std::string& own) { return own == text; };
        const bool is_budget =
            std::any_of(study_.overrides.begin(), study_.overrides.end(), is_this);
        if (is_budget && varied_.count(key) == 0 && is_set_by_all(study_.workloads, key)) {
            report(where, fmt::format("'{}' has no effect where every measurement sets it", key),
                   "leave one of them out");
        }
        const auto varied =
            std::find_if(varied_.begin(), varied_.end(), [&](const auto& varied_key) {
                return is_budget ? varied_key.first == key
                                 : replaces(key, varied_key.first) &&
                                       is_set_by_all(study_.workloads, varied_key.first);
            });
        if (varied == varied_.end()) continue;
        report(where,
               fmt::format("'{}' varies at line {}, which has no effect where {} sets it",
                           varied->first, varied->second.line,
                           is_budget ? "equal_cost" : "every measurement"),
               "leave one of them out");
    }
}

void AxisReader::require_use_of(const std::string& text) {
    const std::string key = key_of(text);
    const bool is_axis =
        std::any_of(study_.axes.begin(), study_.axes.end(),
                    [&key](const Axis& axis) { return is_set_by_all(axis.values, key); });
    if (!is_axis && !is_set_by_all(study_.workloads, key)) return;
    report({"--set " + text, 0, 0},
           fmt::format("changes nothing: every {} of the study sets this key",
                       is_axis ? "design" : "measurement"),
           "change it in " + study_.source);
}

}  // namespace flitscope::study
