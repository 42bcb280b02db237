// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel: stages of router delay, then one FIFO per virtual channel. A
// head's route is looked up as it enters its FIFO and stored with it, off the allocation path.

module input_port #(
    parameter int VirtualChannels = 1,
    /// Flits per virtual channel.
    parameter int Depth = 8,
    /// Payload bits of a flit.
    parameter int FlitBits = 64,
    /// Cycles from the pins to the front of an empty FIFO, at least 1.
    parameter int RouterDelay = 1,
    /// Ports of the router.
    parameter int Ports = 5,
    /// The virtual channels that a packet may be given depend on its route, so they are stored too.
    parameter bit RouteNamesVcs = 1'b0,
    /// Bits of a virtual channel's number.
    parameter int VcBits = 1,
    localparam int PortBits = $clog2(Ports)
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    // from the channel
    input  logic                                       flit_valid_i,
    input  logic [VcBits-1:0]                          flit_vc_i,
    input  logic                                       flit_head_i,
    input  logic                                       flit_tail_i,
    input  logic [FlitBits-1:0]                        flit_data_i,
    // route of the flit that is about to enter its FIFO, in the same cycle
    output logic [router_pkg::NodeBits-1:0]            destination_o,
    input  logic [PortBits-1:0]                        route_port_i,
    input  logic [VirtualChannels-1:0]                 route_vcs_i,
    // the front of each FIFO, and where its packet goes
    input  logic [VirtualChannels-1:0]                 pop_i,
    output logic [VirtualChannels-1:0]                 valid_o,
    output logic [VirtualChannels-1:0]                 head_o,
    output logic [VirtualChannels-1:0]                 tail_o,
    output logic [VirtualChannels*FlitBits-1:0]        data_o,
    output logic [VirtualChannels*Ports-1:0]           route_o,  // one-hot
    output logic [VirtualChannels*VirtualChannels-1:0] vcs_o
);

    localparam int FlitWidth = FlitBits + 2;

    logic arriving;
    logic [VcBits-1:0] arriving_vc;
    logic [FlitWidth-1:0] arriving_flit;

    delay_line #(
        .Width(VcBits + FlitWidth),
        .Stages(RouterDelay - 1)
    ) i_delay (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .valid_i(flit_valid_i),
        .data_i({flit_vc_i, flit_head_i, flit_tail_i, flit_data_i}),
        .valid_o(arriving),
        .data_o({arriving_vc, arriving_flit})
    );

    assign destination_o = arriving_flit[router_pkg::NodeBits-1:0];

    generate
        for (genvar v = 0; v < VirtualChannels; v++) begin : gen_vc
            localparam int RouteVcs = RouteNamesVcs ? VirtualChannels : 0;
            localparam int VcsBits = RouteNamesVcs ? VirtualChannels : 1;
            logic [VcsBits-1:0] vcs;

            flit_fifo #(
                .FlitBits(FlitBits),
                .Depth(Depth),
                .Ports(Ports),
                .RouteVcs(RouteVcs)
            ) i_fifo (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .push_i(arriving && (VirtualChannels == 1 || arriving_vc == VcBits'(v))),
                .head_i(arriving_flit[FlitBits+1]),
                .tail_i(arriving_flit[FlitBits]),
                .port_i(route_port_i),
                .vcs_i(route_vcs_i[VcsBits-1:0]),
                .data_i(arriving_flit[FlitBits-1:0]),
                .pop_i(pop_i[v]),
                .valid_o(valid_o[v]),
                .head_o(head_o[v]),
                .tail_o(tail_o[v]),
                .data_o(data_o[v*FlitBits+:FlitBits]),
                .route_o(route_o[v*Ports+:Ports]),
                .vcs_o(vcs)
            );
            assign vcs_o[v*VirtualChannels+:VirtualChannels] =
                RouteNamesVcs ? VirtualChannels'(vcs) : {VirtualChannels{1'b1}};
        end

        if (!RouteNamesVcs) begin : gen_all_vcs
            logic unused;
            assign unused = &{1'b0, route_vcs_i};
        end
        if (VirtualChannels == 1) begin : gen_unused
            logic unused;
            assign unused = &{1'b0, arriving_vc};
        end
    endgenerate

`ifndef SYNTHESIS
    packet_checker #(
        .VirtualChannels(VirtualChannels),
        .VcBits(VcBits)
    ) i_checker (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .valid_i(flit_valid_i),
        .vc_i(flit_vc_i),
        .head_i(flit_head_i),
        .tail_i(flit_tail_i)
    );
`endif

endmodule
