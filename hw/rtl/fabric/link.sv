// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A link between two routers: the registers of its delay, `Delay` for flits and one less for the
// credits that come back (hw/rtl/README.md, "Delays").

module link #(
    parameter int VirtualChannels = 1,
    parameter int FlitBits = 64,
    /// Cycles from the output pins of one router to the input pins of the next, at least 1.
    parameter int Delay = 1,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // at the router that sends
    input  logic                       flit_valid_i,
    input  logic [VcBits-1:0]          flit_vc_i,
    input  logic                       flit_head_i,
    input  logic                       flit_tail_i,
    input  logic [FlitBits-1:0]        flit_data_i,
    output logic [VirtualChannels-1:0] credit_o,
    // at the router that receives
    output logic                       flit_valid_o,
    output logic [VcBits-1:0]          flit_vc_o,
    output logic                       flit_head_o,
    output logic                       flit_tail_o,
    output logic [FlitBits-1:0]        flit_data_o,
    input  logic [VirtualChannels-1:0] credit_i
);

    delay_line #(
        .Width(VcBits + 2 + FlitBits),
        .Stages(Delay)
    ) i_flits (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .valid_i(flit_valid_i),
        .data_i({flit_vc_i, flit_head_i, flit_tail_i, flit_data_i}),
        .valid_o(flit_valid_o),
        .data_o({flit_vc_o, flit_head_o, flit_tail_o, flit_data_o})
    );

    generate
        if (Delay == 1) begin : gen_credits
            assign credit_o = credit_i;
        end else begin : gen_credits
            localparam int Bits = (Delay - 1) * VirtualChannels;
            logic [Bits-1:0] credits_q;
            always_ff @(posedge clk_i) begin
                if (!rst_ni) credits_q <= '0;
                else credits_q <= Bits'({credits_q, credit_i});
            end
            assign credit_o = credits_q[Bits-1-:VirtualChannels];
        end
    endgenerate

`ifndef SYNTHESIS
    generate
        if (Delay < 1) begin : gen_delay_refused
            $error("link: Delay = %0d, at least 1", Delay);
        end
    endgenerate
`endif

endmodule
