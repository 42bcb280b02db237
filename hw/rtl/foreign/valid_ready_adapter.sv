// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The pins of router.sv around a router with valid and ready (../README.md, "A router with valid and
// ready"), the module VALID_READY_ROUTER.
// Inputs: the FIFO of our own input port, filled by credits, emptied by ready; each flit that the
// router takes returns a credit. Outputs: ready means that a credit is left.

`ifndef VALID_READY_ROUTER
`define VALID_READY_ROUTER valid_ready_router
`endif
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

    logic [Ports-1:0] in_valid, in_ready, out_valid, out_ready;
    logic [Ports*FlitWidth-1:0] in_flit, out_flit;
    logic [Ports*NodeBits-1:0] unused_destination;
    logic [2*Ports-1:0] unused_route, unused_credits;
    logic [Ports-1:0] unused_vcs;

    generate
        if (VirtualChannels != 1) begin : gen_only_one_channel
            $error("a router with valid and ready has one virtual channel");
        end
        if (Routing != router_pkg::RoutingMesh) begin : gen_only_mesh
            $error("a router with valid and ready is on a mesh with sides that are powers of two");
        end

        for (genvar p = 0; p < Ports; p++) begin : gen_port
            input_port #(
                .VirtualChannels(1),
                .Depth(Depth),
                .FlitBits(FlitBits),
                .RouterDelay(RouterDelay),
                .Ports(2),
                .VcBits(1)
            ) i_input (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .flit_valid_i(flit_valid_i[p]),
                .flit_vc_i(1'b0),
                .flit_head_i(flit_head_i[p]),
                .flit_tail_i(flit_tail_i[p]),
                .flit_data_i(flit_data_i[p*FlitBits+:FlitBits]),
                .destination_o(unused_destination[p*NodeBits+:NodeBits]),
                .route_port_i(1'b0),  // whoever is wrapped finds its routes itself
                .route_vcs_i(1'b1),
                .pop_i(credit_o[p]),
                .valid_o(in_valid[p]),
                .head_o(in_flit[p*FlitWidth+FlitBits+1]),
                .tail_o(in_flit[p*FlitWidth+FlitBits]),
                .data_o(in_flit[p*FlitWidth+:FlitBits]),
                .route_o(unused_route[2*p+:2]),
                .vcs_o(unused_vcs[p])
            );
            assign credit_o[p] = in_valid[p] && in_ready[p];

            credit_counter #(
                .Depth(Depth)
            ) i_credits (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .credit_i(credit_i[p]),
                .take_i(flit_valid_o[p]),
                .available_o(out_ready[p]),
                .several_o(unused_credits[2*p]),
                .kept_o(unused_credits[2*p+1])
            );
            assign flit_valid_o[p] = out_valid[p] && out_ready[p];
            assign {flit_head_o[p], flit_tail_o[p], flit_data_o[p*FlitBits+:FlitBits]} =
                out_flit[p*FlitWidth+:FlitWidth];

`ifndef SYNTHESIS
            // What is offered stays until it is taken.
            logic waits_q;
            logic [FlitWidth-1:0] flit_q;
            logic [FlitBits-1:0] header_q;
            always_ff @(posedge clk_i) begin
                waits_q <= rst_ni && out_valid[p] && !out_ready[p];
                flit_q <= out_flit[p*FlitWidth+:FlitWidth];
                if (out_valid[p] && flit_head_o[p]) header_q <= flit_data_o[p*FlitBits+:FlitBits];
                offer_stays : assert (!waits_q || !rst_ni || (out_valid[p] &&
                                      out_flit[p*FlitWidth+:FlitWidth] == flit_q))
                    else $error("output port %0d %s a flit of packet %0d of node %0d for node %0d",
                                p, out_valid[p] ? "changes" : "withdraws", header_q[63:32],
                                header_q[31:16], header_q[15:0]);
            end
`endif
        end
    endgenerate

    assign flit_vc_o = '0;

    `VALID_READY_ROUTER #(
        .Ports(Ports),
        .DataBits(FlitBits) `VALID_READY_PARAMETERS
    ) i_router (
        .clk(clk_i),
        .rst(!rst_ni),
        .my_node(node_i),
        .coordinate_masks(fields_i),
        .in_valid(in_valid),
        .in_ready(in_ready),
        .in_flit(in_flit),
        .out_valid(out_valid),
        .out_ready(out_ready),
        .out_flit(out_flit)
    );

    logic unused;
    assign unused = &{1'b0, flit_vc_i, table_write_i, table_address_i, table_port_i, table_vcs_i,
                      unused_destination, unused_route, unused_credits, unused_vcs, TableEntries[0]};

endmodule
