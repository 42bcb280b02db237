// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/fabric_keys.h"

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/key_kinds.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/config/unit_keys.h"
#include "models/fabric/router_choice_keys.h"

namespace flitscope {
namespace {

using namespace kinds;

Condition no_wire_budget() {
    return {"a fabric without `pin_budget` and `bisection_budget`",
            [](const Config& config) -> std::string {
                if (config.fabric.pin_budget != 0) return "'fabric.pin_budget', which sets it";
                if (config.fabric.bisection_budget != 0) {
                    return "'fabric.bisection_budget', which sets it";
                }
                return "";
            }};
}

Condition only_with(Switching switching) {
    return {"switching `" + name_of(switching) + '`',
            [switching](const Config& config) -> std::string {
                if (config.fabric.switching == switching) return "";
                return "switching '" + name_of(config.fabric.switching) + '\'';
            }};
}

/// The condition of keys that do not apply to a fabric of circuits.
Condition packet_switching() {
    return {"switching of packets", [](const Config& config) -> std::string {
                return config.fabric.switches_circuits() ? "switching 'circuit'" : "";
            }};
}

/// The condition of the key of output queues.
Condition with_output_queues() {
    return {"`fabric.output_speedup` above 1", [](const Config& config) -> std::string {
                return config.fabric.has_output_queues() ? "" : "an output speedup of 1";
            }};
}

/// Words of other tools and books for how routers pass packets on.
std::vector<std::pair<std::string, std::string>> names_of_switching() {
    std::vector<std::pair<std::string, std::string>> words;
    const auto add = [&](Switching switching, std::initializer_list<const char*> others) {
        add_other_names(words, name_of(switching), others);
    };
    add(Switching::kWormhole, {"wh", "WH"});
    add(Switching::kVirtualCutThrough, {"vct", "VCT", "cut_through", "cut-through"});
    add(Switching::kStoreAndForward, {"saf", "SAF", "snf", "SNF"});
    add(Switching::kCircuit, {"circuit_switching", "circuit-switching", "cs"});
    return words;
}

std::vector<std::pair<std::string, std::string>> names_of_link_protocols() {
    std::vector<std::pair<std::string, std::string>> words;
    add_other_names(words, name_of(LinkProtocol::kCredits), {"credit", "credit_based"});
    add_other_names(words, name_of(LinkProtocol::kValidReady),
                    {"ready_valid", "ready-valid", "valid-ready", "handshake"});
    return words;
}

}  // namespace

ConfigKeys router_keys() {
    const auto in = [](auto... members) { return at(&Config::fabric, members...); };
    ConfigKeys keys = router_choice_keys();
    keys.push_back(integer("fabric.planes", {1, kMostPlanes}, "",
                           "networks side by side, all alike: every node has a channel to and from "
                           "its router in each of them, and a message crosses one of them",
                           in(&FabricConfig::planes)));
    keys.push_back(integer("fabric.virtual_channels", {1, kMaxVirtualChannels}, "",
                           "virtual channels per channel", in(&FabricConfig::virtual_channels)));
    keys.push_back(
        enumeration("fabric.switch_arbitration", "switch arbitration", kSwitchArbitrations,
                    "arbitration between virtual channels for the switch: round-robin per flit, or "
                    "the winner keeps the switch while it has flits and credits, up to its tail",
                    in(&FabricConfig::switch_arbitration))
            .only_for(packet_switching()));
    keys.push_back(integer("fabric.input_speedup", {1, kMaxVirtualChannels}, "",
                           "inputs of the switch per input port, shared evenly by its virtual "
                           "channels: up to so many flits leave an input port in a cycle",
                           in(&FabricConfig::input_speedup))
                       .only_for(packet_switching()));
    keys.push_back(integer("fabric.output_speedup", {1, kMaxVirtualChannels}, "",
                           "outputs of the switch per output port: up to so many flits, of "
                           "different virtual channels, enter the queue of an output port in a "
                           "cycle",
                           in(&FabricConfig::output_speedup))
                       .only_for(packet_switching()));
    keys.push_back(integer("fabric.output_queue", {1, 256}, "flits",
                           "the queue of an output port: it takes flits while it has room for as "
                           "many as can enter in a cycle",
                           in(&FabricConfig::output_queue))
                       .only_for(with_output_queues()));
    keys.push_back(enumeration("fabric.allocation", "allocation", kAllocations,
                               "allocation of the output virtual channel of a head flit: before it "
                               "requests the switch, or together with the switch, which shortens "
                               "the critical path of the router (hw/rtl/SYNTHESIS.md)",
                               in(&FabricConfig::allocation))
                       .only_for(only_with(Switching::kWormhole)));
    keys.push_back(
        enumeration("fabric.switching", "switching method", kSwitchings,
                    "switching method; a router forwards a packet flit by flit as credits arrive, "
                    "only if the next FIFO has room for all of it, or only if, in addition, all of "
                    "it has arrived; with circuits each message has its own path instead",
                    in(&FabricConfig::switching))
            .knows(names_of_switching()));
    keys.push_back(integer("fabric.combining_delay", {0, 1'000'000}, "cycles",
                           "delay from the arrival of a packet's tail in a router to its request "
                           "for the next link",
                           in(&FabricConfig::combining_delay))
                       .only_for(only_with(Switching::kStoreAndForward)));
    keys.push_back(integer("fabric.setup_delay", {1, 1'000'000}, "cycles",
                           "delay of a header over each link of the path that it sets up",
                           in(&FabricConfig::setup_delay))
                       .only_for(only_with(Switching::kCircuit)));
    keys.push_back(
        enumeration("fabric.link_protocol", "link protocol", kLinkProtocols,
                    "how a sender learns that there is room at the end of a channel: by a credit "
                    "for every flit that has left the FIFO there, or by `ready`, a register of "
                    "the FIFO, or of the register slice, that it is connected to",
                    in(&FabricConfig::link_protocol))
            .knows(names_of_link_protocols())
            .only_for(packet_switching()));
    keys.push_back(integer("fabric.buffer_depth", {1, 65536}, "flits",
                           "flit buffer of each virtual channel", in(&FabricConfig::buffer_depth))
                       .only_for(packet_switching()));
    keys.push_back(integer("fabric.flit_bits", {kNarrowestFlit, kWidestFlit, kFlitStep}, "bits",
                           "width of a flit and, without `header_bits`, of every channel",
                           in(&FabricConfig::flit_bits))
                       .only_for(no_wire_budget()));
    keys.push_back(integer("fabric.header_bits", {0, 256}, "bits",
                           "wires of every channel beside those of a flit, which carry the header "
                           "of its packet (`node.header_flits: 0`)",
                           in(&FabricConfig::header_bits))
                       .only_for(packet_switching()));
    return keys;
}

ConfigKeys router_delay_keys() {
    ConfigKeys keys;
    keys.push_back(
        integer("fabric.router_delay", {1, 1024}, "cycles",
                "delay from a router's output to the next router's decision, without the wire; "
                "above 1 it models wires and does not shorten the clock period",
                at(&Config::fabric, &FabricConfig::router_delay))
            .only_for(packet_switching()));
    return keys;
}

ConfigKeys node_keys() {
    ConfigKeys keys;
    const auto in = [](auto member) { return at(&Config::node, member); };
    const auto retransmit = [](auto member) {
        return in_section(at(&Config::node, &NodeConfig::retransmit), member);
    };
    keys.push_back(cycles("node.send_overhead", {0, 1'000'000'000},
                          "overhead from the start of a send to its first flit",
                          in(&NodeConfig::send_overhead)));
    keys.push_back(flag("node.serialize_overhead",
                        "the startup of a message begins only when the previous message of the "
                        "node has been assembled",
                        in(&NodeConfig::serialize_overhead))
                       .only_for(packet_switching()));
    keys.push_back(cycles("node.recv_overhead", {0, 1'000'000'000},
                          "overhead from a delivery to the node's reaction to it",
                          in(&NodeConfig::recv_overhead)));
    keys.push_back(rate("node.injection_bandwidth", "flits/cycle",
                        "rate at which the node's memory feeds its network interface, kept exact; "
                        "the denominator in lowest terms is at most 1,000,000",
                        in(&NodeConfig::injection_bandwidth)));
    keys.push_back(integer("node.packet_bytes", {0, kLargestBytes}, "bytes",
                           "maximum payload of a packet; 0 = one packet per message",
                           in(&NodeConfig::packet_bytes)));
    keys.push_back(integer("node.header_flits", {0, 16}, "flits",
                           "header of each packet; 0: it is beside the flits "
                           "(`fabric.header_bits`)",
                           in(&NodeConfig::header_flits))
                       .only_for(packet_switching()));
    keys.push_back(enumeration(
        "node.port_model", "port model", kPortModels,
        "channels between a node and its router: one in each direction (`single`), or one in each "
        "direction per link; then a node sends over one at a time (`one_output`), the same value "
        "over several (`same_value`), or over each independently (`independent`)",
        in(&NodeConfig::port_model)));
    keys.push_back(cycles("node.retransmit.timeout", {1, 1'000'000'000},
                          "timeout from the injection of a packet's tail, after which an "
                          "unacknowledged packet is retransmitted",
                          retransmit(&RetransmitConfig::timeout)));
    keys.push_back(integer("node.retransmit.tries", {1, 1'000'000}, "",
                           "maximum number of retransmissions of a packet",
                           retransmit(&RetransmitConfig::tries)));
    return keys;
}

ConfigSection retransmit_section() {
    ConfigSection section;
    section.path = "node.retransmit";
    section.meaning =
        "the network interface retransmits packets that do not arrive (hw/TIMING.md, \"Faults "
        "while "
        "running\")";
    section.open = [](Config& config) {
        if (!config.node.retransmit) config.node.retransmit.emplace();
    };
    section.is_set = [](const Config& config) { return config.node.retransmit.has_value(); };
    return section;
}

void check_losses(RuleContext& context) {
    const Config& config = context.config;
    const bool fails = config.faults && config.faults->come_later();
    const auto refuse = [&](const char* key, const char* what, const char* remedy) {
        context.report({config.where(key), what, remedy});
    };
    if (config.node.retransmit && config.node.has_channels_per_link()) {
        refuse("node.retransmit", "only network interfaces with one channel retransmit packets",
               "set node.port_model: single");
    }
    if (config.node.retransmit && config.fabric.switches_circuits()) {
        refuse("node.retransmit", "circuits have no packets to retransmit",
               "remove the section, or set another fabric.switching");
    }
    if (!fails) return;
    if (config.node.has_channels_per_link()) {
        refuse("faults.at",
               "nodes with one channel per link (node.port_model) do not support links that fail "
               "during the run",
               "set node.port_model: single, or faults.at: 0");
    }
    if (config.fabric.switches_circuits()) {
        refuse("faults.at", "circuits do not support links that fail during the run",
               "set faults.at: 0, or another fabric.switching");
    }
    if (config.steady) {
        refuse("faults.at", "a network that changes during the run has no steady state",
               "set faults.at: 0, or remove the section steady");
    }
    if (config.interconnect) {
        refuse("faults.at", "initiators would wait forever for lost packets", "set faults.at: 0");
    }
    if (config.faults->drops_messages) {
        refuse("faults.traffic",
               "nodes that fail later send messages until then, so these cannot be left out",
               "remove the key: lost messages are counted");
    }
}

void check_headers(RuleContext& context) {
    const Config& config = context.config;
    if (config.fabric.switches_circuits()) return;
    const bool is_beside = config.fabric.header_bits != 0;
    if (is_beside == (config.node.header_flits == 0)) return;
    if (is_beside) {
        context.report({config.where("fabric.header_bits"),
                        fmt::format("a header is either beside the flits or in {} of them",
                                    config.node.header_flits),
                        "set node.header_flits: 0, or fabric.header_bits: 0"});
    } else {
        context.report({config.where("node.header_flits"),
                        "without header flits the header has to be beside the flits",
                        "set fabric.header_bits to its width, or node.header_flits: 1"});
    }
}

void check_packets(RuleContext& context) {
    const Config& config = context.config;
    const std::uint64_t bytes = config.node.packet_bytes;
    if (bytes == 0 || config.traffic.longest_message() / bytes <= UINT32_MAX) return;
    context.report({config.where("node.packet_bytes"), "a message has more than 2^32 - 1 packets",
                    "use a larger 'node.packet_bytes'"});
}

}  // namespace flitscope
