// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks whose nodes and links are listed in a file.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "models/base/input_file.h"
#include "models/base/trimmed.h"
#include "models/config/fabric_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/files/graph_file.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

using GraphReader = Graph (*)(const std::string& text, graph_file::Assembler& assembler);

/// The reader of files with that extension, or nullptr.
GraphReader find_reader(const std::string& extension) {
    using namespace graph_file;
    static const std::map<std::string, GraphReader> kReaders = {
        {".yaml", read_yaml},   {".yml", read_yaml},     {".csv", read_csv},
        {".dot", read_dot},     {".gv", read_dot},       {".graphml", read_graphml},
        {".xml", read_graphml}, {".anynet", read_anynet}};
    const auto found = kReaders.find(extension);
    return found == kReaders.end() ? nullptr : found->second;
}

}  // namespace

Graph load_custom_graph(const std::string& path, const FabricConfig& fabric, double clock_ns,
                        const Location& named_at) {
    using namespace graph_file;
    const Location where = named_at.source.empty() ? Location{path, 0, 0} : named_at;
    const std::string extension = std::filesystem::path(path).extension().string();
    const auto reader = find_reader(extension);
    const std::string text = read_input_file(path, "graph file", kMaxBytes, named_at);
    if (reader == nullptr) {
        throw ConfigError(where, fmt::format("'{}' is not a known kind of graph file", path),
                          "name it .yaml, .yml, .csv, .dot, .gv, .graphml, .xml or .anynet");
    }
    if (reader != read_yaml && trimmed(text).empty()) {
        throw ConfigError({path, 0, 0}, "the graph file is empty");
    }
    Assembler assembler(path, fabric, clock_ns);
    return reader(text, assembler);
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
