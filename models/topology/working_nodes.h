// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The participants of a network with dead nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// The nodes that send and receive and are alive, in their order.
std::vector<NodeId> working_nodes(const Graph& graph);
/// How many of them a router has.
std::uint32_t working_nodes_at(const Graph& graph, RouterId router);

}  // namespace flitscope
