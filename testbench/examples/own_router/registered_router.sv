// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A router of one's own: that of flitscope with a register behind the crossbar, as a design has it
// whose wires to the next router are long. Credits are not registered, so that a flit still has to
// find a place at the other end before it leaves the FIFO. The pins are those of hw/rtl/README.md.

module registered_router #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    parameter int RouterDelay = 1,
    parameter int Routing = 0,
    parameter int TableEntries = 2,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = router_pkg::NodeBits,
    localparam int Dimensions =
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

    logic [Ports-1:0] valid, head, tail;
    logic [Ports*VcBits-1:0] vc;
    logic [Ports*FlitBits-1:0] data;

    router #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .RouterDelay(RouterDelay), .Routing(Routing), .TableEntries(TableEntries)
    ) i_router (
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i(node_i), .fields_i(fields_i),
        .table_write_i(table_write_i), .table_address_i(table_address_i),
        .table_port_i(table_port_i), .table_vcs_i(table_vcs_i),
        .flit_valid_i(flit_valid_i), .flit_vc_i(flit_vc_i), .flit_head_i(flit_head_i),
        .flit_tail_i(flit_tail_i), .flit_data_i(flit_data_i), .credit_o(credit_o),
        .flit_valid_o(valid), .flit_vc_o(vc), .flit_head_o(head), .flit_tail_o(tail),
        .flit_data_o(data), .credit_i(credit_i)
    );

    always_ff @(posedge clk_i) begin
        flit_valid_o <= rst_ni ? valid : '0;
        flit_vc_o <= vc;
        flit_head_o <= head;
        flit_tail_o <= tail;
        flit_data_o <= data;
    end

endmodule
