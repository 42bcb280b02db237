// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kind of key that gives single nodes another router: a list of maps, each of nodes and the
// router that they have.
#pragma once

#include "models/config/key_kinds.h"
#include "models/topology/topologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace flitscope::kinds {

/// The descriptions of routers that there are, the default first.
inline const Names& routers() {
    static const Names kRouters = {"systemc", "rtl"};
    return kRouters;
}

/// Finds the keys of `map` that are not among `known`. They are no paths of the table, which cannot
/// know how many entries a list has.
inline void refuse_unknown_keys(const ConfigTree& map, const ReadContext& context,
                                const Names& known) {
    for (const ConfigTree& child : map.children) {
        if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
        // A place on the command line has no column that would tell which entry is meant.
        const std::string prefix = child.key_where.line == 0 ? context.name + '.' : "";
        const std::string near = nearest(child.key, known);
        context.findings.push_back(
            {child.key_where, fmt::format("unknown key '{}'", excerpt(prefix + child.key)),
             near.empty() ? fmt::format("keys of '{}': {}", context.name, fmt::join(known, ", "))
                          : fmt::format("did you mean '{}{}'?", prefix, near)});
    }
}

inline std::optional<RouterOverride> read_router_override(const ConfigTree& value,
                                                          const ReadContext& context) {
    constexpr IntegerRange kNodes{0, kMaxNodes - 1};
    constexpr IntegerRange kCount{1, kMaxNodes};
    if (!value.is_map()) {
        mistyped(value, context, "a map of nodes and router", "write {nodes: [5], router: rtl}");
        return std::nullopt;
    }
    const std::size_t before = context.findings.size();
    refuse_unknown_keys(value, context, {"nodes", "router"});
    const auto read = [&](const char* key, const std::string& remedy, const auto& read_value) {
        const ReadContext inner{context.name + '.' + key, context.folder, context.findings};
        if (const ConfigTree* const child = value.find(key)) {
            read_value(*child, inner);
        } else {
            context.findings.push_back(
                {value.where, fmt::format("key '{}' is missing", inner.name), remedy});
        }
    };
    RouterOverride result;
    read("nodes", fmt::format("numbers of the nodes that have this router: {} each", kNodes.str()),
         [&](const ConfigTree& child, const ReadContext& inner) {
             for (const std::uint64_t node : read_integers(child, inner, kNodes, kCount)) {
                 result.nodes.push_back(static_cast<NodeId>(node));
             }
         });
    read("router", fmt::format("router of these nodes: {}", fmt::join(routers(), ", ")),
         [&](const ConfigTree& child, const ReadContext& inner) {
             result.router = read_choice(child, inner, "router", routers()).value_or("");
         });
    if (context.findings.size() > before) return std::nullopt;
    return result;
}

template <class Field>
ConfigKey router_overrides(std::string path, std::string meaning, Field field) {
    const auto read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        if (!value.is_sequence()) {
            mistyped(value, context, "a list of maps", "write [{nodes: [5], router: rtl}]");
            return;
        }
        field(config).clear();
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            const ReadContext inner{fmt::format("{}[{}]", context.name, i), context.folder,
                                    context.findings};
            const auto entry = read_router_override(value.children[i], inner);
            if (entry) field(config).push_back(*entry);
        }
    };
    const auto write = [=](const Config& config) {
        Names entries;
        for (const RouterOverride& entry : field(config)) {
            entries.push_back(fmt::format("{{nodes: [{}], router: {}}}",
                                          fmt::join(entry.nodes, ", "), entry.router));
        }
        return fmt::format("[{}]", fmt::join(entries, ", "));
    };
    return {std::move(path),
            "list of maps, each of `nodes` (list of integers) and `router` (word)",
            fmt::format("nodes: at least one, 0 to {} each; router: {}", kMaxNodes - 1,
                        fmt::join(routers(), ", ")),
            "",
            std::move(meaning),
            read,
            write};
}

}  // namespace flitscope::kinds
