// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose nodes and links are listed in a file.
#include <fmt/format.h>

#include <filesystem>

#include "models/base/input_file.h"
#include "models/base/trimmed.h"
#include "models/config/fabric_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope {

Graph load_custom_graph(const std::string& path, const FabricConfig& fabric, double clock_ns,
                        const Location& named_at) {
    using namespace graph_file;
    const Location where = named_at.source.empty() ? Location{path, 0, 0} : named_at;
    const std::string extension = std::filesystem::path(path).extension().string();
    const auto is_one_of = [&extension](const char* one, const char* other) {
        return extension == one || extension == other;
    };
    const bool known = is_one_of(".yaml", ".yml") || is_one_of(".csv", ".csv") ||
                       is_one_of(".graphml", ".xml") || is_one_of(".dot", ".gv");
    const std::string text = read_input_file(path, "graph file", kMaxBytes, named_at);
    if (!known) {
        throw ConfigError(where, fmt::format("'{}' is not a known kind of graph file", path),
                          "name it .yaml, .yml, .csv, .graphml, .xml, .dot or .gv");
    }
    Assembler assembler(path, fabric, clock_ns);
    if (is_one_of(".yaml", ".yml")) return read_yaml(text, assembler);
    if (trimmed(text).empty()) {
        throw ConfigError({path, 0, 0}, "the graph file is empty");
    }
    if (extension == ".csv") return read_csv(text, assembler);
    return is_one_of(".dot", ".gv") ? read_dot(text, assembler) : read_graphml(text, assembler);
}

TopologyFamily custom_family() {
    TopologyFamily family;
    family.name = "custom";
    family.summary = "nodes and directed links from a file: {kind: custom, file: graph.yaml}";
    family.required_keys = {"file"};
    family.size = [](const TopologyConfig&) { return std::optional<TopologySize>(); };
    family.load = [](const WorkloadConfig& config) {
        return load_custom_graph(config.fabric.topology.file, config.fabric, config.clock_ns,
                                 config.where("fabric.topology.file"));
    };
    return family;
}

}  // namespace flitscope
