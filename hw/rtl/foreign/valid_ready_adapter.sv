// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The pins of router.sv around a router with valid and ready (../README.md, "A router with valid and
// ready"), the module VALID_READY_ROUTER.

`ifndef VALID_READY_ROUTER
`define VALID_READY_ROUTER valid_ready_router
`endif
// VALID_READY_TABLE: it has the pins of a routing table, and none of coordinates.
// Further parameters of the module: ", .Name(4)".
`ifndef VALID_READY_PARAMETERS
`define VALID_READY_PARAMETERS
`endif

module valid_ready_adapter #(
    parameter int unsigned Ports = 5,
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned Depth = 8,
    parameter int unsigned FlitBits = 64,
    parameter int unsigned RouterDelay = 1,
    parameter int unsigned Routing = 0,
    parameter int unsigned TableEntries = 2,
    /// Wires between routers, and no FIFO on the way of a flit that the router takes at once.
    parameter bit FallThrough = 1'b0,
    localparam int unsigned Inputs = Ports * VirtualChannels,
    localparam int unsigned PortBits = $clog2(Ports),
    localparam int unsigned VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int unsigned NodeBits = router_pkg::NodeBits,
    localparam int unsigned Dimensions =
        Routing == router_pkg::RoutingMesh ? (Ports - 1) / 2 : Ports - 1
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic [NodeBits-1:0]            node_i,
    input  logic [Dimensions*NodeBits-1:0] fields_i,
    input  logic                           table_write_i,
    input  logic [NodeBits-1:0]            table_address_i,
    input  logic [PortBits-1:0]            table_port_i,
    input  logic [VirtualChannels-1:0]     table_vcs_i,
    input  logic [Ports-1:0]               flit_valid_i,
    input  logic [Ports*VcBits-1:0]        flit_vc_i,
    input  logic [Ports-1:0]               flit_head_i,
    input  logic [Ports-1:0]               flit_tail_i,
    input  logic [Ports*FlitBits-1:0]      flit_data_i,
    output logic [Inputs-1:0]              credit_o,
    output logic [Ports-1:0]               flit_valid_o,
    output logic [Ports*VcBits-1:0]        flit_vc_o,
    output logic [Ports-1:0]               flit_head_o,
    output logic [Ports-1:0]               flit_tail_o,
    output logic [Ports*FlitBits-1:0]      flit_data_o,
    input  logic [Inputs-1:0]              credit_i
);

    localparam int unsigned FlitWidth = FlitBits + 2;  // {head, tail, data}

    logic [Inputs-1:0] in_valid, in_ready, out_valid, out_ready;
    logic [Inputs*FlitWidth-1:0] in_flit, out_flit;

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            localparam int unsigned First = p * VirtualChannels;

            valid_ready_input #(
                .VirtualChannels(VirtualChannels),
                .Depth(Depth),
                .FlitBits(FlitBits),
                .RouterDelay(RouterDelay),
                .FallThrough(FallThrough),
                .VcBits(VcBits)
            ) i_input (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .flit_valid_i(flit_valid_i[p]),
                .flit_vc_i(flit_vc_i[p*VcBits+:VcBits]),
                .flit_i({flit_head_i[p], flit_tail_i[p], flit_data_i[p*FlitBits+:FlitBits]}),
                .credit_o(credit_o[First+:VirtualChannels]),
                .valid_o(in_valid[First+:VirtualChannels]),
                .ready_i(in_ready[First+:VirtualChannels]),
                .flit_o(in_flit[First*FlitWidth+:VirtualChannels*FlitWidth])
            );

            valid_ready_output #(
                .VirtualChannels(VirtualChannels),
                .Depth(Depth),
                .FlitBits(FlitBits),
                .Port(p),
                .VcBits(VcBits)
            ) i_output (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .valid_i(out_valid[First+:VirtualChannels]),
                .ready_o(out_ready[First+:VirtualChannels]),
                .flit_i(out_flit[First*FlitWidth+:VirtualChannels*FlitWidth]),
                .flit_valid_o(flit_valid_o[p]),
                .flit_vc_o(flit_vc_o[p*VcBits+:VcBits]),
                .flit_o({flit_head_o[p], flit_tail_o[p], flit_data_o[p*FlitBits+:FlitBits]}),
                .credit_i(credit_i[First+:VirtualChannels])
            );
        end
    endgenerate

    logic unused;
    `VALID_READY_ROUTER #(
        .Ports(Ports),
        .DataBits(FlitBits) `VALID_READY_PARAMETERS
    ) i_router (
        .clk(clk_i),
        .rst(!rst_ni),
        .my_node(node_i),
`ifdef VALID_READY_TABLE
        .table_write(table_write_i),
        .table_address(table_address_i),
        .table_port(table_port_i),
        .table_vcs(table_vcs_i),
`else
        .coordinate_masks(fields_i),
`endif
        .in_valid(in_valid),
        .in_ready(in_ready),
        .in_flit(in_flit),
        .out_valid(out_valid),
        .out_ready(out_ready),
        .out_flit(out_flit)
    );
`ifdef VALID_READY_TABLE
    assign unused = &{1'b0, fields_i, TableEntries[0]};
`else
    assign unused = &{1'b0, table_write_i, table_address_i, table_port_i, table_vcs_i,
                      TableEntries[0]};
`endif

endmodule
