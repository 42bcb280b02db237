// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An order of all nodes in which neighbours are linked, for chains and rings.
#pragma once

#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

struct NodeOrder {
    std::vector<NodeId> nodes;  ///< every node, once
    bool is_linked = false;     ///< the router of each is that of the next, or has a link to it
    bool is_closed = false;     ///< and that of the last one to that of the first
};

/// A ring of links if one is known: on hypercubes (a Gray code), on grids with an even side or with
/// a ring in every dimension. Otherwise a path of links, which all networks with coordinates have:
/// line after line, every second one backwards (a snake). Otherwise, and if some routers are only
/// switches, by node number. The nodes of a router follow each other.
///
/// On meshes whose sides are all odd the way back from the end of the path to its start crosses the
/// mesh; by dimension-order routing it shares no link with the path.
NodeOrder linked_order(const Graph& graph);

/// The nodes of `order` from `first` on, round to the one before it.
std::vector<NodeId> order_from(const NodeOrder& order, NodeId first);

}  // namespace flitscope
