// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs from files that a test writes, and the findings of their readers.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/types.h"
#include "models/config/fabric_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

inline std::string path_of(const std::string& name) { return testing::TempDir() + name; }

inline std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = path_of(name);
    std::ofstream(path) << text;
    return path;
}

inline Graph load(const std::string& name, const std::string& text,
                  const FabricConfig& fabric = {}) {
    return load_custom_graph(write_file(name, text), fabric);
}

/// "line:column what (hint)" of every finding, or an empty list when the file is taken.
inline std::vector<std::string> findings(const std::string& name, const std::string& text,
                                         const FabricConfig& fabric = {}) {
    std::vector<std::string> found;
    try {
        load(name, text, fabric);
    } catch (const ConfigError& e) {
        for (const Diagnostic& d : e.findings()) {
            EXPECT_EQ(d.where.source, path_of(name));
            found.push_back(std::to_string(d.where.line) + ':' + std::to_string(d.where.column) +
                            ' ' + d.what + (d.hint.empty() ? "" : " (" + d.hint + ')'));
        }
    }
    return found;
}

/// "0.1->2.1 length 1 delay 1", routers and ports.
inline std::string text_of(const Link& l) {
    std::ostringstream out;
    out << l.from << '.' << l.from_port << "->" << l.to << '.' << l.to_port << " length "
        << l.length << " delay " << l.delay;
    return out.str();
}
inline std::vector<std::string> links_of(const Graph& graph) {
    std::vector<std::string> links;
    for (const Link& l : graph.links()) links.push_back(text_of(l));
    return links;
}

/// Every link leaves and arrives at the ports that the graph lists it under.
inline void expect_consistent(const Graph& graph) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        EXPECT_EQ(graph.out_link(l.from, l.from_port), id);
        EXPECT_EQ(graph.in_link(l.to, l.to_port), id);
    }
}

}  // namespace flitscope
