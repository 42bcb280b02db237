// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/report/design_difference.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace flitscope {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// Those of `lines` that are none of the others.
std::vector<std::string> lines_without(const std::vector<std::string>& lines,
                                       const std::vector<std::string>& others) {
    std::vector<std::string> rest;
    for (const std::string& line : lines) {
        if (std::find(others.begin(), others.end(), line) == others.end()) rest.push_back(line);
    }
    return rest;
}

}  // namespace

std::optional<double> DesignDifference::Objective::change() const {
    return first == 0 ? std::nullopt : std::optional(second / first - 1);
}

DesignDifference difference(const study::DesignRow& first, const std::string& first_config,
                            const study::DesignRow& second, const std::string& second_config) {
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
    const std::vector<std::string> of_first = lines_of(first_config);
    const std::vector<std::string> of_second = lines_of(second_config);
    found.only_first = lines_without(of_first, of_second);
    found.only_second = lines_without(of_second, of_first);
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
    json["only_first"] = difference.only_first;
    json["only_second"] = difference.only_second;
    return json;
}

void print_difference(std::ostream& out, const DesignDifference& difference) {
    for (const DesignDifference::Axis& axis : difference.axes) {
        fmt::print(out, "{:<28}{:>20}{:>20}\n", axis.name, axis.first, axis.second);
    }
    for (const DesignDifference::Objective& objective : difference.objectives) {
        const std::optional<double> change = objective.change();
        fmt::print(out, "{:<28}{:>20.6g}{:>20.6g}{:>10}\n", objective.name, objective.first,
                   objective.second, change ? fmt::format("{:+.1f} %", 100 * *change) : "-");
    }
    for (const std::string& line : difference.only_first) fmt::print(out, "- {}\n", line);
    for (const std::string& line : difference.only_second) fmt::print(out, "+ {}\n", line);
}

}  // namespace flitscope
