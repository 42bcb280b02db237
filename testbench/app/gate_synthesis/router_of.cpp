// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/router_of.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "models/base/printable.h"
#include "models/config/fabric_config.h"
#include "models/config/link_delay_config.h"
#include "models/config/workload_config.h"
#include "models/performance/wire_budget.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/graph.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/routers_cost.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {

hw::BuiltRouters routers_of(WorkloadConfig config) {
    config.fabric.link_delay = {};  // it may depend on this router
    const Graph graph = build_budgeted_topology(config);
    const std::unique_ptr<Routing> routing = make_routing(config, graph);
    if (const auto refusal = hw::synthesis_refusal(config, graph, *routing)) {
        throw ConfigError({refusal->diagnostic(config)});
    }
    require_deadlock_freedom(config, graph, find_dependency_cycle(graph, *routing));
    return hw::built_routers(config, graph, *routing);
}

FabricLinks fabric_links(const FabricConfig& fabric, const Graph& graph) {
    FabricLinks links{{fabric.virtual_channels, fabric.channel_bits()}, link_counts(graph)};
    for (auto& [kind, count] : links.counts) count *= graph.planes();
    return links;
}

FabricLinks links_of(WorkloadConfig config) {
    if (config.wires_need_synthesis()) resolve_synthesized(config);
    return fabric_links(config.fabric, build_budgeted_topology(config));
}

double synthesized_clock_ns(double period_ns) {
    constexpr double kRounding = 1e-6;  // of a period that is a whole number of ps already
    return std::ceil(period_ns * 1000 - kRounding) / 1000;
}

void resolve_synthesized(WorkloadConfig& config, double largest_um2, double period_ns) {
    if (config.clock_is_synthesized) config.clock_ns = synthesized_clock_ns(period_ns);
    config.clock_is_synthesized = false;
    LinkDelayConfig& wires = config.fabric.link_delay;
    if (wires.pitch_is_derived) {
        // The tiles of all nodes share the area of all routers.
        if (const auto size = topology_size(config.fabric.topology)) {
            const auto tiles =
                static_cast<double>(size->nodes - config.fabric.topology.extra_nodes.size());
            largest_um2 *= static_cast<double>(size->routers) / tiles;
        }
        wires.pitch_mm = std::sqrt(largest_um2 / kUm2PerMm2 + wires.node_mm2);
    }
    wires.pitch_is_derived = false;
}

namespace {

/// The library of the configuration in a corner. What is wrong with that is told at `key`.
CellLibraryFile file_named_by(const WorkloadConfig& config, const char* key,
                              const std::string& corner) {
    try {
        return cell_library_file(config.technology.library, corner);
    } catch (const ConfigError& error) {
        const Diagnostic& finding = error.findings().front();
        throw ConfigError(config.where(key),
                          fmt::format("'{}': {}", excerpt(finding.where.source), finding.what),
                          finding.hint);
    }
}

}  // namespace

void require_technology(const WorkloadConfig& config) {
    const TechnologyConfig& technology = config.technology;
    if (technology.is_standard()) return;
    file_named_by(config, "technology.library", "");
    const CellLibraryFile file = file_named_by(config, "technology.corner", technology.corner);
    std::error_code error;
    if (!std::filesystem::is_regular_file(file.liberty, error)) return;
    const CellLibrary& library = read_cell_library(file, file.corner);
    require_wire_loads(library, technology.wires);
    clock_gate_of(library, technology.clock_gates);
}

std::optional<Diagnostic> try_resolve_synthesized(WorkloadConfig& config) {
    require_technology(config);
    if (!config.clock_is_synthesized && !config.wires_need_synthesis()) return std::nullopt;
    const hw::BuiltRouters routers = routers_of(config);
    const std::optional<RoutersCost> cost = cached_cost(routers, config.technology);
    if (!cost) {
        return Diagnostic{
            config.where(config.clock_is_synthesized ? "clock_ns" : "fabric.link_delay.pitch_mm"),
            fmt::format("{} has not been synthesized{}, so it has no {}",
                        unsynthesized_router(routers, config.technology),
                        config.technology.is_standard() ? "" : " in " + config.technology.text(),
                        config.clock_is_synthesized ? "period" : "area"),
            "flitscope synth with this configuration finds it"};
    }
    resolve_synthesized(config, cost->largest_um2, cost->min_period_ns);
    return std::nullopt;
}

void resolve_synthesized(WorkloadConfig& config) {
    if (const auto missing = try_resolve_synthesized(config)) throw ConfigError({*missing});
}

}  // namespace flitscope
