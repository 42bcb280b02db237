// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/explore/kept_columns.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/base/printable.h"
#include "testbench/app/gate_synthesis/bounded_json.h"

namespace flitscope::study {
namespace {

Json json_of(const std::string& text) {
    try {
        return parse_json(text);
    } catch (const Json::exception&) {
        throw std::invalid_argument(fmt::format("is no JSON: '{}'", excerpt(text)));
    }
}

/// An object, all of whose values are of one kind.
Json object_of(const std::string& text, bool (*is_right)(const Json&), const char* kind) {
    Json json = json_of(text);
    if (!json.is_object()) {
        throw std::invalid_argument(fmt::format("is no object: '{}'", excerpt(text)));
    }
    for (const auto& [name, value] : json.items()) {
        if (is_right(value)) continue;
        throw std::invalid_argument(fmt::format("has '{}' at '{}', which is no {}",
                                                excerpt(value.dump()), excerpt(name), kind));
    }
    return json;
}

/// A text among the entries of an object.
std::string text_at(const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key) || !object.at(key).is_string()) {
        throw std::invalid_argument(
            fmt::format("has '{}', in which no text is {}", excerpt(object.dump()), key));
    }
    return object.at(key).get<std::string>();
}

std::vector<std::string> names_of(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

}  // namespace

std::vector<ObjectiveRow> parse_objectives(const std::string& text) {
    const Json list = json_of(text);
    if (!list.is_array() || list.empty()) {
        throw std::invalid_argument(fmt::format("is no list of objectives: '{}'", excerpt(text)));
    }
    std::vector<ObjectiveRow> objectives;
    for (const Json& entry : list) {
        const std::string goal = text_at(entry, "goal");
        if (goal != "max" && goal != "min") {
            throw std::invalid_argument(
                fmt::format("has the goal '{}', which is neither min nor max", excerpt(goal)));
        }
        objectives.push_back({text_at(entry, "name"), text_at(entry, "unit"), goal == "max"});
    }
    return objectives;
}

std::vector<std::string> parse_settings(const std::string& text) {
    const Json list = json_of(text);
    std::vector<std::string> settings;
    if (!list.is_array()) {
        throw std::invalid_argument(fmt::format("is no list of texts: '{}'", excerpt(text)));
    }
    for (const Json& entry : list) {
        if (!entry.is_string()) {
            throw std::invalid_argument(
                fmt::format("has '{}', which is no text", excerpt(entry.dump())));
        }
        settings.push_back(entry.get<std::string>());
    }
    return settings;
}

Json parse_labels(const std::string& text) {
    return object_of(
        text, [](const Json& label) { return label.is_string(); }, "label");
}

Json parse_values(const std::string& text) {
    return object_of(
        text, [](const Json& value) { return value.is_number(); }, "number");
}

void require_alike(const std::vector<DesignRow>& designs,
                   const std::vector<ObjectiveRow>& objectives) {
    if (designs.empty()) return;
    const std::vector<std::string> axes = names_of(designs.front().axes);
    for (const DesignRow& design : designs) {
        if (names_of(design.axes) != axes) {
            throw std::invalid_argument(fmt::format("design {} has other axes than design {}",
                                                    excerpt(design.digest),
                                                    excerpt(designs.front().digest)));
        }
        if (design.state != DesignState::kSimulated) continue;
        for (const ObjectiveRow& objective : objectives) {
            if (design.objectives.contains(objective.name)) continue;
            throw std::invalid_argument(fmt::format("design {} was simulated and has no '{}'",
                                                    excerpt(design.digest),
                                                    excerpt(objective.name)));
        }
    }
}

}  // namespace flitscope::study
