// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys whose values are nodes: numbers, or the names that the file of a custom graph gives them. A
// name is resolved only once all of the configuration has been read; until then the key holds node
// 0 (Config::named_nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/key_kinds.h"
#include "models/config/value_readers.h"

namespace flitscope::kinds {

inline constexpr IntegerRange kNodeNumbers{0, kMaxNodes - 1};

/// Applies a name once its number is known, by the index of the node in its list.
using SetNode = std::function<void(Config&, std::size_t index, NodeId node)>;

/// Whether the value may be the name of a node. No number is one (NodeFinder).
inline bool may_name_node(const ConfigTree& value) {
    return value.is_scalar() && !value.text.empty() && !is_digits(value.text);
}

/// A node; if the value may be a name it is 0, and `named` holds the name.
inline std::optional<NodeId> read_node(const ConfigTree& value, const ReadContext& context,
                                       std::vector<NamedNode>& named,
                                       std::function<void(Config&, NodeId)> set) {
    std::vector<Diagnostic> found;
    const auto number =
        read_integer(value, {context.name, context.folder, found}, kNodeNumbers, "node");
    if (number) return static_cast<NodeId>(*number);
    if (may_name_node(value)) {
        named.push_back({context.name, value.text, std::move(found.front()), std::move(set)});
        return NodeId{0};
    }
    context.findings.insert(context.findings.end(), found.begin(), found.end());
    return std::nullopt;
}

/// A list of nodes whose length is in `length`.
inline std::vector<NodeId> read_nodes(const ConfigTree& value, const ReadContext& context,
                                      const IntegerRange& length, std::vector<NamedNode>& named,
                                      const SetNode& set) {
    ConfigTree numbers = value;
    for (std::size_t i = 0; value.is_sequence() && i < value.children.size(); ++i) {
        const ConfigTree& entry = value.children[i];
        if (!may_name_node(entry)) continue;
        const ReadContext inner{fmt::format("{}[{}]", context.name, i), context.folder,
                                context.findings};
        read_node(entry, inner, named,
                  [set, i](Config& config, NodeId node) { set(config, i, node); });
        numbers.children[i].text = "0";
        numbers.children[i].quoted = false;
    }
    std::vector<NodeId> nodes;
    for (const std::uint64_t number : read_integers(numbers, context, kNodeNumbers, length)) {
        nodes.push_back(static_cast<NodeId>(number));
    }
    return nodes;
}

template <class Field>
ConfigKey node_key(std::string path, std::string meaning, Field field) {
    ConfigKey key = integer(std::move(path), kNodeNumbers, "node", std::move(meaning), field);
    key.type = "integer or name";
    key.read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto set = [=](Config& in, NodeId node) { field(in) = node; };
        if (const auto node = read_node(value, context, config.named_nodes, set)) {
            field(config) = *node;
        }
    };
    return key;
}

template <class Field>
ConfigKey node_keys(std::string path, IntegerRange length, std::string meaning, Field field) {
    ConfigKey key = integers(std::move(path), kNodeNumbers, length, std::move(meaning), field);
    key.type = "list of integers or names";
    key.read = [=](const ConfigTree& value, Config& config, const ReadContext& context) {
        const auto set = [=](Config& in, std::size_t index, NodeId node) {
            // A list with a refused entry is shorter, and useless.
            if (index < field(in).size()) field(in)[index] = node;
        };
        field(config) = read_nodes(value, context, length, config.named_nodes, set);
    };
    return key;
}

}  // namespace flitscope::kinds
