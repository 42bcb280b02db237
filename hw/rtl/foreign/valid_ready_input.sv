// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The receiving end of a channel before a router with valid and ready: stages of router delay, then a
// FIFO per virtual channel, emptied by ready. Each flit that the router takes returns a credit.
//
// With FallThrough a flit that comes to an empty FIFO is offered in the same cycle, and passes the FIFO if
// it is taken: then the two routers are connected by wires, and flits are stored here only when the
// router does not take them. Its credit follows a cycle later, as credit pins depend on no input pin.

module valid_ready_input #(
    parameter int VirtualChannels = 1,
    /// Flits per virtual channel.
    parameter int Depth = 8,
    /// Payload bits of a flit.
    parameter int FlitBits = 64,
    /// Cycles from the pins to the front of an empty FIFO, at least 1.
    parameter int RouterDelay = 1,
    parameter bit FallThrough = 1'b0,
    /// Bits of a virtual channel's number.
    parameter int VcBits = 1,
    localparam int FlitWidth = FlitBits + 2  // {head, tail, data}
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    // from the channel
    input  logic                                 flit_valid_i,
    input  logic [VcBits-1:0]                    flit_vc_i,
    input  logic [FlitWidth-1:0]                 flit_i,
    output logic [VirtualChannels-1:0]           credit_o,
    // to the router
    output logic [VirtualChannels-1:0]           valid_o,
    input  logic [VirtualChannels-1:0]           ready_i,
    output logic [VirtualChannels*FlitWidth-1:0] flit_o
);

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
        .data_i({flit_vc_i, flit_i}),
        .valid_o(arriving),
        .data_o({arriving_vc, arriving_flit})
    );

    generate
        for (genvar v = 0; v < VirtualChannels; v++) begin : gen_vc
            logic arrives, is_stored, passes, taken;
            logic [FlitWidth-1:0] front;
            logic [1:0] unused_route;
            logic unused_vcs;

            assign arrives = arriving && (VirtualChannels == 1 || arriving_vc == VcBits'(v));
            assign passes = FallThrough && arrives && !is_stored;
            assign taken = valid_o[v] && ready_i[v];

            flit_fifo #(
                .FlitBits(FlitBits),
                .Depth(Depth),
                .Ports(2)
            ) i_fifo (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .push_i(arrives && !(passes && ready_i[v])),
                .head_i(arriving_flit[FlitBits+1]),
                .tail_i(arriving_flit[FlitBits]),
                .port_i(1'b0),  // whoever is behind it finds its routes itself
                .vcs_i(1'b1),
                .data_i(arriving_flit[FlitBits-1:0]),
                .pop_i(is_stored && ready_i[v]),
                .valid_o(is_stored),
                .head_o(front[FlitBits+1]),
                .tail_o(front[FlitBits]),
                .data_o(front[FlitBits-1:0]),
                .route_o(unused_route),
                .vcs_o(unused_vcs)
            );
            assign valid_o[v] = is_stored || passes;
            assign flit_o[v*FlitWidth+:FlitWidth] = passes ? arriving_flit : front;

            if (FallThrough) begin : gen_later_credit
                logic taken_q;
                always_ff @(posedge clk_i) taken_q <= rst_ni && taken;
                assign credit_o[v] = taken_q;
            end else begin : gen_credit
                assign credit_o[v] = taken;
            end

            logic unused;
            assign unused = &{1'b0, unused_route, unused_vcs};
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
        .head_i(flit_i[FlitBits+1]),
        .tail_i(flit_i[FlitBits])
    );
`endif

endmodule
