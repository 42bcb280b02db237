// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/verilated/rtl_limitations.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/common/flit.h"
#include "hw/verilated/rtl_model.h"
#include "hw/verilated/rtl_variant.h"
#include "models/config/fabric_config.h"
#include "models/config/workload_config.h"
#include "models/fabric/channel_timing.h"
#include "models/fabric/message_classes.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope::hw {
namespace {

/// What a route depends on: the destination, which is in a table, or with that one of two paths,
/// which is at pins that other modules do not have.
std::optional<Refusal> paths_not_fixed(const WorkloadConfig& config, const Graph&,
                                       const Routing& routing) {
    if (routing.path_choice() == PathChoice::kFixed) return std::nullopt;
    const RtlModule& module = config.fabric.rtl_module();
    if (routing.path_coin() && module.is_own()) return std::nullopt;
    const std::string who = routing.path_coin()
                                ? fmt::format("'{}' is not ours, and routes", module.top)
                                : std::string("RTL routers route");
    return Refusal{
        "fabric.routing",
        fmt::format("{} by the destination of a packet only, and {} needs more", who,
                    routing.name()),
        {routing.path_coin()
             ? fmt::format("set {}: {}", config.fabric.rtl_key(), name_of(RouterKind::kRtl))
             : "use a routing with fixed paths, such as dimension_order, or o1turn"}};
}

/// A header does not contain the length of its packet.
std::optional<Refusal> other_switching(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (config.fabric.switching == Switching::kWormhole) return std::nullopt;
    const char* const reason =
        config.fabric.switches_circuits()
            ? "RTL routers set up no paths"
            : "RTL routers cannot read the length of a packet from its header";
    return Refusal{"fabric.switching",
                   fmt::format("{}, so they support only wormhole switching, not {}", reason,
                               name_of(config.fabric.switching)),
                   {"set fabric.switching: wormhole"}};
}

std::optional<Refusal> channels_per_link(const WorkloadConfig& config, const Graph&,
                                         const Routing&) {
    if (!config.node.has_channels_per_link()) return std::nullopt;
    return Refusal{"node.port_model",
                   fmt::format("port_model {} needs routers with a channel for every port, which "
                               "RTL routers do not have",
                               name_of(config.node.port_model)),
                   {"set node.port_model: single"}};
}

/// Ports are numbered in at least one bit.
std::optional<Refusal> single_port(const WorkloadConfig& config, const Graph& graph,
                                   const Routing&) {
    if (graph.port_count() >= 2) return std::nullopt;
    return Refusal{config.fabric.rtl_key(),
                   "RTL routers have at least 2 ports, and those of a network without links have "
                   "the one of their node",
                   {}};
}

/// They read the destination in the lowest bits, which are those of a header beside the flit.
std::optional<Refusal> short_headers(const WorkloadConfig& config, const Graph&, const Routing&) {
    const std::uint32_t bits = config.fabric.header_bits;
    if (bits == 0 || bits >= kRtlNodeBits) return std::nullopt;
    return Refusal{
        "fabric.header_bits",
        fmt::format("RTL routers read a destination of {} bits, and a header of {} has no "
                    "room for it",
                    kRtlNodeBits, bits),
        {fmt::format("set fabric.header_bits: {} or more", kRtlNodeBits)}};
}

std::optional<Refusal> limited_replies(const WorkloadConfig& config, const Graph&, const Routing&) {
    return refuse_reply_queue(config, "RTL routers");
}

std::optional<Refusal> narrow_flits(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (config.fabric.channel_bits() >= kHeaderBits) return std::nullopt;
    return Refusal{"fabric.flit_bits",
                   fmt::format("RTL routers simulate flits of at least {} bits, the width of the "
                               "header that names destination, source and packet (synthesis "
                               "takes any width)",
                               kHeaderBits),
                   {fmt::format("set fabric.flit_bits: {} or more", kHeaderBits)}};
}

std::optional<Refusal> too_many_ports(const WorkloadConfig& config, const Graph& graph,
                                      const Routing&) {
    if (graph.port_count() <= RtlPins::kMaxPorts) return std::nullopt;
    return Refusal{config.fabric.rtl_key(),
                   fmt::format("RTL routers have at most {} ports, not {}", RtlPins::kMaxPorts,
                               graph.port_count()),
                   {}};
}

/// Coordinates say no more of a network than that.
std::optional<Refusal> coordinates_elsewhere(const WorkloadConfig& config, const Graph& graph,
                                             const Routing& routing) {
    const RtlModule& module = config.fabric.rtl_module();
    const bool compares =
        module.protocol == RtlProtocol::kValidReady && module.routes == RtlRoutes::kCoordinates;
    if (!compares || rtl_variant(config, graph, routing).routing == RtlRouting::kMesh) {
        return std::nullopt;
    }
    return Refusal{
        config.fabric.rtl_key(),
        fmt::format("'{}' has coordinates, not routes (protocol: {}): it needs a mesh in "
                    "dimension order, with one node per router, whose sides are powers "
                    "of two",
                    module.top, name_of(module.protocol)),
        {"give it the pins of a routing table and set routes: table in its section "
         "(hw/rtl/README.md)"}};
}

/// The places of register slices count with the FIFO after them, and all FIFOs have one depth.
std::optional<Refusal> unlike_slices(const WorkloadConfig& config, const Graph& graph,
                                     const Routing&) {
    const ChannelTimings timings(config.fabric);
    const auto is_shallower = [&, most = timings.most_depth(graph)](const Link& link) {
        return timings.link(link).depth != most;
    };
    if (graph.links().empty()) return std::nullopt;
    if (std::none_of(graph.links().begin(), graph.links().end(), is_shallower)) return std::nullopt;
    return Refusal{"fabric.link_delay",
                   "RTL routers have FIFOs of one depth, which the places of register slices are "
                   "part of, and links of several delays have several numbers of slices "
                   "(fabric.link_protocol)",
                   {"give all links one delay", "set fabric.link_protocol: credits"}};
}

/// The pins of other modules do not say how slow their links are.
std::optional<Refusal> slow_foreign_links(const WorkloadConfig& config, const Graph& graph,
                                          const Routing&) {
    if (config.fabric.rtl_module().is_own() || !graph.has_slow_links()) return std::nullopt;
    return Refusal{
        "fabric.link_rate",
        fmt::format("'{}' is not ours: only the RTL router '{}' waits for links of a rate "
                    "below 1 (fabric.link_rate, or rates in the graph file)",
                    config.fabric.rtl_module().top, RtlModule::kOwn),
        {"set the rates of links to 1",
         fmt::format("set {}: {}", config.fabric.rtl_key(), name_of(RouterKind::kRtl))}};
}

/// The pins of other modules name neither.
std::optional<Refusal> foreign_parameters(const WorkloadConfig& config, const Graph&,
                                          const Routing&) {
    const FabricConfig& fabric = config.fabric;
    if (fabric.rtl_module().is_own()) return std::nullopt;
    if (fabric.has_classes()) {
        return refuse_classes(
            config,
            "only the RTL router of flitscope keeps message classes apart (fabric.classes)");
    }
    const auto of_switch = [&fabric](const char* key, const char* what, std::uint32_t value) {
        return Refusal{
            key,
            fmt::format("'{}' is not ours, and has the switch that it has: only the RTL router "
                        "'{}' has an {} speedup ({}: {})",
                        fabric.rtl_module().top, RtlModule::kOwn, what, key, value),
            {fmt::format("set {}: 1", key)}};
    };
    if (fabric.input_speedup > 1) {
        return of_switch("fabric.input_speedup", "input", fabric.input_speedup);
    }
    if (fabric.has_output_queues()) {
        return of_switch("fabric.output_speedup", "output", fabric.output_speedup);
    }
    return std::nullopt;
}

/// Routes are parameters, or tables that are written before the clock starts.
std::optional<Refusal> later_faults(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (!config.faults || !config.faults->come_later()) return std::nullopt;
    return Refusal{
        "faults.at",
        "RTL routers can neither change their routing nor drop flits in flight (faults.at)",
        {"set faults.at: 0"}};
}

std::optional<Refusal> too_deep(const WorkloadConfig& config, const Graph& graph, const Routing&) {
    const std::uint32_t depth = ChannelTimings(config.fabric).most_depth(graph);
    if (depth <= kMaxVerilatedDepth) return std::nullopt;
    return Refusal{"fabric.buffer_depth",
                   fmt::format("verilated routers have FIFOs of at most {} flits, not {}",
                               kMaxVerilatedDepth, depth),
                   {}};
}

}  // namespace

const std::vector<Limitation>& rtl_limitations() {
    static const std::vector<Limitation> kLimitations = {
        {"routings whose paths are not fixed, but for o1turn", paths_not_fixed},
        {"switching methods other than wormhole", other_switching},
        {"port models other than single", channels_per_link},
        {"routers of a single port", single_port},
        {"nodes that take a limited number of requests", limited_replies},
        {fmt::format("headers of fewer than {} bits beside the flits", kRtlNodeBits),
         short_headers},
    };
    return kLimitations;
}

const std::vector<Limitation>& verilated_limitations() {
    static const std::vector<Limitation> kLimitations = {
        {fmt::format("flits of fewer than {} bits", kHeaderBits), narrow_flits},
        {fmt::format("more than {} ports", RtlPins::kMaxPorts), too_many_ports},
        {fmt::format("FIFOs of more than {} flits", kMaxVerilatedDepth), too_deep},
        {"routers with coordinates on networks other than meshes", coordinates_elsewhere},
        {"register slices on links of several delays", unlike_slices},
        {"links of a rate below 1, with routers other than ours", slow_foreign_links},
        {"message classes or an input speedup, with routers other than ours", foreign_parameters},
        {"faults while running", later_faults},
    };
    return kLimitations;
}

std::optional<Refusal> verilated_refusal(const WorkloadConfig& config, const Graph& graph,
                                         const Routing& routing) {
    if (auto refusal = first_refusal(rtl_limitations(), config, graph, routing)) return refusal;
    return first_refusal(verilated_limitations(), config, graph, routing);
}

std::optional<Refusal> synthesis_refusal(const WorkloadConfig& config, const Graph& graph,
                                         const Routing& routing) {
    if (auto refusal = first_refusal(rtl_limitations(), config, graph, routing)) return refusal;
    if (config.fabric.has_valid_ready_links()) {
        return Refusal{"fabric.link_protocol",
                       "the RTL router that is synthesized and exported counts credits: its gates "
                       "are not those of one with valid and ready",
                       {"set fabric.link_protocol: credits"}};
    }
    const RtlModule& module = config.fabric.rtl_module();
    if (module.is_own()) return std::nullopt;
    return Refusal{config.fabric.rtl_key(),
                   fmt::format("'{}' is not ours: only '{}' can be synthesized here", module.top,
                               RtlModule::kOwn),
                   {fmt::format("set it to {}", name_of(RouterKind::kRtl))}};
}

}  // namespace flitscope::hw
