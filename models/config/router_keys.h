// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The kind of key that gives single nodes another router: a list of maps, each of nodes and the
// router that they have.
#pragma once

#include "models/config/entry_reader.h"
#include "models/config/key_kinds.h"
#include "models/topology/topologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace flitscope::kinds {

inline std::optional<RouterOverride> read_router_override(const ConfigTree& value,
                                                          const ReadContext& context) {
    constexpr IntegerRange kNodes{0, kMaxNodes - 1};
    constexpr IntegerRange kCount{1, kMaxNodes};
    if (!value.is_map()) {
        mistyped(value, context, "a map of nodes and router", "write {nodes: [5], router: rtl}");
        return std::nullopt;
    }
    const EntryReader read(value, context, {"nodes", "router"});
    RouterOverride result;
    read("nodes", fmt::format("numbers of the nodes that have this router: {} each", kNodes.str()),
         [&](const ConfigTree& child, const ReadContext& inner) {
             for (const std::uint64_t node : read_integers(child, inner, kNodes, kCount)) {
                 result.nodes.push_back(static_cast<NodeId>(node));
             }
         });
    read("router",
         fmt::format("router of these nodes: {}", fmt::join(names_of(kRouterKinds), ", ")),
         [&](const ConfigTree& child, const ReadContext& inner) {
             result.router = read_enumeration(child, inner, "router", kRouterKinds)
                                 .value_or(RouterKind::kSystemC);
         });
    if (!read.is_sound()) return std::nullopt;
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
                                          fmt::join(entry.nodes, ", "), name_of(entry.router)));
        }
        return fmt::format("[{}]", fmt::join(entries, ", "));
    };
    return {std::move(path),
            "list of maps, each of `nodes` (list of integers) and `router` (word)",
            fmt::format("nodes: at least one, 0 to {} each; router: {}", kMaxNodes - 1,
                        fmt::join(names_of(kRouterKinds), ", ")),
            "",
            std::move(meaning),
            read,
            write};
}

}  // namespace flitscope::kinds
