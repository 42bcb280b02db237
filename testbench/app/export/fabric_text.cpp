// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/fabric_text.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "hw/verilated/rtl_model.h"
#include "models/base/powers_of_two.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

constexpr const char* kHead = R"(// {what} of {machine}, written by flitscope export.

)";

/// Lines of SystemVerilog, with named arguments of {fmt}.
class Text {
public:
    template <class... Arguments>
    void add(const char* format, const Arguments&... arguments) {
        text_ += fmt::format(fmt::runtime(format), arguments...);
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

bool has_table(const hw::RtlVariant& variant) { return variant.routing == hw::RtlRouting::kTable; }

std::string routes_name(const Graph& graph, NodeId node) { return graph.node_name("Routes", node); }

std::uint32_t hex_digits(std::uint32_t bits) { return (bits + 3) / 4; }

/// The content of a route_rom: an entry per destination, of the digits of port and virtual
/// channels.
struct RouteDigits {
    explicit RouteDigits(const hw::RtlVariant& variant)
        : port(hex_digits(index_bits(variant.ports))), vcs(hex_digits(variant.virtual_channels)) {}
    std::uint32_t bits() const { return 4 * (port + vcs); }

    std::uint32_t port;
    std::uint32_t vcs;
};

/// The constant of a node's route_rom, the last destination first.
std::string routes(const Machine& machine, const hw::RtlVariant& variant, NodeId node) {
    const NodeId destinations = machine.graph.endpoint_count();
    const RouteDigits digits(variant);
    std::string text = fmt::format("{}'h", digits.bits() * destinations);
    for (NodeId i = destinations; i-- > 0;) {
        const RouteChoice choice = machine.routing->route(node, i);
        const std::uint32_t vcs = choice.virtual_channels & ((1U << variant.virtual_channels) - 1);
        fmt::format_to(std::back_inserter(text), "{:0{}x}{:0{}x}{}", choice.port, digits.port, vcs,
                       digits.vcs, i == 0 ? "" : "_");
    }
    return text;
}

/// The flit and credit pins at port `port` of the router `node`, as the parameters of the module on
/// the other side of it: of a link that starts there, of one that ends there.
std::string sender_pins(const std::string& node, PortId port) {
    return fmt::format(
        "        .flit_valid_i(out_valid_{0}[{1}]), .flit_vc_i(out_vc_{0}[{1}*VcBits+:VcBits]),\n"
        "        .flit_head_i(out_head_{0}[{1}]), .flit_tail_i(out_tail_{0}[{1}]),\n"
        "        .flit_data_i(out_data_{0}[{1}*FlitBits+:FlitBits]),\n"
        "        .credit_o(in_credit_{0}[{1}*VirtualChannels+:VirtualChannels])",
        node, port);
}
std::string receiver_pins(const std::string& node, PortId port) {
    return fmt::format(
        "        .flit_valid_o(in_valid_{0}[{1}]), .flit_vc_o(in_vc_{0}[{1}*VcBits+:VcBits]),\n"
        "        .flit_head_o(in_head_{0}[{1}]), .flit_tail_o(in_tail_{0}[{1}]),\n"
        "        .flit_data_o(in_data_{0}[{1}*FlitBits+:FlitBits]),\n"
        "        .credit_i(out_credit_{0}[{1}*VirtualChannels+:VirtualChannels])",
        node, port);
}

class Top {
public:
    Top(const Machine& machine, const hw::RtlVariant& variant)
        : graph_(machine.graph),
          variant_(variant),
          turns_(hw::turns_built(machine.config, machine.graph, *machine.routing)) {
        text_.add(kHead, fmt::arg("what", "The fabric"), fmt::arg("machine", graph_.description()));
    }

    std::string write() {
        header();
        start();
        for (NodeId node = 0; node < graph_.node_count(); ++node) router(node);
        for (LinkId id = 0; id < graph_.link_count(); ++id) link(id);
        text_.add("endmodule\n");
        return text_.take();
    }

private:
    /// "005" of router_005.
    std::string number(NodeId node) const { return graph_.node_name("", node).substr(1); }

    void header() {
        text_.add(
            R"(// Synthesis keeps every router and link as it is, so that one of a kind is mapped once.

module fabric (
    input  logic clk_i,
    input  logic rst_ni,   // synchronous, low for 4 cycles
    output logic ready_o,  // the routers are out of reset: flits may be injected
    // per node: flits in, and the credits of the router's FIFOs back
    input  logic [fabric_pkg::Nodes-1:0]                             inject_valid_i,
    input  logic [fabric_pkg::Nodes*fabric_pkg::VcBits-1:0]          inject_vc_i,
    input  logic [fabric_pkg::Nodes-1:0]                             inject_head_i,
    input  logic [fabric_pkg::Nodes-1:0]                             inject_tail_i,
    input  logic [fabric_pkg::Nodes*fabric_pkg::FlitBits-1:0]        inject_data_i,
    output logic [fabric_pkg::Nodes*fabric_pkg::VirtualChannels-1:0] inject_credit_o,
    // per node: flits out, and the credits for them
    output logic [fabric_pkg::Nodes-1:0]                             eject_valid_o,
    output logic [fabric_pkg::Nodes*fabric_pkg::VcBits-1:0]          eject_vc_o,
    output logic [fabric_pkg::Nodes-1:0]                             eject_head_o,
    output logic [fabric_pkg::Nodes-1:0]                             eject_tail_o,
    output logic [fabric_pkg::Nodes*fabric_pkg::FlitBits-1:0]        eject_data_o,
    input  logic [fabric_pkg::Nodes*fabric_pkg::VirtualChannels-1:0] eject_credit_i
);

    localparam int Ports = fabric_pkg::Ports;
    localparam int VirtualChannels = fabric_pkg::VirtualChannels;
    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int VcBits = fabric_pkg::VcBits;
    localparam int Inputs = Ports * VirtualChannels;

)");
    }

    void start() {
        if (!has_table(variant_)) {
            text_.add("    logic routers_rst_n;\n    assign routers_rst_n = rst_ni;\n");
        } else {
            text_.add(R"(    localparam int PortBits = $clog2(Ports);

    logic routers_rst_n, table_write;
    logic [router_pkg::NodeBits-1:0] table_address;
    (* keep_hierarchy *) table_loader #(.Entries(fabric_pkg::Nodes)) i_loader (
        .clk_i(clk_i), .rst_ni(rst_ni), .routers_rst_no(routers_rst_n),
        .write_o(table_write), .address_o(table_address)
    );
)");
        }
        text_.add("    assign ready_o = routers_rst_n;\n\n");
    }

    void router(NodeId node) {
        const std::string digits = number(node);  // an argument refers to it
        const auto n = fmt::arg("n", digits);
        text_.add(R"(    // ---- {name}
    logic [Ports-1:0] in_valid_{n}, in_head_{n}, in_tail_{n};
    logic [Ports-1:0] out_valid_{n}, out_head_{n}, out_tail_{n};
    logic [Ports*VcBits-1:0] in_vc_{n}, out_vc_{n};
    logic [Ports*FlitBits-1:0] in_data_{n}, out_data_{n};
    logic [Inputs-1:0] in_credit_{n}, out_credit_{n};
)",
                  fmt::arg("name", graph_.node_name("router", node)), n);
        if (has_table(variant_)) routes_of(node);
        text_.add(
            R"(    (* keep_hierarchy *) router #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(fabric_pkg::Depth),
        .FlitBits(FlitBits), .RouterDelay(fabric_pkg::RouterDelay),
        .Routing(fabric_pkg::Routing), {table}.Hold(fabric_pkg::Hold),
        .Combined(fabric_pkg::Combined), .Turns({turns})
    ) router_{n} (
        .clk_i(clk_i), .rst_ni(routers_rst_n),
        .node_i({bits}'d{node}), .fields_i({fields}),
{table_pins}
        .flit_valid_i(in_valid_{n}), .flit_vc_i(in_vc_{n}), .flit_head_i(in_head_{n}),
        .flit_tail_i(in_tail_{n}), .flit_data_i(in_data_{n}), .credit_o(out_credit_{n}),
        .flit_valid_o(out_valid_{n}), .flit_vc_o(out_vc_{n}), .flit_head_o(out_head_{n}),
        .flit_tail_o(out_tail_{n}), .flit_data_o(out_data_{n}), .credit_i(in_credit_{n})
    );
)",
            n, fmt::arg("bits", hw::kRtlNodeBits), fmt::arg("node", node),
            fmt::arg("table",
                     has_table(variant_) ? ".TableEntries(fabric_pkg::TableEntries), " : ""),
            fmt::arg("turns",
                     fmt::format("{}'h{}", variant_.ports * variant_.ports, turns_[node].hex())),
            fmt::arg("fields", variant_.routing == hw::RtlRouting::kMesh
                                   ? "fabric_pkg::Fields"
                                   : fmt::format("{}'d0", hw::kRtlNodeBits * (variant_.ports - 1))),
            fmt::arg("table_pins", table_pins(node)));
        for (PortId port = 0; port < variant_.ports; ++port) end(node, port);
        text_.add("\n");
    }

    void routes_of(NodeId node) {
        text_.add(R"(    logic [PortBits-1:0] table_port_{n};
    logic [VirtualChannels-1:0] table_vcs_{n};
    (* keep_hierarchy *) route_rom #(
        .Entries(fabric_pkg::Nodes), .PortBits(PortBits), .VirtualChannels(VirtualChannels),
        .Contents(fabric_pkg::{routes})
    ) {rom} (
        .address_i(table_address), .port_o(table_port_{n}), .vcs_o(table_vcs_{n})
    );
)",
                  fmt::arg("n", number(node)), fmt::arg("routes", routes_name(graph_, node)),
                  fmt::arg("rom", graph_.node_name("routes", node)));
    }

    std::string table_pins(NodeId node) const {
        if (!has_table(variant_)) {
            return fmt::format(
                "        .table_write_i(1'b0), .table_address_i({}'d0), .table_port_i({}'d0),\n"
                "        .table_vcs_i({}'d0),",
                hw::kRtlNodeBits, index_bits(variant_.ports), variant_.virtual_channels);
        }
        return fmt::format(
            "        .table_write_i(table_write), .table_address_i(table_address),\n"
            "        .table_port_i(table_port_{0}), .table_vcs_i(table_vcs_{0}),",
            number(node));
    }

    /// Writes what a port is bound to, unless that is a link.
    void end(NodeId node, PortId port) {
        if (port == kLocalPort && node < graph_.endpoint_count()) {
            text_.add(R"(    assign in_valid_{n}[0] = inject_valid_i[{node}];
    assign in_vc_{n}[0+:VcBits] = inject_vc_i[{node}*VcBits+:VcBits];
    assign in_head_{n}[0] = inject_head_i[{node}];
    assign in_tail_{n}[0] = inject_tail_i[{node}];
    assign in_data_{n}[0+:FlitBits] = inject_data_i[{node}*FlitBits+:FlitBits];
    assign inject_credit_o[{node}*VirtualChannels+:VirtualChannels] =
        out_credit_{n}[0+:VirtualChannels];
    assign eject_valid_o[{node}] = out_valid_{n}[0];
    assign eject_vc_o[{node}*VcBits+:VcBits] = out_vc_{n}[0+:VcBits];
    assign eject_head_o[{node}] = out_head_{n}[0];
    assign eject_tail_o[{node}] = out_tail_{n}[0];
    assign eject_data_o[{node}*FlitBits+:FlitBits] = out_data_{n}[0+:FlitBits];
    assign in_credit_{n}[0+:VirtualChannels] =
        eject_credit_i[{node}*VirtualChannels+:VirtualChannels];
)",
                      fmt::arg("n", number(node)), fmt::arg("node", node));
            return;
        }
        // A port may have a link one way only.
        const bool sends = port != kLocalPort && graph_.out_link(node, port) != kNoLink;
        const bool receives = port != kLocalPort && graph_.in_link(node, port) != kNoLink;
        const std::string n = number(node);
        const auto open = [&](const char* side, const std::string& pins) {
            text_.add(
                "    (* keep_hierarchy *)\n    {side} #(.VirtualChannels(VirtualChannels), "
                ".FlitBits(FlitBits)) "
                "{side}_{n}_{port} (\n        .clk_i(clk_i), .rst_ni(routers_rst_n),\n"
                "{pins}\n    );\n",
                fmt::arg("side", side), fmt::arg("n", n), fmt::arg("port", port),
                fmt::arg("pins", pins));
        };
        if (!sends) open("open_output", sender_pins(n, port));
        if (!receives) open("open_input", receiver_pins(n, port));
    }

    void link(LinkId id) {
        const Link& link = graph_.link(id);
        text_.add(R"(    (* keep_hierarchy *) link #(
        .VirtualChannels(VirtualChannels), .FlitBits(FlitBits), .Delay({delay})
    ) {name} (
        .clk_i(clk_i), .rst_ni(routers_rst_n),
{sender},
{receiver}
    );

)",
                  fmt::arg("delay", link.delay), fmt::arg("name", graph_.link_name(id)),
                  fmt::arg("sender", sender_pins(number(link.from), link.from_port)),
                  fmt::arg("receiver", receiver_pins(number(link.to), link.to_port)));
    }

    const Graph& graph_;
    const hw::RtlVariant& variant_;
    std::vector<Turns> turns_;  ///< by router
    Text text_;
};

}  // namespace

std::string fabric_package(const Machine& machine, const hw::RtlVariant& variant) {
    const Graph& graph = machine.graph;
    Text text;
    text.add(kHead, fmt::arg("what", "The constants"), fmt::arg("machine", graph.description()));
    text.add("package fabric_pkg;\n\n");
    const auto number = [&text](const char* comment, const char* name, std::uint32_t value) {
        text.add("    /// {}\n    localparam int {} = {};\n", comment, name, value);
    };
    number("Nodes, which inject and eject; all further routers are switches only.", "Nodes",
           graph.endpoint_count());
    number("Of every router (hw/rtl/README.md of flitscope has the parameters).", "Ports",
           variant.ports);
    text.add(
        "    localparam int VirtualChannels = {};\n    localparam int VcBits = {};\n"
        "    localparam int Depth = {};\n    localparam int FlitBits = {};\n"
        "    localparam int RouterDelay = {};\n    localparam int Routing = {};\n",
        variant.virtual_channels, index_bits(variant.virtual_channels), variant.depth,
        variant.flit_bits, variant.router_delay, static_cast<int>(variant.routing));
    text.add("    localparam bit Hold = 1'b{:d};\n    localparam bit Combined = 1'b{:d};\n",
             variant.hold, variant.combined);
    const std::vector<std::uint16_t> fields = hw::rtl_fields(variant, graph);
    if (!fields.empty()) {
        std::string bits;
        for (std::size_t k = fields.size(); k-- > 0;) {
            bits += fmt::format("{:04x}{}", fields[k], k == 0 ? "" : "_");
        }
        text.add(
            "\n    /// The bits that each coordinate has in a node number, the fastest-varying "
            "one lowest.\n    localparam logic [{}:0] Fields = {}'h{};\n",
            hw::kRtlNodeBits * fields.size() - 1, hw::kRtlNodeBits * fields.size(), bits);
    }
    if (has_table(variant)) {
        text.add("    localparam int TableEntries = {};\n\n", variant.table_entries);
        text.add(
            "    // Per router the route to every node: hexadecimal digits of the output port, "
            "then of the\n    // virtual channels allowed there; node 0 comes last.\n");
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            text.add("    localparam logic [{}:0] {} =\n        {};\n",
                     RouteDigits(variant).bits() * graph.endpoint_count() - 1,
                     routes_name(graph, node), routes(machine, variant, node));
        }
    }
    text.add("\nendpackage\n");
    return text.take();
}

std::string fabric_top(const Machine& machine, const hw::RtlVariant& variant) {
    return Top(machine, variant).write();
}

std::string fabric_constraints(const Machine& machine) {
    return fmt::format(
        R"(# {}: clock_ns of the configuration; everything at the pins is registered outside.
create_clock -name clk -period {} [get_ports clk_i]
set_input_delay 0 -clock clk [get_ports {{rst_ni inject_*_i* eject_credit_i*}}]
set_output_delay 0 -clock clk [all_outputs]
)",
        machine.graph.description(), machine.config.clock_ns);
}

}  // namespace flitscope
