// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The files that `flitscope topology` writes: the graph for other programs, and its picture.
#pragma once

#include <string>

namespace flitscope {
class Graph;
}  // namespace flitscope

namespace flitscope::cli {

/// Writes the graph in the format that the extension names: .dot, .json, or .yaml, which is a
/// custom graph. Whole or not at all. Throws ConfigError for another extension, and for a file that
/// cannot be written.
void export_topology(const Graph& graph, const std::string& path);

/// Draws the graph with Graphviz, as .svg or .png. Throws as export_topology() does, and if
/// Graphviz is missing or fails.
void draw_topology(const Graph& graph, const std::string& path);

}  // namespace flitscope::cli
