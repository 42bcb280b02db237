// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/axi_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/export/axi_bench.h"
#include "testbench/app/export/axi_ports.h"
#include "tlm/addresses/response_cycle.h"

namespace flitscope {
namespace {

constexpr std::uint32_t kDataBits = 64;
constexpr std::uint32_t kControlBits = 20;  // axi_pkg::ControlBits
constexpr std::uint32_t kLeastFlitBits = kDataBits + kDataBits / 8;

/// Whether a port of this kind is at the node.
bool is_attached(const std::vector<AxiPort>& ports, NodeId node, bool manager) {
    return std::any_of(ports.begin(), ports.end(), [&](const AxiPort& port) {
        return port.node == node && port.is_manager == manager;
    });
}

/// The streams of a node, of both classes, that no bridge uses.
std::string unused_streams(const std::string& node, bool has_manager, bool has_target) {
    std::string text;
    const auto tie = [&](bool used, int stream_in, int stream_out) {
        if (used) return;
        text += fmt::format(
            "    assign {{{0}_s_valid[{1}], {0}_s_last[{1}]}} = '0;\n"
            "    assign {0}_s_destination[{1}*NodeBits+:NodeBits] = '0;\n"
            "    assign {0}_s_data[{1}*FlitBits+:FlitBits] = '0;\n"
            "    assign {0}_m_ready[{2}] = 1'b1;\n",
            node, stream_in, stream_out);
    };
    tie(has_manager, 0, 1);
    tie(has_target, 1, 0);
    return text;
}

std::string bridge(const AxiPort& port, const InterconnectConfig& map, const Graph& graph) {
    const std::string node = graph.node_name("node", port.node);
    const std::string pins = port.prefix(graph);
    // Requests are class 0, replies class 1.
    const int in = port.is_manager ? 0 : 1;
    std::string text = fmt::format(
        "\n    (* keep_hierarchy *) {} #(\n        .AddressBits(AddressBits), .DataBits(64), "
        ".IdBits(IdBits), .FlitBits(FlitBits),\n        .Outstanding({}){}\n    ) {} (\n"
        "        .clk_i(clk_i), .rst_ni(ready_o)",
        port.is_manager ? "axi_manager_bridge" : "axi_subordinate_bridge", map.outstanding,
        port.is_manager ? ",\n        .Ranges(Ranges), .First(First), .Last(Last), .Nodes(Nodes)"
                        : "",
        graph.node_name(port.is_manager ? "manager" : "subordinate", port.node));
    for (const char* const channel : {"aw", "ar"}) {
        std::string parts;
        for (const AxiPin& pin : axi_pins()) {
            if (!pin.is_control || pin.channel() != channel) continue;
            parts += fmt::format("{}{}{}{}", parts.empty() ? "" : ", ", pins, pin.name,
                                 port.suffix(pin));
        }
        text += fmt::format(",\n        .{}_control{}({{{}}})", channel,
                            port.is_manager ? "_i" : "_o", parts);
    }
    for (const AxiPin& pin : axi_pins()) {
        if (pin.is_control || !port.has(pin)) continue;
        text += fmt::format(",\n        .{0}{1}({2}{3}{1})", pin.bridge_name(), port.suffix(pin),
                            pins, pin.name);
    }
    text += fmt::format(
        ",\n        .s_valid_o({0}_s_valid[{1}]), .s_ready_i({0}_s_ready[{1}]), "
        ".s_last_o({0}_s_last[{1}]),\n"
        "        .s_destination_o({0}_s_destination[{1}*NodeBits+:NodeBits]),\n"
        "        .s_data_o({0}_s_data[{1}*FlitBits+:FlitBits]),\n"
        "        .m_valid_i({0}_m_valid[{2}]), .m_ready_o({0}_m_ready[{2}]), "
        ".m_last_i({0}_m_last[{2}]),\n",
        node, in, 1 - in);
    if (!port.is_manager) {
        text +=
            fmt::format("        .m_source_i({}_m_source[{}*NodeBits+:NodeBits]),\n", node, 1 - in);
    }
    return text + fmt::format("        .m_data_i({}_m_data[{}*FlitBits+:FlitBits])\n    );\n", node,
                              1 - in);
}

}  // namespace

void require_axi(const Machine& machine) {
    const Config& config = machine.config;
    if (!config.interconnect) {
        throw ConfigError({config.source, 0, 0}, "which nodes have AXI ports is not said",
                          "name initiators and targets in the section 'interconnect'");
    }
    const InterconnectConfig& map = *config.interconnect;
    const std::uint32_t vcs = config.fabric.virtual_channels;
    if (config.fabric.classes.size() != 2 || vcs != 2) {
        throw ConfigError(config.where("fabric.virtual_channels"),
                          "AXI needs a virtual channel for requests and one for replies, which "
                          "keep their order",
                          "set fabric.virtual_channels: 2 and fabric.classes: [request, reply]");
    }
    const bool is_swapped =
        request_class(config) != 0 || (!map.response_class.empty() && response_class(config) != 1);
    if (is_swapped) {
        throw ConfigError(config.where("interconnect.request_class"),
                          "AXI requests are messages of the first class, replies of the second",
                          fmt::format("set interconnect.request_class: {} and response_class: {}",
                                      config.fabric.classes[0], config.fabric.classes[1]));
    }
    const std::uint32_t needed =
        std::max(kLeastFlitBits, 1 + kAxiIdBits + kControlBits + axi_address_bits(map));
    if (config.fabric.flit_bits < needed) {
        throw ConfigError(
            config.where("fabric.flit_bits"),
            fmt::format(
                "a beat of AXI has {} bits: 64 of data with their strobes, or {} of address",
                needed, axi_address_bits(map)),
            fmt::format("set fabric.flit_bits to {} or more", (needed + 7) / 8 * 8));
    }
    if (config.node.packet_bytes != 0) {
        throw ConfigError(config.where("node.packet_bytes"), "AXI bridges send whole bursts",
                          "leave node.packet_bytes out");
    }
    require_axi_bench(machine);
    constexpr std::uint32_t kMostOutstanding = 256;
    if (map.outstanding > kMostOutstanding) {
        throw ConfigError(
            config.where("interconnect.outstanding"),
            fmt::format("AXI bridges keep account of at most {} transactions", kMostOutstanding),
            fmt::format("set it to {} or less", kMostOutstanding));
    }
    std::set<NodeId> managers;
    for (const NodeId node : map.initiators) {
        if (managers.insert(node).second) continue;
        throw ConfigError(config.where("interconnect.initiators"),
                          fmt::format("node {} has two initiators, and one AXI port", node),
                          "give each a node");
    }
}

std::vector<NodeId> managers_with_targets(const Machine& machine) {
    const std::vector<AxiPort> ports = axi_ports(*machine.config.interconnect);
    std::vector<NodeId> nodes;
    for (const AxiPort& port : ports) {
        if (port.is_manager && is_attached(ports, port.node, false)) nodes.push_back(port.node);
    }
    return nodes;
}

std::string axi_fabric(const Machine& machine) {
    const Graph& graph = machine.graph;
    const InterconnectConfig& map = *machine.config.interconnect;
    const std::vector<AxiPort> ports = axi_ports(map);
    std::string text = axi_module_head("The fabric with AXI4 at its nodes", machine, "axi_fabric");
    for (const AxiPort& port : ports) {
        text +=
            fmt::format(",\n\n    // ---- {}: a {} is attached", graph.node_name("node", port.node),
                        port.is_manager ? "manager" : "subordinate");
        std::string pins;
        for (const AxiPin& pin : axi_pins()) {
            if (port.has(pin))
                pins += axi_declaration(port, pin, port.prefix(graph) + pin.name, pin.width);
        }
        text += pins.substr(1);  // the comma is before the comment
    }
    text += fmt::format(
        R"(
);

    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int NodeBits = router_pkg::NodeBits;

    // The address map: range i in field i.
    localparam int Ranges = {};
    localparam logic [Ranges*AddressBits-1:0] First = {};
    localparam logic [Ranges*AddressBits-1:0] Last = {};
    localparam logic [Ranges*NodeBits-1:0] Nodes = {};
)",
        map.targets.size(),
        concatenated(map.targets, axi_address_bits(map), [](const auto& t) { return t.base; }),
        concatenated(map.targets, axi_address_bits(map), last_address),
        concatenated(map.targets, 16, [](const auto& t) { return t.node; }));
    std::string streams;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const std::string name = graph.node_name("node", node);
        text += fmt::format(R"(
    // ---- {0}: streams of requests and of replies
    logic [1:0] {0}_s_valid, {0}_s_ready, {0}_s_last, {0}_m_valid, {0}_m_ready, {0}_m_last;
    logic [1:0] unused_{0}_null, unused_{0}_more;
    logic [2*NodeBits-1:0] {0}_s_destination, {0}_m_source;
    logic [2*node_pkg::SequenceBits-1:0] unused_{0}_sequence;
    logic [2*FlitBits-1:0] {0}_s_data, {0}_m_data;
    logic unused_{0};
    assign unused_{0} = &{{1'b0, unused_{0}_null, unused_{0}_more, unused_{0}_sequence, {0}_s_ready,
                         {0}_m_valid, {0}_m_last, {0}_m_source, {0}_m_data}};
)",
                            name);
        text +=
            unused_streams(name, is_attached(ports, node, true), is_attached(ports, node, false));
        streams += fmt::format(
            R"(,
        .{0}_s_valid_i({0}_s_valid), .{0}_s_ready_o({0}_s_ready), .{0}_s_last_i({0}_s_last),
        .{0}_s_null_i(2'b00), .{0}_s_destination_i({0}_s_destination), .{0}_s_length_i({{(2*node_pkg::LengthBits){{1'b0}}}}),
        .{0}_s_data_i({0}_s_data), .{0}_m_valid_o({0}_m_valid), .{0}_m_ready_i({0}_m_ready),
        .{0}_m_last_o({0}_m_last), .{0}_m_null_o(unused_{0}_null), .{0}_m_more_o(unused_{0}_more),
        .{0}_m_source_o({0}_m_source), .{0}_m_sequence_o(unused_{0}_sequence),
        .{0}_m_data_o({0}_m_data))",
            name);
    }
    for (const AxiPort& port : ports) text += bridge(port, map, graph);
    return text +
           "\n    (* keep_hierarchy *) stream_fabric i_streams (\n        .clk_i(clk_i), "
           ".rst_ni(rst_ni), .ready_o(ready_o)" +
           streams + "\n    );\n\nendmodule\n";
}

StructTop axi_structs(const Machine& machine) {
    const InterconnectConfig& map = *machine.config.interconnect;
    const auto bits_of = [&map](const AxiPin& pin) -> std::uint64_t {
        const std::string width = pin.width;
        if (width == "IdBits") return kAxiIdBits;
        return width == "AddressBits" ? axi_address_bits(map) : std::stoul(width);
    };
    StructTop top{"axi_fabric", "axi_top", {}, {}};
    for (const AxiPort& port : axi_ports(map)) {
        std::string prefix = port.prefix(machine.graph);
        prefix.pop_back();  // its _
        StructPort one{prefix, port.is_manager ? "s_axi" : "m_axi", port.is_manager, {}};
        for (const AxiPin& pin : axi_pins()) {
            if (port.has(pin)) one.members.push_back({pin.name, port.is_input(pin), bits_of(pin)});
        }
        top.ports.push_back(one);
    }
    return top;
}

}  // namespace flitscope
