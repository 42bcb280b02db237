// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds nodes by what users call them: numbers, and the names that the file of a graph gives them
// (models/topology/files/CUSTOM_GRAPHS.md). No name is a number, so that a text is one of the two.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

/// A decimal number without sign; none where it needs more than the type holds.
std::optional<NodeId> to_node_number(std::string_view text);

class NodeFinder {
public:
    /// `names` in the order of node numbers, empty where nodes have none; must outlive the finder.
    explicit NodeFinder(const std::vector<std::string>& names) : names_(names) {}

    bool has_names() const { return !names_.empty(); }
    /// The node that has the name, or the number, of which there need not be a node.
    std::optional<NodeId> find(std::string_view text) const;
    /// The ends of "A-B". Names may have a '-', so that there are several ways to cut the text:
    /// those of which both ends are found, the shortest first end first.
    std::vector<std::pair<NodeId, NodeId>> find_ends(std::string_view text) const;

    /// A node as messages call it: its name in quotes, or else its number.
    std::string name_of(NodeId node) const;
    /// The remedy for a text that names no node: the name that may be meant, or where all are told.
    std::string remedy(std::string_view text) const;

private:
    const std::vector<std::string>& names_;
    /// Made when a name is first looked for: most texts are numbers.
    mutable std::unordered_map<std::string_view, NodeId> numbers_;
};

}  // namespace flitscope
