// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a graph for other programs, and for people to look at.
#pragma once

#include <iosfwd>

namespace flitscope {

class Graph;

/// Writes a custom graph file in YAML (CUSTOM_GRAPHS.md), one entry per directed link: read again
/// it has the same nodes at the same routers, the same links in the same order, the same ports,
/// lengths, delays and positions. Not for graphs with dead nodes or routers, which such files
/// cannot represent.
void write_graph_yaml(std::ostream& out, const Graph& graph);

/// Writes one JSON object, with the grid's data on links (kind, dimension), and dead nodes. If node
/// n is attached to router n, "nodes" counts the routers, "endpoints" those with a node; otherwise
/// there are "routers", and "at", the router of each node.
void write_graph_json(std::ostream& out, const Graph& graph);

/// Writes Graphviz DOT, a custom graph file and a drawing at once: a pair of links that differ only
/// in direction is one edge, every router has its place in the machine and every edge its curve,
/// for `neato -n2`. A router says how many nodes it has, and shows which; read again they are
/// numbered router by router. Wires longer than a node pitch have a colour for each length, and
/// bend round the routers that they pass. Dead routers are dashed; with these or dead nodes it is
/// only a drawing.
void write_graph_dot(std::ostream& out, const Graph& graph);

}  // namespace flitscope
