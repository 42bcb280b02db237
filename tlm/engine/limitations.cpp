// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/limitations.h"

#include <fmt/format.h>

#include "models/config/workload_config.h"
#include "models/fabric/message_classes.h"
#include "models/routing/routing.h"
#include "models/topology/graph.h"

namespace flitscope {
namespace {

std::optional<Refusal> circuits(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (!config.fabric.switches_circuits()) return std::nullopt;
    return Refusal{"fabric.switching",
                   fmt::format("the TLM engine switches packets, and no circuits "
                               "(fabric.switching: {})",
                               name_of(config.fabric.switching)),
                   {"set fabric.switching: wormhole"}};
}

std::optional<Refusal> channels_per_link(const WorkloadConfig& config, const Graph&,
                                         const Routing&) {
    if (!config.node.has_channels_per_link()) return std::nullopt;
    return Refusal{"node.port_model",
                   fmt::format("the TLM engine has one channel each way between a node and its "
                               "router (node.port_model: {})",
                               name_of(config.node.port_model)),
                   {"set node.port_model: single"}};
}

std::optional<Refusal> turns_flit_by_flit(const WorkloadConfig& config, const Graph& graph,
                                          const Routing&) {
    if (config.fabric.virtual_channels == 1 || config.fabric.holds_switch()) return std::nullopt;
    const bool can_hold = !graph.has_slow_links();
    return Refusal{"fabric.virtual_channels",
                   "the TLM engine computes in bursts, and there are none where several virtual "
                   "channels take turns on a link flit by flit (fabric.virtual_channels > 1)",
                   {can_hold ? "set fabric.switch_arbitration: per_packet"
                             : "set fabric.virtual_channels: 1"}};
}

std::optional<Refusal> several_switch_ends(const WorkloadConfig& config, const Graph&,
                                           const Routing&) {
    if (config.fabric.has_output_queues()) {
        return Refusal{"fabric.output_speedup",
                       "the TLM engine has one output of the switch per port, without a queue "
                       "(fabric.output_speedup > 1)",
                       {"set fabric.output_speedup: 1"}};
    }
    if (config.fabric.input_speedup == 1) return std::nullopt;
    return Refusal{"fabric.input_speedup",
                   "the TLM engine has one input of the switch per port "
                   "(fabric.input_speedup > 1)",
                   {"set fabric.input_speedup: 1"}};
}

std::optional<Refusal> alternating_classes(const WorkloadConfig& config, const Graph&,
                                           const Routing&) {
    return refuse_classes(config,
                          "the TLM engine cannot be exact if flits of several message classes "
                          "alternate (fabric.classes)");
}

std::optional<Refusal> limited_replies(const WorkloadConfig& config, const Graph&, const Routing&) {
    return refuse_reply_queue(config, "the routers of the TLM engine");
}

/// A pattern's message depends on others of its own plane only.
std::optional<Refusal> programs_on_planes(const WorkloadConfig& config, const Graph&,
                                          const Routing&) {
    if (config.fabric.planes == 1 || !config.traffic.pattern.empty()) return std::nullopt;
    return Refusal{
        "fabric.planes",
        "the TLM engine learns at the end of a cycle what bursts end in it, too late for "
        "a send that begins on another plane then (fabric.planes > 1, with a program)",
        {"set fabric.planes: 1", "use a pattern"}};
}

std::optional<Refusal> queues_of_links(const WorkloadConfig&, const Graph&,
                                       const Routing& routing) {
    if (routing.path_choice() != PathChoice::kByQueues) return std::nullopt;
    return Refusal{"fabric.routing",
                   fmt::format("the TLM engine sends bursts ahead of time and cannot count what is "
                               "queued for a link in a cycle, as {} does",
                               routing.name()),
                   {"use dragonfly_minimal or valiant"}};
}

std::optional<Refusal> later_faults(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (!config.faults || !config.faults->come_later()) return std::nullopt;
    return Refusal{"faults.at",
                   "the TLM engine moves worms as bursts and cannot drop flits of them (faults.at)",
                   {"set faults.at: 0"}};
}

std::optional<Refusal> retransmission(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (!config.node.retransmit) return std::nullopt;
    return Refusal{"node.retransmit",
                   "the TLM engine decides ahead of time which packet comes next, before it is "
                   "known what has been acknowledged (node.retransmit)",
                   {"remove the section node.retransmit"}};
}

std::optional<Refusal> rtl_routers(const WorkloadConfig& config, const Graph&, const Routing&) {
    if (!config.fabric.has_rtl_routers()) return std::nullopt;
    const char* const key =
        config.fabric.has_rtl_overrides() ? "fabric.router_overrides" : "fabric.router";
    return Refusal{key, fmt::format("the TLM engine has no RTL routers ({})", key), {}};
}

}  // namespace

const std::vector<Limitation>& tlm_limitations() {
    static const std::vector<Limitation> kLimitations = {
        {"circuits", circuits},
        {"port models other than single", channels_per_link},
        {"classes of messages", alternating_classes},
        {"routers with several inputs or outputs of the switch per port", several_switch_ends},
        {"several virtual channels that take turns (round_robin)", turns_flit_by_flit},
        {"nodes that take a limited number of requests", limited_replies},
        {"programs on several planes", programs_on_planes},
        {"routings that choose by the queues of links", queues_of_links},
        {"RTL routers", rtl_routers},
        {"faults while running", later_faults},
        {"retransmission", retransmission},
    };
    return kLimitations;
}

}  // namespace flitscope
