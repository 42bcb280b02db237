// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/families/topology_families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/base/limits.h"
#include "models/config/link_delay_config.h"
#include "models/config/topology_config.h"
#include "models/config/workload_config.h"
#include "models/topology/families/attached_nodes.h"
#include "models/topology/families/link_rates.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

// A family is one of these functions, in the file of its name under families/, and one line below.
TopologyFamily mesh_family();
TopologyFamily torus_family();
TopologyFamily hypercube_family();
TopologyFamily ghc_family();
TopologyFamily how_family();
TopologyFamily sparse_hamming_family();
TopologyFamily express_mesh_family();
TopologyFamily fat_tree_family();
TopologyFamily dragonfly_family();
TopologyFamily custom_family();

const std::vector<TopologyFamily>& topology_families() {
    static const std::vector<TopologyFamily> families = {
        mesh_family(),      torus_family(),          hypercube_family(),    ghc_family(),
        how_family(),       sparse_hamming_family(), express_mesh_family(), fat_tree_family(),
        dragonfly_family(), custom_family(),
    };
    return families;
}

const TopologyFamily* find_topology_family(const std::string& name) {
    for (const TopologyFamily& family : topology_families()) {
        if (family.name == name) return &family;
    }
    return nullptr;
}

bool TopologyFamily::reads(const std::string& key) const {
    const auto has = [&key](const std::vector<std::string>& keys) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    const auto is_own = [&key](const TopologyParameter& own) { return own.name == key; };
    return has(required_keys) || has(optional_keys) ||
           std::any_of(parameters.begin(), parameters.end(), is_own);
}

std::string TopologyFamily::size_key() const {
    return required_keys.empty() ? parameters.front().name : required_keys.front();
}

const TopologyConfig& TopologyFindings::topology() const { return config_.fabric.topology; }

void TopologyFindings::fail(const char* key, std::string what, std::string hint) {
    list_.push_back(
        {config_.where(std::string("fabric.topology.") + key), std::move(what), std::move(hint)});
}

std::vector<Diagnostic> topology_findings(const WorkloadConfig& config) {
    TopologyFindings findings(config);
    const TopologyFamily* family = find_topology_family(config.fabric.topology.kind);
    if (family == nullptr) {
        std::vector<std::string> names;
        for (const TopologyFamily& known : topology_families()) names.push_back(known.name);
        findings.fail("kind",
                      fmt::format("unknown topology kind '{}'", config.fabric.topology.kind),
                      fmt::format("choices: {}", fmt::join(names, ", ")));
    } else {
        if (family->check != nullptr) family->check(findings);
        if (!findings.empty()) return findings.take();
        const std::optional<TopologySize> size = topology_size(config.fabric.topology);
        if (size) check_attached_nodes(findings, *size);
    }
    return findings.take();
}

void require_topology(const WorkloadConfig& config) {
    std::vector<Diagnostic> findings = topology_findings(config);
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

std::optional<TopologySize> topology_size(const TopologyConfig& topology) {
    const TopologyFamily* family = find_topology_family(topology.kind);
    if (family == nullptr) return std::nullopt;
    std::optional<TopologySize> size = family->size(topology);
    if (!size) return size;
    if (size->nodes == 0) size->nodes = size->routers * nodes_per_router(topology);
    size->nodes += topology.extra_nodes.size();
    return size;
}

namespace {

/// The maximum cycles of a physical wire: those of the linear model for a wire as long as the
/// number of nodes. Custom graphs may exceed it.
constexpr std::uint32_t kMostCycles = kMaxNodes;

void require_known_wires(const WorkloadConfig& config) {
    if (!config.wires_need_synthesis()) return;
    const bool is_pitch = config.fabric.link_delay.pitch_is_derived;
    throw ConfigError(config.where(is_pitch ? "fabric.link_delay.pitch_mm" : "clock_ns"),
                      fmt::format("the delays of physical wires follow from the {} of the "
                                  "synthesized router, which is not available here",
                                  is_pitch ? "area" : "period"),
                      "state clock_ns and fabric.link_delay.pitch_mm in numbers");
}

void require_short_wires(const WorkloadConfig& config, const Graph& graph) {
    if (!config.fabric.link_delay.is_physical()) return;
    for (const Link& link : graph.links()) {
        if (link.delay <= kMostCycles) continue;
        throw ConfigError(
            config.where("fabric.link_delay"),
            fmt::format("a wire of {} node pitches takes {:.6g} ns, more than {} cycles of {} ns",
                        link.length, config.fabric.link_delay.ns(link.mm), kMostCycles,
                        config.clock_ns),
            "a smaller pitch_mm or ns_per_mm, or a larger clock_ns");
    }
}

void use_port_model(const WorkloadConfig& config, Graph& graph) {
    if (!config.node.has_channels_per_link()) return;
    if (!graph.places().is_one_each()) {
        throw ConfigError(config.where("node.port_model"),
                          fmt::format("port_model {} needs a router of its own for every node, and "
                                      "switches after these",
                                      name_of(config.node.port_model)),
                          "set node.port_model: single");
    }
    graph.use_per_link_endpoints();
}

}  // namespace

Graph build_topology(const WorkloadConfig& config) {
    require_topology(config);
    require_known_wires(config);
    const TopologyFamily& family = *find_topology_family(config.fabric.topology.kind);
    const bool is_loaded = family.load != nullptr;
    Graph graph = is_loaded ? family.load(config) : family.build(config.fabric.topology);
    attach_nodes(graph, config);
    part_dies(graph, config);
    if (!is_loaded) apply_link_delay(graph, config.fabric.link_delay, config.clock_ns);
    require_short_wires(config, graph);
    apply_link_rates(graph, config);
    require_rates_supported(graph, config);
    use_port_model(config, graph);
    graph.put_side_by_side(config.fabric.planes);
    return graph;
}

}  // namespace flitscope
