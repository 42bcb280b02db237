// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/design_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/printable.h"
#include "models/config/config_table.h"
#include "models/config/config_tree.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/study/explore/study_file.h"

namespace flitscope {
namespace {

/// Paths of keys to their values as YAML.
using Keys = std::map<std::string, std::string>;

void add_keys(Keys& keys, const ConfigTree& tree, const std::string& path) {
    const ConfigTable& table = configuration_table();
    const bool is_value = table.find_key(path) != nullptr && !table.is_section(path);
    if (tree.is_map() && !is_value) {
        for (const ConfigTree& child : tree.children) {
            add_keys(keys, child, join_path(path, child.key));
        }
        return;
    }
    keys[path] = tree.is_scalar() && !tree.quoted ? tree.text : yaml_flow(tree);
}

Keys keys_of(const MeasuredConfig& config) {
    std::vector<Diagnostic> findings;
    const ConfigTree tree = parse_tree(config.config, config.source, findings);
    if (!findings.empty()) throw ConfigError(std::move(findings));
    if (!tree.is_map()) {
        throw ConfigError({config.source, 0, 0}, "is not a configuration, found " + tree.found(),
                          "have the study explored into a new file");
    }
    Keys keys;
    add_keys(keys, tree, "");
    return keys;
}

/// The value of a key in the first design and in the second.
using Values = std::pair<std::optional<std::string>, std::optional<std::string>>;
/// The keys with two values.
using Changes = std::map<std::string, Values>;

Changes changes(const Keys& first, const Keys& second) {
    Changes all;
    for (const auto& [path, value] : first) all[path].first = value;
    for (const auto& [path, value] : second) all[path].second = value;
    for (auto it = all.begin(); it != all.end();) {
        it = it->second.first == it->second.second ? all.erase(it) : std::next(it);
    }
    return all;
}

/// Two measurements that are compared: their names and their differences.
using Compared = std::pair<std::string, Changes>;

/// Differences common to all measurements are listed once, before the others.
std::vector<DesignDifference::Key> merged(const std::vector<Compared>& compared) {
    const auto is_in_all = [&](const std::string& path, const Values& values) {
        return std::all_of(compared.begin(), compared.end(), [&](const Compared& one) {
            const auto found = one.second.find(path);
            return found != one.second.end() && found->second == values;
        });
    };
    std::vector<DesignDifference::Key> common;
    std::vector<DesignDifference::Key> others;
    for (const Compared& one : compared) {
        for (const auto& [path, values] : one.second) {
            if (!is_in_all(path, values)) {
                others.push_back({path, one.first, values.first, values.second});
            } else if (&one == &compared.front()) {
                common.push_back({path, std::nullopt, values.first, values.second});
            }
        }
    }
    common.insert(common.end(), others.begin(), others.end());
    return common;
}

/// The one to compare with, or nullptr.
const MeasuredConfig* partner_of(const MeasuredConfig& one, std::size_t among,
                                 const std::vector<MeasuredConfig>& others) {
    const bool is_alone = among == 1 && others.size() == 1;
    const auto found = std::find_if(others.begin(), others.end(), [&](const MeasuredConfig& other) {
        return !other.config.empty() && (is_alone || other.measurement == one.measurement);
    });
    return found == others.end() || one.config.empty() ? nullptr : &*found;
}

/// The names of those that cannot be compared, though there is a configuration.
std::vector<std::string> without_partner(const std::vector<MeasuredConfig>& configs,
                                         const std::vector<MeasuredConfig>& others) {
    std::vector<std::string> names;
    for (const MeasuredConfig& one : configs) {
        if (one.config.empty() || partner_of(one, configs.size(), others) != nullptr) continue;
        names.push_back(one.measurement);
    }
    return names;
}

Json text_or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

void print_keys(std::ostream& out, const std::vector<DesignDifference::Key>& keys) {
    std::string measurement;  // measurement of the previous lines
    for (const DesignDifference::Key& key : keys) {
        if (const std::string name = key.measurement.value_or(""); name != measurement) {
            out << fmt::format("measurement {}:\n", printable(name));
            measurement = name;
        }
        out << fmt::format("{}{}: {} -> {}\n", key.measurement ? "  " : "", printable(key.path),
                           printable(key.first.value_or("nothing")),
                           printable(key.second.value_or("nothing")));
    }
}

std::vector<DesignDifference::Derived> derived_changes(const study::DesignRow& first,
                                                       const study::DesignRow& second) {
    std::vector<DesignDifference::Derived> all;
    const auto add = [&](const study::DerivedFigure& figure, std::optional<double> a,
                         std::optional<double> b) {
        if (a != b) all.push_back({figure, a, b});
    };
    for (const study::DerivedFigure& figure : study::derived_figures()) {
        // An objective is listed as such.
        if (first.objectives.contains(figure.name)) continue;
        add(figure, figure.value(first), figure.value(second));
    }
    const auto period = [](const study::DesignRow& design) {
        return design.period_ns == 0 ? std::nullopt : std::optional(design.period_ns);
    };
    add({"period", "ns", "clock_ns"}, period(first), period(second));
    return all;
}

void print_only(std::ostream& out, const char* which, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        out << fmt::format("measurement {}: only for the {} design\n", printable(name), which);
    }
}

}  // namespace

std::optional<double> DesignDifference::Objective::change() const {
    return first == 0 ? std::nullopt : std::optional(second / first - 1);
}

DesignDifference difference(const study::DesignRow& first,
                            const std::vector<MeasuredConfig>& first_configs,
                            const study::DesignRow& second,
                            const std::vector<MeasuredConfig>& second_configs) {
    DesignDifference found;
    found.first = first.digest;
    found.second = second.digest;
    for (const auto& [name, label] : first.axes.items()) {
        const Json other = second.axes.value(name, Json("-"));
        if (other == label) continue;
        found.axes.push_back({name, label.get<std::string>(), other.get<std::string>()});
    }
    for (const auto& [name, value] : first.objectives.items()) {
        const Json other = second.objectives.value(name, Json());
        if (!other.is_number()) continue;
        found.objectives.push_back({name, value.get<double>(), other.get<double>()});
    }
    found.derived = derived_changes(first, second);
    std::vector<Compared> compared;
    for (const MeasuredConfig& one : first_configs) {
        const MeasuredConfig* const other = partner_of(one, first_configs.size(), second_configs);
        if (other == nullptr) continue;
        compared.emplace_back(one.measurement, changes(keys_of(one), keys_of(*other)));
    }
    found.keys = merged(compared);
    found.only_first = without_partner(first_configs, second_configs);
    found.only_second = without_partner(second_configs, first_configs);
    return found;
}

Json difference_json(const DesignDifference& difference) {
    Json json = {{"version", version()}};
    json["first"] = difference.first;
    json["second"] = difference.second;
    json["axes"] = Json::array();
    for (const DesignDifference::Axis& axis : difference.axes) {
        json["axes"].push_back(
            {{"axis", axis.name}, {"first", axis.first}, {"second", axis.second}});
    }
    json["objectives"] = Json::array();
    for (const DesignDifference::Objective& objective : difference.objectives) {
        const std::optional<double> change = objective.change();
        json["objectives"].push_back({{"objective", objective.name},
                                      {"first", objective.first},
                                      {"second", objective.second},
                                      {"change", change ? Json(*change) : Json()}});
    }
    json["derived"] = Json::array();
    for (const DesignDifference::Derived& one : difference.derived) {
        json["derived"].push_back({{"figure", one.figure.name},
                                   {"unit", one.figure.unit},
                                   {"first", one.first ? Json(*one.first) : Json()},
                                   {"second", one.second ? Json(*one.second) : Json()}});
    }
    json["keys"] = Json::array();
    for (const DesignDifference::Key& key : difference.keys) {
        json["keys"].push_back({{"key", key.path},
                                {"measurement", text_or_null(key.measurement)},
                                {"first", text_or_null(key.first)},
                                {"second", text_or_null(key.second)}});
    }
    json["measurements_only_first"] = difference.only_first;
    json["measurements_only_second"] = difference.only_second;
    return json;
}

void print_difference(std::ostream& out, const DesignDifference& difference) {
    for (const DesignDifference::Axis& axis : difference.axes) {
        out << fmt::format("{:<28}{:>20}{:>20}\n", axis.name, axis.first, axis.second);
    }
    for (const DesignDifference::Objective& objective : difference.objectives) {
        const std::optional<double> change = objective.change();
        out << fmt::format("{:<28}{:>20.6g}{:>20.6g}{:>10}\n", objective.name, objective.first,
                           objective.second,
                           change ? fmt::format("{:+.1f} %", 100 * *change) : "-");
    }
    const auto value = [](std::optional<double> of) {
        return of ? fmt::format("{:.6g}", *of) : "-";
    };
    for (const DesignDifference::Derived& one : difference.derived) {
        const bool has_change = one.first.value_or(0) != 0 && one.second;
        out << fmt::format(
            "{:<28}{:>20}{:>20}{:>10}\n", one.figure.heading(), value(one.first), value(one.second),
            has_change ? fmt::format("{:+.1f} %", 100 * (*one.second / *one.first - 1)) : "-");
    }
    print_keys(out, difference.keys);
    print_only(out, "first", difference.only_first);
    print_only(out, "second", difference.only_second);
}

}  // namespace flitscope
