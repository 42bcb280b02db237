// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/topology_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/output_file.h"
#include "models/topology/export/export.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/work_folder.h"

namespace flitscope::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

void export_topology(const Graph& graph, const std::string& path) {
    const std::string option = "--export " + path;
    const std::string extension = fs::path(path).extension().string();
    const bool is_known = extension == ".dot" || extension == ".json" || extension == ".yaml";
    if (!is_known) {
        throw ConfigError({option, 0, 0}, "not a known kind of file",
                          "name it .dot, .json or .yaml");
    }
    const std::vector<NodeId> nodes = dead_nodes(graph);
    const std::vector<RouterId> routers = dead_routers(graph);
    if (extension == ".yaml" && (!nodes.empty() || !routers.empty())) {
        const char* const what = nodes.empty() ? "router" : "node";
        throw ConfigError(
            {option, 0, 0},
            fmt::format("a graph file cannot represent failed {}s, and {} {} has failed", what,
                        what, nodes.empty() ? routers.front().number() : nodes.front()),
            "write the network without section faults, or .json; .dot draws them, but is not a "
            "graph file then");
    }
    require_writable(path, {option, 0, 0});
    write_whole_file(path, [&](std::ostream& out) {
        if (extension == ".dot") {
            write_graph_dot(out, graph);
        } else if (extension == ".json") {
            write_graph_json(out, graph);
        } else {
            write_graph_yaml(out, graph);
        }
    });
}

void draw_topology(const Graph& graph, const std::string& path) {
    const std::string option = "--draw " + path;
    const std::string extension = fs::path(path).extension().string();
    if (extension != ".svg" && extension != ".png") {
        throw ConfigError({option, 0, 0}, "not a known kind of picture", "name it .svg or .png");
    }
    require_writable(path, {option, 0, 0});
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    const WorkFolder work;
    const std::string picture = work.file("picture");
    std::ostringstream dot;
    write_graph_dot(dot, graph);
    work.write("graph.dot", dot.str());
    try {
        const bool done =
            run_tool({{"neato", "-n2", "-T" + extension.substr(1), "-o", "picture", "graph.dot"},
                      work.path(),
                      "log",
                      {}},
                     [] { return true; });
        if (!done) throw std::runtime_error("interrupted");
    } catch (const std::runtime_error& e) {
        throw ConfigError({option, 0, 0}, e.what(),
                          "is Graphviz installed (Debian package graphviz)?");
    }
    write_whole_file(
        path, [&](std::ostream& out) { out << std::ifstream(picture, std::ios::binary).rdbuf(); });
}

}  // namespace flitscope::cli
