// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/explore/study_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/choices.h"
#include "models/config/config_loader.h"
#include "models/config/config_tree.h"
#include "models/config/key_kinds.h"
#include "testbench/configuration/configuration.h"
#include "testbench/study/explore/objectives.h"

namespace flitscope::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigBases = "fabric, node, traffic, ...";
constexpr double kMostWeight = 1e12;

/// Gathers findings all the way.
class Reader {
public:
    Reader(std::string path, std::string text) {
        study_.source = std::move(path);
        study_.name = fs::path(study_.source).stem().string();
        study_.text = std::move(text);
    }

    Study read(const std::vector<std::string>& overrides) {
        const ConfigTree root = parse_tree(study_.text, study_.source, findings_);
        if (!root.is_map()) {
            throw ConfigError(root.is_null() ? Location{study_.source, 0, 0} : root.where,
                              "a study is a map of keys, found " + root.found(),
                              "it needs base, vary, measure and objectives");
        }
        if (root.find("fabric") != nullptr && root.find("vary") == nullptr) {
            throw ConfigError({study_.source, 0, 0}, "is a configuration, and no study",
                              "name it as the base of one (testbench/study/README.md)");
        }
        static const std::vector<std::string> kKeys = {"base",       "vary",        "zip",
                                                       "where",      "equal_cost",  "measure",
                                                       "objectives", "constraints", "search"};
        for (const ConfigTree& child : root.children) {
            if (std::find(kKeys.begin(), kKeys.end(), child.key) == kKeys.end()) {
                refuse_key(child, kKeys);
            }
        }
        read_base(root);
        if (const ConfigTree* tree = needed(root, "vary", "what varies: keys with their values")) {
            read_axes(*tree);
        }
        if (const ConfigTree* tree = root.find("equal_cost")) read_equal_cost(*tree);
        if (const ConfigTree* tree = root.find("zip")) read_zip(*tree);
        if (const ConfigTree* tree = root.find("where")) read_conditions(*tree);
        study_.overrides.insert(study_.overrides.end(), overrides.begin(), overrides.end());
        if (const ConfigTree* tree = root.find("measure")) {
            read_workloads(*tree);
        } else {
            study_.workloads.push_back({"run", Measurement::kRun, {}, 1, root.where});
        }
        if (const ConfigTree* tree =
                needed(root, "objectives", "what is sought: {min: [time_ns, pins]}")) {
            read_objectives(*tree);
        }
        if (const ConfigTree* tree = root.find("constraints")) read_constraints(*tree);
        if (const ConfigTree* tree = root.find("search")) read_search(*tree);
        require_effect_of_axes();
        for (const std::string& text : overrides) require_use_of(text);
        if (!findings_.empty()) throw ConfigError(std::move(findings_));
        return std::move(study_);
    }

private:
    static std::string key_of(const std::string& override) {
        return override.substr(0, override.find('='));
    }
    /// That no two axes set the same key, of which one would have no effect.
    void claim_keys_of(const Axis& axis) {
        std::set<std::string> keys;
        for (const AxisValue& value : axis.values) {
            for (const std::string& override : value.overrides) keys.insert(key_of(override));
        }
        for (const std::string& key : keys) {
            const auto [other, is_new] = varied_.emplace(key, axis.where);
            if (is_new) continue;
            report(axis.where,
                   fmt::format("'{}' varies twice, the other time at line {}", key,
                               other->second.line),
                   "leave it out of one of the axes");
        }
    }
    /// That no budget is given for what varies, and that not every measurement sets it.
    void require_effect_of_axes() {
        for (const auto& [override, where] : study_.places) {
            const auto varied = varied_.find(key_of(override));
            if (varied == varied_.end()) continue;
            const auto is_this = [&text = override](const std::string& own) { return own == text; };
            const bool is_budget =
                std::any_of(study_.overrides.begin(), study_.overrides.end(), is_this);
            if (!is_budget && !is_set_by_all(study_.workloads, varied->first)) continue;
            report(where,
                   fmt::format("'{}' varies at line {}, which has no effect where {} sets it",
                               varied->first, varied->second.line,
                               is_budget ? "equal_cost" : "every measurement"),
                   "leave one of them out");
        }
    }
    template <class Choices>
    static bool is_set_by_all(const Choices& choices, const std::string& key) {
        const auto sets_it = [&key](const auto& choice) {
            return std::any_of(
                choice.overrides.begin(), choice.overrides.end(),
                [&key](const std::string& override) { return key_of(override) == key; });
        };
        return !choices.empty() && std::all_of(choices.begin(), choices.end(), sets_it);
    }
    /// That not every design, or every measurement, sets the key of an override of the command line
    /// itself.
    void require_use_of(const std::string& text) {
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

    /// Names of the user in it may hold anything, ends of lines too: a finding is one line.
    void report(const Location& where, const std::string& what, const std::string& hint = {}) {
        findings_.push_back({where, printable(what), printable(hint)});
    }

    void refuse_key(const ConfigTree& entry, const std::vector<std::string>& known) {
        report(entry.key_where, fmt::format("unknown key '{}'", excerpt(entry.key)),
               suggest_choice(entry.key, known));
    }
    /// The one of `values` that a word names; reports where none is meant.
    template <class Values>
    std::optional<typename Values::value_type> choice(const ConfigTree& tree, const char* noun,
                                                      const Values& values) {
        const auto chosen = value_named(values, tree.text);
        if (!chosen) {
            std::vector<std::string> names;
            for (const auto value : values) names.emplace_back(name_of(value));
            report(tree.where, fmt::format("expected a {}, found {}", noun, tree.found()),
                   suggest_choice(tree.text, names));
        }
        return chosen;
    }

    const ConfigTree* needed(const ConfigTree& root, const char* key, const std::string& what) {
        const ConfigTree* const tree = root.find(key);
        if (tree == nullptr) {
            report({study_.source, 0, 0}, fmt::format("key '{}' is missing", key), what);
        }
        return tree;
    }
    /// Whether it is a map with something in it.
    bool is_map(const ConfigTree& tree, const std::string& hint) {
        if (tree.is_map() && !tree.children.empty()) return true;
        report(tree.where,
               fmt::format("'{}' is a map, found {}", tree.key,
                           tree.is_map() ? "an empty one" : tree.found()),
               hint);
        return false;
    }

    void read_base(const ConfigTree& root) {
        const ConfigTree* const tree = needed(root, "base", "the configuration file to start from");
        if (tree == nullptr) return;
        if (!tree->is_scalar()) {
            report(tree->where,
                   "'base' is the name of a configuration file, found " + tree->found());
            return;
        }
        const fs::path folder = fs::path(study_.source).parent_path();
        study_.base = (folder / tree->text).string();
        study_.base_where = tree->where;
        std::error_code error;
        if (!fs::is_regular_file(study_.base, error)) {
            report(tree->where, fmt::format("no such configuration file '{}'", study_.base),
                   "relative names begin at the folder of the study");
        } else if (names_study(study_.base)) {
            report(tree->where,
                   fmt::format("'base' is a configuration file, and '{}' is a study", study_.base),
                   "name the configuration that it starts from itself");
        }
    }
    /// Of what cannot be read as either the reader of configurations tells.
    static bool names_study(const std::string& path) {
        try {
            std::vector<Diagnostic> of_others;
            return is_study(parse_tree(read_input_file(path, "configuration file", kMaxConfigBytes),
                                       path, of_others));
        } catch (const ConfigError&) {
            return false;
        }
    }

    // ---- Axes -----------------------------------------------------------------------------------

    /// Whether a configuration has a key or section of that name; reports where not.
    bool is_known(const std::string& path, const Location& where) {
        const ConfigTable& table = configuration_table();
        if (table.find_key(path) != nullptr || table.is_section(path)) return true;
        report(
            where, fmt::format("unknown key '{}'", excerpt(path)),
            did_you_mean(nearest(path, table.all_paths()),
                         fmt::format("a configuration has {}; see flitscope keys", kConfigBases)));
        return false;
    }

    static std::string label_of(const ConfigTree& value) {
        return value.is_scalar() ? value.text : yaml_flow(value);
    }

    /// What a value sets: of an axis that is a key, that key; else the keys of a map.
    std::vector<std::string> overrides_of(const std::string& key, const ConfigTree& value) {
        if (!key.empty()) return {key + '=' + yaml_flow(value)};
        std::vector<std::string> overrides;
        for (const ConfigTree& child : value.children) {
            if (!is_known(child.key, child.key_where)) continue;
            overrides.push_back(child.key + '=' + yaml_flow(child));
        }
        return overrides;
    }

    /// `key` is empty where the axis is a choice of several keys.
    void read_axis(const std::string& name, const std::string& key, const ConfigTree& tree) {
        Axis axis{{name}, {}, tree.key_where};
        const bool has_names = tree.is_map();
        if (!has_names && !tree.is_sequence()) {
            report(tree.where,
                   fmt::format("'{}' has a list of values or a map of named ones, found {}", name,
                               tree.found()),
                   "write [2, 4, 8]");
            return;
        }
        for (const ConfigTree& value : tree.children) {
            if (key.empty() && !(has_names && value.is_map() && !value.children.empty())) {
                report(tree.key_where, fmt::format("'{}' is no key of a configuration", name),
                       "give it named variants of keys: {small: {fabric.buffer_depth: 2}}");
                return;
            }
            const std::string label = has_names ? value.key : label_of(value);
            for (const AxisValue& other : axis.values) {
                if (other.labels.front() == label) {
                    report(value.where, fmt::format("'{}' has the value '{}' twice", name, label),
                           "leave one of them out");
                }
            }
            axis.values.push_back(
                {{label}, overrides_of(key, value), has_names ? value.key_where : value.where});
        }
        if (axis.values.empty()) {
            report(tree.where, fmt::format("'{}' has no values, so there is no design", name),
                   "give it values, or leave it out");
            return;
        }
        claim_keys_of(axis);
        study_.axes.push_back(std::move(axis));
    }

    void read_axes(const ConfigTree& tree) {
        if (!is_map(tree, "write {fabric.buffer_depth: [2, 4, 8]}")) return;
        const ConfigTable& table = configuration_table();
        for (const ConfigTree& child : tree.children) {
            const bool is_key = table.find_key(child.key) != nullptr || table.is_section(child.key);
            const bool is_choice =
                child.is_map() && std::all_of(child.children.begin(), child.children.end(),
                                              [](const ConfigTree& v) { return v.is_map(); });
            // What looks like a key is one, or a slip.
            const bool names_key = child.key.find('.') != std::string::npos || !is_choice;
            if (is_key || (names_key && !is_known(child.key, child.key_where))) {
                if (is_key) read_axis(child.key, child.key, child);
            } else {
                read_axis(child.key, "", child);
            }
        }
    }

    void read_equal_cost(const ConfigTree& tree) {
        if (!is_map(tree, "write {fabric.pin_budget: 512}")) return;
        static const std::vector<std::string> kBudgets = {"fabric.pin_budget",
                                                          "fabric.bisection_budget"};
        for (const ConfigTree& child : tree.children) {
            if (std::find(kBudgets.begin(), kBudgets.end(), child.key) == kBudgets.end()) {
                report(child.key_where, fmt::format("'{}' is no budget", excerpt(child.key)),
                       suggest_choice(child.key, kBudgets));
            } else if (child.is_sequence()) {
                read_axis(child.key, child.key, child);  // best per budget
            } else {
                study_.overrides.push_back(child.key + '=' + yaml_flow(child));
                study_.places.emplace_back(study_.overrides.back(), child.where);
            }
        }
    }

    void read_zip(const ConfigTree& tree) {
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
    void zip(const ConfigTree& group) {
        std::optional<std::size_t> first;
        for (const ConfigTree& name : group.children) {
            const auto it = std::find_if(
                study_.axes.begin(), study_.axes.end(),
                [&](const Axis& a) { return a.names == std::vector<std::string>{name.text}; });
            if (it == study_.axes.end()) {
                report(
                    name.where, fmt::format("'{}' is no axis under 'vary'", excerpt(name.text)),
                    did_you_mean(nearest(name.text, study_.axis_names()), "name axes that vary"));
                return;
            }
            const auto index = static_cast<std::size_t>(it - study_.axes.begin());
            if (!first) {
                first = index;
                continue;
            }
            if (index == *first) continue;
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
            }
            study_.axes.erase(it);
            if (index < *first) --*first;
        }
    }

    void read_conditions(const ConfigTree& tree) {
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

    // ---- Measurements, objectives ---------------------------------------------------------------

    std::optional<Measurement> measurement_of(const ConfigTree& tree) {
        return choice(tree, "measurement", std::array{Measurement::kRun, Measurement::kSaturation});
    }

    void read_workloads(const ConfigTree& tree) {
        if (!tree.is_map()) {
            if (const auto measurement = measurement_of(tree)) {
                study_.workloads.push_back({tree.text, *measurement, {}, 1, tree.where});
            }
            return;
        }
        if (!is_map(tree, "write {small: {kind: run, set: {traffic.message_bytes: 64}}}")) return;
        for (const ConfigTree& child : tree.children) {
            if (child.is_map()) {
                read_workload(child);
            } else {
                report(child.where, "a measurement is a map, found " + child.found(),
                       "with kind, set and weight");
            }
        }
    }
    void read_workload(const ConfigTree& tree) {
        Workload workload{tree.key, Measurement::kRun, {}, 1, tree.key_where};
        static const std::vector<std::string> kKeys = {"kind", "set", "weight"};
        for (const ConfigTree& child : tree.children) {
            if (child.key == "kind") {
                workload.measurement = measurement_of(child).value_or(Measurement::kRun);
            } else if (child.key == "set") {
                if (!is_map(child, "write {traffic.message_bytes: 64}")) continue;
                for (const ConfigTree& key : child.children) {
                    if (!is_known(key.key, key.key_where)) continue;
                    workload.overrides.push_back(key.key + '=' + yaml_flow(key));
                    study_.places.emplace_back(workload.overrides.back(), key.where);
                }
            } else if (child.key == "weight") {
                const auto weight = number(child);
                if (!weight || *weight <= 0 || *weight > kMostWeight) {
                    report(child.where, fmt::format("a weight is a number above 0, at most {:g}, "
                                                    "found {}",
                                                    kMostWeight, child.found()));
                } else {
                    workload.weight = *weight;
                }
            } else {
                refuse_key(child, kKeys);
            }
        }
        study_.workloads.push_back(std::move(workload));
    }

    static std::optional<double> number(const ConfigTree& tree) {
        return tree.is_scalar() ? kinds::to_real(tree.text) : std::nullopt;
    }
    std::uint64_t whole(const ConfigTree& tree, std::uint64_t least, std::uint64_t most) {
        const auto value = tree.is_scalar() ? kinds::to_unsigned(tree.text) : std::nullopt;
        if (value && *value >= least && *value <= most) return *value;
        report(tree.where, fmt::format("'{}' must be a whole number from {} to {}, found {}",
                                       tree.key, least, most, tree.found()));
        return least;
    }

    /// Whether there is such a metric and the study measures it; reports where not.
    bool gives(const std::string& metric, const Location& where) {
        const MetricInfo* const info = find_metric(metric);
        if (info == nullptr) {
            report(where, fmt::format("unknown metric '{}'", excerpt(metric)),
                   suggest_choice(metric, metric_names()));
            return false;
        }
        const auto serves = [&](const Workload& workload) {
            return !info->measurement || workload.measurement == *info->measurement;
        };
        if (std::any_of(study_.workloads.begin(), study_.workloads.end(), serves)) return true;
        report(
            where, fmt::format("no measurement of this study gives '{}'", metric),
            fmt::format("it takes one of kind '{}' under 'measure'", name_of(*info->measurement)));
        return false;
    }

    void read_objectives(const ConfigTree& tree) {
        if (!is_map(tree, "write {min: [time_ns, pins], max: [saturation_gbps]}")) return;
        for (const ConfigTree& goal : tree.children) {
            if (goal.key != "min" && goal.key != "max") {
                refuse_key(goal, {"min", "max"});
                continue;
            }
            const auto read = [&](const ConfigTree& metric) {
                const bool is_known = gives(metric.is_scalar() ? metric.text : "", metric.where);
                const auto it =
                    std::find_if(study_.objectives.begin(), study_.objectives.end(),
                                 [&](const Objective& o) { return o.metric == metric.text; });
                if (it != study_.objectives.end()) {
                    report(metric.where,
                           fmt::format("'{}' is an objective already, at {}", metric.text,
                                       it->where.str()),
                           "leave one of them out");
                } else if (is_known) {
                    study_.objectives.push_back({metric.text, goal.key == "max", metric.where});
                }
            };
            if (goal.is_sequence()) {
                for (const ConfigTree& metric : goal.children) read(metric);
            } else {
                read(goal);
            }
        }
        if (study_.objectives.empty() && findings_.empty()) {
            report(tree.where, "a study has at least one objective",
                   suggest_choice("", metric_names()));
        }
    }

    void read_constraints(const ConfigTree& tree) {
        if (!is_map(tree, "write {area_mm2: {max: 3}}")) return;
        for (const ConfigTree& child : tree.children) {
            if (!gives(child.key, child.key_where) || !is_map(child, "write {max: 3}")) continue;
            Limits limits{child.key, std::nullopt, std::nullopt, child.key_where};
            for (const ConfigTree& limit : child.children) {
                if (limit.key != "min" && limit.key != "max") {
                    refuse_key(limit, {"min", "max"});
                } else if (!number(limit)) {
                    report(limit.where, "a limit is a number, found " + limit.found());
                } else {
                    (limit.key == "min" ? limits.least : limits.most) = number(limit);
                }
            }
            if (limits.least && limits.most && *limits.least > *limits.most) {
                report(child.key_where,
                       fmt::format("'{}' can not be at least {} and at most {}", child.key,
                                   *limits.least, *limits.most),
                       "no design can keep both");
            }
            study_.constraints.push_back(std::move(limits));
        }
    }

    void read_search(const ConfigTree& tree) {
        if (!is_map(tree, "write {method: exact}")) return;
        static const std::vector<std::string> kKeys = {"method", "evaluations", "population",
                                                       "seed"};
        SearchConfig& search = study_.search;
        constexpr std::uint64_t kMost = 10'000'000;
        for (const ConfigTree& child : tree.children) {
            if (child.key == "method") {
                search.method = choice(child, "method", kSearchMethods).value_or(search.method);
            } else if (child.key == "evaluations") {
                search.evaluations = whole(child, 1, kMost);
            } else if (child.key == "population") {
                search.population = whole(child, 4, kMost);
            } else if (child.key == "seed") {
                search.seed = whole(child, 0, UINT64_MAX);
            } else {
                refuse_key(child, kKeys);
            }
        }
        if (search.method != SearchMethod::kExact) return;
        for (const char* key : {"evaluations", "population", "seed"}) {
            if (const ConfigTree* child = tree.find(key)) {
                report(child->key_where, fmt::format("'{}' is not for the method 'exact'", key),
                       "an exact search ends when every design is settled");
            }
        }
    }

    Study study_;
    std::map<std::string, Location> varied_;  // keys that axes set
    std::vector<Diagnostic> findings_;
};

}  // namespace

const char* name_of(SearchMethod method) {
    switch (method) {
        case SearchMethod::kExact:
            return "exact";
        case SearchMethod::kRandom:
            return "random";
        case SearchMethod::kNsga2:
            return "nsga2";
    }
    return "";
}

std::vector<std::string> Study::axis_names() const {
    std::vector<std::string> names;
    for (const Axis& axis : axes) names.insert(names.end(), axis.names.begin(), axis.names.end());
    return names;
}

std::vector<AxisLabels> Study::axis_labels() const {
    std::vector<AxisLabels> all;
    for (const Axis& axis : axes) {
        for (std::size_t i = 0; i < axis.names.size(); ++i) {
            AxisLabels& one = all.emplace_back(AxisLabels{axis.names[i], {}});
            for (const AxisValue& value : axis.values) one.labels.push_back(value.labels[i]);
        }
    }
    return all;
}

bool Study::needs(bool MetricInfo::*property) const {
    const auto has = [property](const auto& wish) { return find_metric(wish.metric)->*property; };
    return std::any_of(objectives.begin(), objectives.end(), has) ||
           std::any_of(constraints.begin(), constraints.end(), has);
}

Study load_study(const std::string& path, const std::vector<std::string>& overrides) {
    return parse_study(read_input_file(path, "study", kMaxConfigBytes), path, overrides);
}

Study parse_study(std::string text, const std::string& source,
                  const std::vector<std::string>& overrides) {
    return Reader(source, std::move(text)).read(overrides);
}

}  // namespace flitscope::study
