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
#include "testbench/app/export/routes_text.h"

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

/// The flit and credit pins at port `port` of the router with these digits, as the connections of
/// the module on the other side of it: a link that starts there, or one that ends there.
std::string sender_pins(const std::string& digits, PortId port) {
    return fmt::format(
        "        .flit_valid_i(out_valid_{0}[{1}]), .flit_vc_i(out_vc_{0}[{1}*VcBits+:VcBits]),\n"
        "        .flit_head_i(out_head_{0}[{1}]), .flit_tail_i(out_tail_{0}[{1}]),\n"
        "        .flit_data_i(out_data_{0}[{1}*FlitBits+:FlitBits]),\n"
        "        .credit_o(in_credit_{0}[{1}*VirtualChannels+:VirtualChannels])",
        digits, port);
}
std::string receiver_pins(const std::string& digits, PortId port) {
    return fmt::format(
        "        .flit_valid_o(in_valid_{0}[{1}]), .flit_vc_o(in_vc_{0}[{1}*VcBits+:VcBits]),\n"
        "        .flit_head_o(in_head_{0}[{1}]), .flit_tail_o(in_tail_{0}[{1}]),\n"
        "        .flit_data_o(in_data_{0}[{1}*FlitBits+:FlitBits]),\n"
        "        .credit_i(out_credit_{0}[{1}*VirtualChannels+:VirtualChannels])",
        digits, port);
}

class Top {
public:
    Top(const Machine& machine, const hw::RtlVariant& variant, bool has_asynchronous_reset,
        const std::vector<NodeId>& talk_to_themselves)
        : machine_(machine),
          graph_(machine.graph),
          variant_(variant),
          has_asynchronous_reset_(has_asynchronous_reset),
          turns_(hw::turns_built(machine.config, machine.graph, *machine.routing)),
          are_slow_(hw::have_slow_links(machine.graph)) {
        for (const NodeId node : talk_to_themselves) {
            const PortId port = graph_.local_port(node);
            turns_[graph_.router_of(node)].add(port, port);
        }
        text_.add(kHead, fmt::arg("what", "The fabric"), fmt::arg("machine", graph_.description()));
    }

    std::string write() {
        header();
        start();
        for (RouterId router; router < graph_.router_count(); ++router) instance(router);
        for (LinkId id = 0; id < graph_.link_count(); ++id) link(id);
        text_.add("endmodule\n");
        return text_.take();
    }

private:
    std::string number(RouterId router) const { return router_digits(graph_, router); }

    void header() {
        text_.add(
            R"(// Synthesis keeps every router and link as it is, so that one of a kind is mapped once.

module fabric (
    input  logic clk_i,
    input  logic rst_ni,   // {reset}, low for 4 cycles
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
    localparam int PortBits = $clog2(Ports);

)",
            fmt::arg("reset", has_asynchronous_reset_ ? "asynchronous" : "synchronous"));
    }

    void start() {
        text_.add(has_asynchronous_reset_
                      ? "    logic rst_n;\n    reset_synchronizer i_reset (.clk_i(clk_i), "
                        ".rst_ni(rst_ni), .rst_no(rst_n));\n"
                      : "    logic rst_n;\n    assign rst_n = rst_ni;\n");
        text_.add("    assign ready_o = rst_n;\n\n");
    }

    void instance(RouterId router) {
        const std::string digits = number(router);  // an argument refers to it
        const auto n = fmt::arg("n", digits);
        text_.add(R"(    // ---- {name}
    logic [Ports-1:0] in_valid_{n}, in_head_{n}, in_tail_{n};
    logic [Ports-1:0] out_valid_{n}, out_head_{n}, out_tail_{n};
    logic [Ports*VcBits-1:0] in_vc_{n}, out_vc_{n};
    logic [Ports*FlitBits-1:0] in_data_{n}, out_data_{n};
    logic [Inputs-1:0] in_credit_{n}, out_credit_{n};
)",
                  fmt::arg("name", graph_.router_name(router)), n);
        text_.add("{}", route_lookups(machine_, variant_, router, turns_[router]));
        text_.add(
            R"(    (* keep_hierarchy *) router #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(fabric_pkg::Depth),
        .FlitBits(FlitBits), .RouterDelay(fabric_pkg::RouterDelay),
        .Routing(fabric_pkg::Routing{slow}), .Hold(fabric_pkg::Hold),
        .Combined(fabric_pkg::Combined), .InputSpeedup(fabric_pkg::InputSpeedup),
        .OutputSpeedup(fabric_pkg::OutputSpeedup), .OutputQueue(fabric_pkg::OutputQueue),
        .Classes(fabric_pkg::ClassPolicy), .Turns({turns})
    ) router_{n} (
        .clk_i(clk_i), .rst_ni(rst_n),
        .node_i({bits}'d{node}), .fields_i({fields}),
        .table_write_i(1'b0), .table_address_i({bits}'d0), {routes},
        .flit_valid_i(in_valid_{n}), .flit_vc_i(in_vc_{n}), .flit_head_i(in_head_{n}),
        .flit_tail_i(in_tail_{n}), .flit_data_i(in_data_{n}), .credit_o(out_credit_{n}),
        .flit_valid_o(out_valid_{n}), .flit_vc_o(out_vc_{n}), .flit_head_o(out_head_{n}),
        .flit_tail_o(out_tail_{n}), .flit_data_o(out_data_{n}), .credit_i(in_credit_{n})
    );
)",
            n, fmt::arg("bits", hw::kRtlNodeBits), fmt::arg("node", hw::rtl_number(graph_, router)),
            fmt::arg("slow", are_slow_[router] ? " + router_pkg::SlowLinks" : ""),
            fmt::arg("turns",
                     fmt::format("{}'h{}", variant_.ports * variant_.ports, turns_[router].hex())),
            fmt::arg("fields", fields(router)), fmt::arg("routes", route_pins(variant_, digits)));
        for (PortId port = 0; port < variant_.ports; ++port) {
            const NodeId node = graph_.node_at(router, port);
            if (node == kNoNode) {
                open_ends(router, port);
            } else {
                node_end(router, port, node);
            }
        }
        text_.add("\n");
    }

    /// The value of fields_i: the rates of links have the highest bits, that of port 0 the lowest
    /// of these.
    std::string fields(RouterId router) const {
        std::string own = variant_.routing == hw::RtlRouting::kMesh
                              ? "fabric_pkg::Fields"
                              : fmt::format("{}'d0", hw::kRtlNodeBits * (variant_.ports - 1));
        if (!are_slow_[router]) return own;
        std::string all = "{";
        for (PortId port = variant_.ports; port-- > 0;) {
            const LinkId link = graph_.out_link(router, port);
            const std::uint32_t cycles = link == kNoLink ? 1 : graph_.link(link).rate_cycles;
            all += fmt::format("{}'d{}, ", hw::kRtlRateBits, cycles - 1);
        }
        return all + own + "}";
    }

    /// Binds a local port to the pins of its node.
    void node_end(RouterId router, PortId port, NodeId node) {
        const auto first = [port](const char* width) {
            return port == 0 ? "0" : fmt::format("{}*{}", port, width);
        };
        text_.add(R"(    assign in_valid_{n}[{port}] = inject_valid_i[{node}];
    assign in_vc_{n}[{vc}+:VcBits] = inject_vc_i[{node}*VcBits+:VcBits];
    assign in_head_{n}[{port}] = inject_head_i[{node}];
    assign in_tail_{n}[{port}] = inject_tail_i[{node}];
    assign in_data_{n}[{data}+:FlitBits] = inject_data_i[{node}*FlitBits+:FlitBits];
    assign inject_credit_o[{node}*VirtualChannels+:VirtualChannels] =
        out_credit_{n}[{credits}+:VirtualChannels];
    assign eject_valid_o[{node}] = out_valid_{n}[{port}];
    assign eject_vc_o[{node}*VcBits+:VcBits] = out_vc_{n}[{vc}+:VcBits];
    assign eject_head_o[{node}] = out_head_{n}[{port}];
    assign eject_tail_o[{node}] = out_tail_{n}[{port}];
    assign eject_data_o[{node}*FlitBits+:FlitBits] = out_data_{n}[{data}+:FlitBits];
    assign in_credit_{n}[{credits}+:VirtualChannels] =
        eject_credit_i[{node}*VirtualChannels+:VirtualChannels];
)",
                  fmt::arg("n", number(router)), fmt::arg("node", node), fmt::arg("port", port),
                  fmt::arg("vc", first("VcBits")), fmt::arg("data", first("FlitBits")),
                  fmt::arg("credits", first("VirtualChannels")));
    }

    /// Terminates each direction of a port that has no link.
    void open_ends(RouterId router, PortId port) {
        const std::string n = number(router);
        const auto open = [&](const char* side, const std::string& pins) {
            text_.add(
                "    (* keep_hierarchy *)\n    {side} #(.VirtualChannels(VirtualChannels), "
                ".FlitBits(FlitBits)) "
                "{side}_{n}_{port} (\n        .clk_i(clk_i), .rst_ni(rst_n),\n"
                "{pins}\n    );\n",
                fmt::arg("side", side), fmt::arg("n", n), fmt::arg("port", port),
                fmt::arg("pins", pins));
        };
        if (graph_.out_link(router, port) == kNoLink) open("open_output", sender_pins(n, port));
        if (graph_.in_link(router, port) == kNoLink) open("open_input", receiver_pins(n, port));
    }

    void link(LinkId id) {
        const Link& link = graph_.link(id);
        const bool is_slow = link.rate_cycles > 1;
        text_.add(R"(    (* keep_hierarchy *) {module} #(
        .VirtualChannels(VirtualChannels), .FlitBits(FlitBits), {cycles}.Delay({delay})
    ) {name} (
        .clk_i(clk_i), .rst_ni(rst_n),
{sender},
{receiver}
    );

)",
                  fmt::arg("module", is_slow ? "slow_link" : "link"),
                  fmt::arg("cycles", is_slow ? fmt::format(".Cycles({}), ", link.rate_cycles)
                                             : std::string()),
                  fmt::arg("delay", link.delay), fmt::arg("name", graph_.link_name(id)),
                  fmt::arg("sender", sender_pins(number(link.from), link.from_port)),
                  fmt::arg("receiver", receiver_pins(number(link.to), link.to_port)));
    }

    const Machine& machine_;
    const Graph& graph_;
    const hw::RtlVariant& variant_;
    bool has_asynchronous_reset_;
    std::vector<Turns> turns_;    ///< by router
    std::vector<bool> are_slow_;  ///< by router: it has slow links
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
    number(graph.places().is_one_each()
               ? "Nodes, which inject and eject; all further routers are switches only."
               : "Nodes, which inject and eject.",
           "Nodes", graph.node_count());
    number("Of every router (hw/rtl/README.md of flitscope has the parameters).", "Ports",
           variant.ports);
    text.add(
        "    localparam int VirtualChannels = {};\n    localparam int VcBits = {};\n"
        "    localparam int Depth = {};\n    localparam int FlitBits = {};\n"
        "    localparam int RouterDelay = {};\n    localparam int Routing = {};\n",
        variant.virtual_channels, index_bits(variant.virtual_channels), variant.depth,
        variant.flit_bits, variant.router_delay, static_cast<int>(variant.routing));
    text.add("    localparam int InputSpeedup = {};\n    localparam int Classes = {};\n",
             variant.input_speedup, variant.classes);
    // 272'h, the digits of the policy, and four of the number.
    const std::string classes = hw::rtl_classes_parameter(variant);
    const std::string policy = classes.substr(5, classes.size() - 9);
    text.add(
        "    /// The parameter Classes of routers and interfaces: these, and which go first.\n"
        "    localparam logic [271:0] ClassPolicy = {{256'h{}, 16'(Classes)}};\n",
        policy.empty() ? "0" : policy);
    text.add("    localparam int OutputSpeedup = {};\n    localparam int OutputQueue = {};\n",
             variant.output_speedup, variant.output_queue);
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
    text.add("{}", route_constants(machine, variant));
    text.add("\nendpackage\n");
    return text.take();
}

std::string fabric_top(const Machine& machine, const hw::RtlVariant& variant,
                       bool has_asynchronous_reset, const std::vector<NodeId>& talk_to_themselves) {
    return Top(machine, variant, has_asynchronous_reset, talk_to_themselves).write();
}

std::string fabric_constraints(const Machine& machine, const std::string& inputs, double io_share,
                               bool has_asynchronous_reset) {
    return fmt::format(
        R"(# {0}: clock_ns of the configuration; signals at the pins take {1} ns of it outside.
create_clock -name clk -period {2} [get_ports clk_i]
set_input_delay {1} -clock clk [get_ports {{{3}}}]
set_output_delay {1} -clock clk [all_outputs]
{4})",
        machine.graph.description(), io_share * machine.config.clock_ns, machine.config.clock_ns,
        has_asynchronous_reset ? inputs : "rst_ni " + inputs,
        has_asynchronous_reset ? "# reset_synchronizer takes it whenever it ends.\n"
                                 "set_false_path -from [get_ports rst_ni]\n"
                               : "");
}

}  // namespace flitscope
