// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/link_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/workload_config.h"
#include "models/fabric/channel_timing.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {
namespace {

/// Every slice has two places in each simulation of it.
constexpr std::uint32_t kMostSlices = 1024;

const char* const kUseCredits = "fabric.link_protocol: credits";

/// Whether a head may request channels only if their FIFO is empty (hw/TIMING.md, step 1).
bool has_escape(const Graph& graph, const Routing& routing) {
    if (routing.path_choice() != PathChoice::kAdaptive) return false;
    const NodePlaces& places = *routing.places();
    for (NodeId other = 1; other < graph.node_count(); ++other) {
        if (places.router_of(other) == places.router_of(0)) continue;
        RouteChoices choices;
        routing.route(RouteQuery::injected(places, 0, other, 0), choices);
        return choices.has_escape();
    }
    return false;
}

/// The most register slices of any channel.
std::uint32_t most_slices(const FabricConfig& fabric, const Graph& graph) {
    const ChannelTimings timings(fabric);
    std::uint32_t most = timings.injection().slices;
    for (const Link& link : graph.links()) most = std::max(most, timings.link(link).slices);
    return most;
}

}  // namespace

void check_link_protocol(RuleContext& context) {
    const Config& config = context.config;
    const FabricConfig& fabric = config.fabric;
    if (!fabric.has_valid_ready_links()) return;
    const auto report = [&](const char* key, std::string what, const std::string& remedy) {
        context.report({config.where(key), std::move(what),
                        fmt::format("set {}, or {}", remedy, kUseCredits)});
    };
    if (fabric.has_packet_flow_control()) {
        report("fabric.switching",
               fmt::format("ready says that there is room for a flit, and {} asks for that of a "
                           "packet (fabric.link_protocol)",
                           name_of(fabric.switching)),
               "fabric.switching: wormhole");
    }
    if (fabric.has_output_queues()) {
        report("fabric.output_speedup",
               "a flit that enters the queue of an output takes the place that it will need at the "
               "end of the link, which ready cannot promise (fabric.link_protocol)",
               "fabric.output_speedup: 1");
    }
    if (config.faults && config.faults->come_later()) {
        report("faults.at",
               "register slices cannot drop the flits of some packets (fabric.link_protocol)",
               "faults.at: 0");
    }
}

void require_link_protocol(const WorkloadConfig& config, const Graph& graph,
                           const Routing& routing) {
    const FabricConfig& fabric = config.fabric;
    if (!fabric.has_valid_ready_links() || fabric.switches_circuits()) return;
    std::vector<Diagnostic> findings;
    const auto refuse = [&](const char* key, std::string what, const std::string& remedy) {
        findings.push_back({config.where(key), std::move(what),
                            fmt::format("{}, or set {}", remedy, kUseCredits)});
    };
    if (graph.has_slow_links()) {
        refuse("fabric.link_rate",
               "a flit that crosses a link in parts is not one transfer by valid and ready "
               "(fabric.link_protocol)",
               "set the rates of links to 1");
    }
    if (routing.path_choice() == PathChoice::kByQueues) {
        refuse("fabric.routing",
               fmt::format("{} chooses by the number of flits in a FIFO, and a sender with valid "
                           "and ready knows whether it has a place (fabric.link_protocol)",
                           routing.name()),
               "use dragonfly_minimal or valiant");
    } else if (has_escape(graph, routing)) {
        refuse("fabric.routing",
               fmt::format("{} may take some virtual channels only if their FIFO is empty, and a "
                           "sender with valid and ready knows whether it has a place "
                           "(fabric.link_protocol)",
                           routing.name()),
               "use a routing without an escape, such as dimension_order");
    }
    const std::uint32_t slices = most_slices(fabric, graph);
    const char* const of_wires = "set fabric.link_delay: 1 and fabric.router_delay: 1";
    if (slices > kMostSlices) {
        refuse("fabric.link_delay",
               fmt::format("a wire of {} cycles has {} register slices, and at most {} are "
                           "simulated (fabric.link_protocol)",
                           slices + 1, slices, kMostSlices),
               "use shorter wires");
    }
    if (slices != 0 && fabric.virtual_channels > 1) {
        refuse("fabric.virtual_channels",
               fmt::format("a wire of {} cycles has register slices, in which flits of several "
                           "virtual channels would have to take turns (fabric.link_protocol)",
                           slices + 1),
               fmt::format("set fabric.virtual_channels: 1, {}", of_wires));
    }
    if (slices != 0 && fabric.buffer_depth == 1) {
        refuse("fabric.buffer_depth",
               fmt::format("a FIFO of one flit takes one in two cycles, whatever the register "
                           "slices of a wire of {} cycles hold (fabric.link_protocol)",
                           slices + 1),
               fmt::format("set fabric.buffer_depth: 2 or more, {}", of_wires));
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

}  // namespace flitscope
