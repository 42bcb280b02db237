// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/stream_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw/verilated/rtl_model.h"
#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

/// A pin of a stream: per node a vector, of one bit or one field for each stream.
struct StreamPin {
    const char* name;
    bool is_input;
    const char* bits;  ///< of a stream; empty: one
    const char* meaning;
};

/// The streams into the network, one per message class.
constexpr StreamPin kIntoNetwork[] = {
    {"s_valid", true, "", "a beat is taken in a cycle with valid and ready"},
    {"s_ready", false, "", ""},
    {"s_last", true, "", "last beat of its message"},
    {"s_null", true, "", "message without payload: its only beat"},
    {"s_destination", true, "router_pkg::NodeBits", "node, with the first beat of a message"},
    {"s_length", true, "node_pkg::LengthBits",
     "its beats, with the first one; read if packets are cut"},
    {"s_data", true, "fabric_pkg::FlitBits", ""},
};
/// Those out of it, one per virtual channel.
constexpr StreamPin kOutOfNetwork[] = {
    {"m_valid", false, "", "a beat is taken in a cycle with valid and ready"},
    {"m_ready", true, "", ""},
    {"m_last", false, "", "last beat of its packet"},
    {"m_null", false, "", "packet without payload: its only beat"},
    {"m_more", false, "", "its message goes on in another packet"},
    {"m_source", false, "router_pkg::NodeBits", "node that sent it"},
    {"m_sequence", false, "node_pkg::SequenceBits", "number of the packet there"},
    {"m_data", false, "fabric_pkg::FlitBits", ""},
};

constexpr std::uint32_t kLengthBits = 32;    // node_pkg::LengthBits
constexpr std::uint32_t kSequenceBits = 31;  // node_pkg::SequenceBits

constexpr const char* kModuleHead = R"(// {} of {}, written by flitscope export.
{}
module {} (
)";

/// Calls `use` with each pin, and the number of streams that it has at a node, as text.
template <class Use>
void for_each_pin(const Use& use) {
    for (const StreamPin& pin : kIntoNetwork) use(pin, "fabric_pkg::Classes");
    for (const StreamPin& pin : kOutOfNetwork) use(pin, "fabric_pkg::VirtualChannels");
}

/// Of all streams at a node.
std::uint64_t bits_of(const StreamPin& pin, std::uint32_t streams, const FabricConfig& fabric) {
    const std::string bits = pin.bits;
    if (bits.empty()) return streams;
    if (bits == "router_pkg::NodeBits") return streams * hw::kRtlNodeBits;
    if (bits == "node_pkg::LengthBits") return streams * kLengthBits;
    if (bits == "node_pkg::SequenceBits") return streams * kSequenceBits;
    return std::uint64_t{streams} * fabric.flit_bits;
}

std::string suffix(const StreamPin& pin) { return pin.is_input ? "_i" : "_o"; }

/// "fabric_pkg::Classes*fabric_pkg::FlitBits".
std::string width_of(const StreamPin& pin, const std::string& streams) {
    return *pin.bits == '\0' ? streams : streams + '*' + pin.bits;
}

std::string declaration(const StreamPin& pin, const std::string& name, const std::string& width) {
    return fmt::format("    {} logic [{}-1:0] {}", pin.is_input ? "input " : "output", width,
                       name + suffix(pin));
}

/// Payload flits of the longest packet, if messages are cut into several; else 0.
std::uint64_t packet_flits(const Machine& machine) {
    const PacketFormat format = machine.config.packet_format();
    if (format.packet_bytes == 0) return 0;
    return format.flits(format.packet_bytes, 0) - format.header_flits;
}

/// Flits of the packets that are sent, in order, by queue: node * classes + class.
std::vector<std::vector<const FlitEvent*>> by_queue(const Machine& machine,
                                                    const hw::RtlVariant& variant,
                                                    const Replay& replay) {
    std::vector<std::vector<const FlitEvent*>> queues(machine.graph.node_count() * variant.classes);
    const std::uint32_t channels = variant.virtual_channels / variant.classes;
    for (const FlitEvent& flit : replay.injected) {
        queues[flit.node * variant.classes + flit.vc / channels].push_back(&flit);
    }
    return queues;
}

bool is_beat(const FlitEvent& flit) { return !flit.head || flit.tail; }

/// Beats of the message whose first flit is `first`; `end` is that of the queue.
std::uint64_t length_of_message(const FlitEvent* const* first, const FlitEvent* const* end) {
    std::uint64_t beats = 0;
    for (; first != end; ++first) {
        if (!(*first)->head) ++beats;
        if ((*first)->tail && !(*first)->more) break;
    }
    return beats;
}

}  // namespace

void require_streams(const Machine& machine) {
    const Config& config = machine.config;
    const auto refuse = [&config](const char* key, const char* problem, const char* remedy) {
        throw ConfigError(config.where(key), problem, remedy);
    };
    if (config.node.header_flits != 1) {
        refuse("node.header_flits", "a stream interface sends headers of one flit",
               "set node.header_flits to 1, or export with --nodes flits");
    }
    if (config.node.assembles()) {
        refuse("node.injection_bandwidth",
               "a stream interface does not assemble packets before it sends them",
               "leave node.injection_bandwidth out, or export with --nodes flits");
    }
}

std::string stream_fabric(const Machine& machine) {
    const Graph& graph = machine.graph;
    std::string text =
        fmt::format(kModuleHead, "The fabric with network interfaces", graph.description(),
                    "// Streams into the network: bit or field k is that of message class k; out "
                    "of it: of virtual\n"
                    "// channel v (hw/TIMING.md of flitscope, \"Streams at the nodes\").\n",
                    "stream_fabric");
    text +=
        "    input  logic clk_i,\n    input  logic rst_ni,  // synchronous, low for 4 cycles\n"
        "    output logic ready_o";
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const std::string name = graph.node_name("node", node);
        std::string comment = ",\n\n    // ---- " + name;
        if (!graph.given_node_names().empty()) comment += ": " + graph.given_node_names()[node];
        for_each_pin([&](const StreamPin& pin, const char* streams) {
            text +=
                comment + '\n' + declaration(pin, name + '_' + pin.name, width_of(pin, streams));
            comment =
                node == 0 && *pin.meaning != '\0' ? fmt::format(",  // {}", pin.meaning) : ",";
        });
    }
    text += R"(
);

    localparam int Nodes = fabric_pkg::Nodes;
    localparam int VirtualChannels = fabric_pkg::VirtualChannels;
    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int VcBits = fabric_pkg::VcBits;

    logic [Nodes-1:0] inject_valid, inject_head, inject_tail, eject_valid, eject_head, eject_tail;
    logic [Nodes*VcBits-1:0] inject_vc, eject_vc;
    logic [Nodes*FlitBits-1:0] inject_data, eject_data;
    logic [Nodes*VirtualChannels-1:0] inject_credit, eject_credit;

    (* keep_hierarchy *) fabric i_fabric (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready_o),
        .inject_valid_i(inject_valid), .inject_vc_i(inject_vc), .inject_head_i(inject_head),
        .inject_tail_i(inject_tail), .inject_data_i(inject_data), .inject_credit_o(inject_credit),
        .eject_valid_o(eject_valid), .eject_vc_o(eject_vc), .eject_head_o(eject_head),
        .eject_tail_o(eject_tail), .eject_data_o(eject_data), .eject_credit_i(eject_credit)
    );
)";
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        text += fmt::format(R"(
    (* keep_hierarchy *) stream_interface #(
        .VirtualChannels(VirtualChannels), .Classes(fabric_pkg::ClassPolicy), .Depth(fabric_pkg::Depth),
        .FlitBits(FlitBits), .PacketFlits({packet})
    ) {name} (
        .clk_i(clk_i), .rst_ni(ready_o), .node_i({bits}'d{node}),
)",
                            fmt::arg("packet", packet_flits(machine)),
                            fmt::arg("name", graph.node_name("interface", node)),
                            fmt::arg("bits", hw::kRtlNodeBits), fmt::arg("node", node));
        for_each_pin([&](const StreamPin& pin, const char*) {
            text += fmt::format("        .{0}{1}({2}_{0}{1}),\n", pin.name, suffix(pin),
                                graph.node_name("node", node));
        });
        text += fmt::format(
            R"(        .inject_valid_o(inject_valid[{0}]), .inject_vc_o(inject_vc[{0}*VcBits+:VcBits]),
        .inject_head_o(inject_head[{0}]), .inject_tail_o(inject_tail[{0}]),
        .inject_data_o(inject_data[{0}*FlitBits+:FlitBits]),
        .inject_credit_i(inject_credit[{0}*VirtualChannels+:VirtualChannels]),
        .eject_valid_i(eject_valid[{0}]), .eject_vc_i(eject_vc[{0}*VcBits+:VcBits]),
        .eject_head_i(eject_head[{0}]), .eject_tail_i(eject_tail[{0}]),
        .eject_data_i(eject_data[{0}*FlitBits+:FlitBits]),
        .eject_credit_o(eject_credit[{0}*VirtualChannels+:VirtualChannels])
    );
)",
            node);
    }
    return text + "\nendmodule\n";
}

StructTop stream_structs(const Machine& machine) {
    StructTop top{"stream_fabric", "stream_top", {}, {}};
    for (const char* signal :
         {"logic [fabric_pkg::Nodes-1:0] inject_valid", "logic [fabric_pkg::Nodes-1:0] inject_head",
          "logic [fabric_pkg::Nodes-1:0] inject_tail",
          "logic [fabric_pkg::Nodes*fabric_pkg::VcBits-1:0] inject_vc",
          "logic [fabric_pkg::Nodes*fabric_pkg::FlitBits-1:0] inject_data"}) {
        top.observed.emplace_back(signal);
    }
    const FabricConfig& fabric = machine.config.fabric;
    StructPort port{"", "stream", true, {}};
    const auto add = [&](const auto& pins, std::uint32_t streams) {
        for (const StreamPin& pin : pins) {
            port.members.push_back({pin.name, pin.is_input, bits_of(pin, streams, fabric)});
        }
    };
    add(kIntoNetwork, fabric.class_count());
    add(kOutOfNetwork, fabric.virtual_channels);
    for (NodeId node = 0; node < machine.graph.node_count(); ++node) {
        port.prefix = machine.graph.node_name("node", node);
        top.ports.push_back(port);
    }
    return top;
}

std::string stream_nodes(const Machine& machine, const StructTop* structs) {
    const Graph& graph = machine.graph;
    std::string text =
        fmt::format(kModuleHead, "The pins of stream_fabric as vectors over the nodes",
                    graph.description(), "", "stream_nodes");
    text += "    input  logic clk_i,\n    input  logic rst_ni,\n    output logic ready_o";
    for_each_pin([&](const StreamPin& pin, const char* streams) {
        text += ",\n" + declaration(pin, pin.name,
                                    width_of(pin, std::string("fabric_pkg::Nodes*") + streams));
    });
    text += fmt::format("\n);\n\n{}        .clk_i(clk_i), .rst_ni(rst_ni), .ready_o(ready_o)",
                        structs != nullptr ? structs->instance("i_fabric")
                                           : std::string("    stream_fabric i_fabric (\n"));
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        for_each_pin([&](const StreamPin& pin, const char* streams) {
            text += fmt::format(",\n        .{0}_{1}{2}({1}{2}[{3}*{4}+:{4}])",
                                graph.node_name("node", node), pin.name, suffix(pin), node,
                                width_of(pin, streams));
        });
    }
    return text + "\n    );\n\nendmodule\n";
}

std::string beats_text(const Machine& machine, const hw::RtlVariant& variant,
                       const Replay& replay) {
    const NodeConfig& node = machine.config.node;
    std::string text;
    const auto queues = by_queue(machine, variant, replay);
    for (std::size_t queue = 0; queue < queues.size(); ++queue) {
        const std::vector<const FlitEvent*>& flits = queues[queue];
        Cycle begins = 0;
        Cycle free = 0;  // the cycle after the tail of the message before
        std::uint64_t length = 0;
        bool in_message = false;
        for (std::size_t i = 0; i < flits.size(); ++i) {
            const FlitEvent& flit = *flits[i];
            if (flit.head && !in_message) {
                begins = flit.begin;
                if (node.serialize_overhead) begins = std::max(begins, free);
                begins += node.send_overhead;
                length = length_of_message(&flits[i], flits.data() + flits.size());
            }
            in_message = !flit.tail || flit.more;
            free = flit.cycle + 1;
            if (!is_beat(flit)) continue;
            text += fmt::format("{:08x}_{:08x}_{:08x}_{:04x}_{:x}_{:016x}\n", begins, queue, length,
                                flit.destination, (flit.head ? 2 : 0) + (in_message ? 0 : 1),
                                flit.word);
        }
    }
    return text;
}

std::uint64_t beat_count(const Replay& replay) {
    return static_cast<std::uint64_t>(
        std::count_if(replay.injected.begin(), replay.injected.end(), is_beat));
}

}  // namespace flitscope
