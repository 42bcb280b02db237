// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds nodes by the user's terms: numbers, or the names in the file of a graph
// (models/topology/files/CUSTOM_GRAPHS.md). No name is a number, so a text is one of the two.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// A decimal number without sign; none if it exceeds the type.
std::optional<NodeId> to_node_number(std::string_view text);

class NodeFinder {
public:
    /// `names` in the order of node numbers, empty if nodes are unnamed; must outlive the finder.
    explicit NodeFinder(const std::vector<std::string>& names) : names_(names) {}

    bool has_names() const { return !names_.empty(); }
    /// The node with this name, or the number, which need not be that of a node.
    std::optional<NodeId> find(std::string_view text) const;
    /// The same, if it is one of `count`.
    std::optional<NodeId> find(std::string_view text, NodeId count) const;
    /// The ends of "A-B". Names may contain '-', so there are several ways to split the text: all
    /// with both ends found, the shortest first end first.
    std::vector<std::pair<NodeId, NodeId>> find_ends(std::string_view text) const;

    /// A node as messages call it: its name in quotes, or else its number.
    std::string name_of(NodeId node) const;
    /// The remedy for a text that names no node: the likely name, or where all are listed.
    std::string remedy(std::string_view text) const;
    /// The same; `numbers` says which there are, for a text that is one, and where none has a name.
    std::string remedy(std::string_view text, const std::string& numbers) const;

private:
    const std::vector<std::string>& names_;
    /// Made when a name is first looked for: most texts are numbers.
    mutable std::unordered_map<std::string_view, NodeId> numbers_;
};

}  // namespace flitscope
