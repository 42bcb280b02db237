// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/router_template.h"

#include <fmt/format.h>

#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_variant.h"
#include "testbench/app/build/machine.h"

namespace flitscope {
namespace {

/// Parameters whose values are set only where they are not the default.
std::string further(const hw::RtlVariant& variant, const char* with_table, const char* hold,
                    const char* combined) {
    std::string text;
    if (variant.table_entries != 0) {
        text += fmt::format(fmt::runtime(with_table), variant.table_entries);
    }
    if (variant.hold) text += hold;
    if (variant.combined) text += combined;
    return text;
}

}  // namespace

std::string router_template(const Machine& machine, const std::string& name) {
    Machine foreign = machine;
    RtlModule module;
    module.top = name;
    foreign.config.fabric.router = RouterChoice(module);
    foreign.config.fabric.router_overrides.clear();
    if (const auto refusal =
            hw::verilated_refusal(foreign.config, foreign.graph, *foreign.routing)) {
        throw ConfigError({refusal->diagnostic(foreign.config)});
    }
    const hw::RtlVariant variant = hw::rtl_variant(foreign.config, foreign.graph, *foreign.routing);
    return fmt::format(
        R"(// A router with the pins of flitscope's (hw/rtl/README.md, "The pin protocol"), for
// {machine}. In it is flitscope's, so that it runs as it is: put yours in its place.
// Under `fabric` of the configuration:
//     router: {{top: {name}, sources: [{name}.sv]}}

module {name} #(
    parameter int Ports = {ports},
    parameter int VirtualChannels = {vcs},
    parameter int Depth = {depth},
    parameter int FlitBits = {bits},
    parameter int RouterDelay = {delay},
    parameter int Routing = {routing},{declared}
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,           // synchronous
    input  logic [15:0]                node_i,           // constant, as the next
    input  logic [{dimensions}*16-1:0] fields_i,
    input  logic                       table_write_i,    // in reset, if there is a table
    input  logic [15:0]                table_address_i,  // destination
    input  logic [PortBits-1:0]        table_port_i,     // output port there
    input  logic [VirtualChannels-1:0] table_vcs_i,      // and its virtual channels
    input  logic [Ports-1:0]           flit_valid_i,     // port 0 is the node
    input  logic [Ports*VcBits-1:0]    flit_vc_i,
    input  logic [Ports-1:0]           flit_head_i,      // bits 15:0 of its data: destination
    input  logic [Ports-1:0]           flit_tail_i,
    input  logic [Ports*FlitBits-1:0]  flit_data_i,
    output logic [Inputs-1:0]          credit_o,         // a flit left the FIFO of that input
    output logic [Ports-1:0]           flit_valid_o,
    output logic [Ports*VcBits-1:0]    flit_vc_o,
    output logic [Ports-1:0]           flit_head_o,
    output logic [Ports-1:0]           flit_tail_o,
    output logic [Ports*FlitBits-1:0]  flit_data_o,
    input  logic [Inputs-1:0]          credit_i          // a place is free at that output
);

    router #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .RouterDelay(RouterDelay), .Routing(Routing){assigned}
    ) i_router (.*);

endmodule
)",
        fmt::arg("machine", machine.graph.description()), fmt::arg("name", name),
        fmt::arg("ports", variant.ports), fmt::arg("vcs", variant.virtual_channels),
        fmt::arg("depth", variant.depth), fmt::arg("bits", variant.flit_bits),
        fmt::arg("delay", variant.router_delay),
        fmt::arg("routing", static_cast<int>(variant.routing)),
        fmt::arg("dimensions",
                 variant.routing == hw::RtlRouting::kMesh ? "(Ports-1)/2" : "(Ports-1)"),
        fmt::arg("declared", further(variant, "\n    parameter int TableEntries = {},",
                                     "\n    parameter bit Hold = 1'b1,",
                                     "\n    parameter bit Combined = 1'b1,")),
        fmt::arg("assigned", further(variant, ", .TableEntries(TableEntries)", ", .Hold(Hold)",
                                     ", .Combined(Combined)")));
}

}  // namespace flitscope
