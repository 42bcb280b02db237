// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/switching.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/config/config.h"
#include "models/config/node_config.h"
#include "models/config/workload_config.h"

namespace flitscope {
namespace {

/// The largest node.packet_bytes whose packets fit; 0 when not even a header and a flit do.
std::uint64_t packet_bytes_that_fit(const WorkloadConfig& config) {
    const std::uint64_t depth = config.fabric.buffer_depth;
    if (depth <= config.node.header_flits) return 0;
    return (depth - config.node.header_flits) * config.fabric.flit_bits / 8;
}

}  // namespace

const std::vector<SwitchingKind>& switching_kinds() {
    static const std::vector<SwitchingKind> kKinds = {
        {Switching::kWormhole, "wormhole",
         "a packet advances flit by flit, and stops without credits"},
        {Switching::kVirtualCutThrough, "virtual cut-through",
         "a packet advances only if the next FIFO has room for all of it"},
        {Switching::kStoreAndForward, "store and forward",
         "a packet advances once all of it has arrived, if the next FIFO has room for all of it"},
        {Switching::kCircuit, "circuit switching",
         "a message has its own path, set up before it is sent (Boppana and Raghavendra 1990, 2)"}};
    return kKinds;
}

std::string switching_text(const FabricConfig& fabric) {
    const auto& kinds = switching_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&fabric](const auto& k) {
        return k.method == fabric.switching;
    });
    std::string text = kind->title;
    if (fabric.combining_delay != 0) {
        text += fmt::format(", combining delay {}", fabric.combining_delay);
    }
    if (fabric.switches_circuits()) text += fmt::format(", set-up delay {}", fabric.setup_delay);
    return text;
}

std::optional<Diagnostic> find_packet_without_room(const WorkloadConfig& config,
                                                   std::uint64_t bytes) {
    const FabricConfig& fabric = config.fabric;
    if (!fabric.has_packet_flow_control()) return std::nullopt;
    const std::uint64_t longest = config.packet_format().longest_packet(bytes);
    if (longest <= fabric.buffer_depth) return std::nullopt;
    const std::uint64_t limit = config.node.packet_bytes;
    const std::uint64_t payload = limit == 0 ? bytes : std::min(bytes, limit);
    std::string remedy = fmt::format("set fabric.buffer_depth: {}", longest);
    if (const std::uint64_t fitting = packet_bytes_that_fit(config); fitting != 0) {
        remedy += fmt::format(", or node.packet_bytes: {} or less", fitting);
    }
    return Diagnostic{config.where("fabric.buffer_depth"),
                      fmt::format("{} needs a FIFO for all of the longest packet: {} flits ({} "
                                  "bytes and the header), not {}",
                                  switching_text(fabric), longest, payload, fabric.buffer_depth),
                      std::move(remedy)};
}

void require_room_for_packets(const WorkloadConfig& config, std::uint64_t bytes) {
    if (auto found = find_packet_without_room(config, bytes)) throw ConfigError({*found});
}

void check_input_speedup(RuleContext& context) {
    const FabricConfig& fabric = context.config.fabric;
    const std::uint32_t speedup = fabric.input_speedup;
    if (fabric.switches_circuits() || fabric.virtual_channels % speedup == 0) return;
    context.report(
        {context.config.where("fabric.input_speedup"),
         fmt::format("{} virtual channel{} cannot share {} inputs of the switch evenly",
                     fabric.virtual_channels, fabric.virtual_channels == 1 ? "" : "s", speedup),
         fmt::format("set fabric.input_speedup: {}, or fabric.virtual_channels: {}",
                     std::gcd(fabric.virtual_channels, speedup),
                     (fabric.virtual_channels + speedup - 1) / speedup * speedup)});
}

void check_output_speedup(RuleContext& context) {
    const FabricConfig& fabric = context.config.fabric;
    if (fabric.switches_circuits() || !fabric.has_output_queues()) return;
    const std::uint32_t speedup = fabric.output_speedup;
    const auto report = [&](const char* key, std::string what, std::string remedy) {
        context.report({context.config.where(key), std::move(what), std::move(remedy)});
    };
    if (speedup > fabric.virtual_channels) {
        report(
            "fabric.output_speedup",
            fmt::format("at most one flit per virtual channel enters an output port in a cycle: "
                        "{} virtual channel{} cannot use {} outputs of the switch",
                        fabric.virtual_channels, fabric.virtual_channels == 1 ? "" : "s", speedup),
            fmt::format("set fabric.output_speedup: {0}, or fabric.virtual_channels: {1}",
                        fabric.virtual_channels, speedup));
    }
    if (speedup > fabric.output_queue) {
        report("fabric.output_queue",
               fmt::format("a queue of {} flit{} never has room for the {} that can enter in a "
                           "cycle",
                           fabric.output_queue, fabric.output_queue == 1 ? "" : "s", speedup),
               fmt::format("set fabric.output_queue: {} or more", speedup));
    }
    if (fabric.switch_arbitration == SwitchArbitration::kPerPacket) {
        report("fabric.switch_arbitration",
               "a stream that keeps the switch keeps one of its outputs: per_packet is not defined "
               "for several of them per port (fabric.output_speedup)",
               "set fabric.switch_arbitration: round_robin, or fabric.output_speedup: 1");
    }
    if (fabric.allocation == Allocation::kCombined) {
        report("fabric.allocation",
               "with combined allocation two outputs of the switch could take heads that were "
               "offered the same virtual channel (fabric.output_speedup)",
               "set fabric.allocation: sequential, or fabric.output_speedup: 1");
    }
    if (context.config.faults && context.config.faults->come_later()) {
        report("faults.at",
               "what is lost of a queue behind the switch is not defined (fabric.output_speedup)",
               "set faults.at: 0, or fabric.output_speedup: 1");
    }
}

void require_circuits(const WorkloadConfig& config, const Routing& routing) {
    if (!config.fabric.switches_circuits()) return;
    std::vector<Diagnostic> findings;
    const auto refuse = [&](const char* key, std::string what, const char* remedy) {
        findings.push_back({config.where(key), std::move(what), remedy});
    };
    if (config.fabric.virtual_channels != 1) {
        refuse("fabric.virtual_channels",
               fmt::format("a circuit has its links to itself: there are no {} virtual channels",
                           config.fabric.virtual_channels),
               "set fabric.virtual_channels: 1");
    }
    if (config.node.packet_bytes != 0) {
        refuse("node.packet_bytes", "a circuit carries a message as a whole, not in packets",
               "set node.packet_bytes: 0");
    }
    const Rate rate = config.node.injection_bandwidth;
    if (rate.numerator != rate.denominator) {
        refuse("node.injection_bandwidth",
               fmt::format("a circuit carries one flit per cycle, and a node that feeds {}/{} of "
                           "one could not keep up",
                           rate.numerator, rate.denominator),
               "set node.injection_bandwidth: 1");
    }
    if (config.node.port_model != PortModel::kSingle) {
        refuse("node.port_model",
               fmt::format("a node sets up one path at a time, over one channel to its router, so "
                           "port model {} does not apply",
                           name_of(config.node.port_model)),
               "set node.port_model: single");
    }
    if (routing.path_choice() != PathChoice::kFixed) {
        refuse("fabric.routing",
               fmt::format("the path of a circuit follows from its destination, which {} leaves "
                           "open",
                           routing.name()),
               "set fabric.routing: auto");
    }
    if (!findings.empty()) throw ConfigError(std::move(findings));
}

}  // namespace flitscope
