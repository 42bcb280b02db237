// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An input port of a router at which no link ends: nothing arrives.

module open_input #(
    parameter int VirtualChannels = 1,
    parameter int FlitBits = 64,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    output logic                       flit_valid_o,
    output logic [VcBits-1:0]          flit_vc_o,
    output logic                       flit_head_o,
    output logic                       flit_tail_o,
    output logic [FlitBits-1:0]        flit_data_o,
    input  logic [VirtualChannels-1:0] credit_i
);

    assign flit_valid_o = 1'b0;
    assign flit_vc_o = '0;
    assign flit_head_o = 1'b0;
    assign flit_tail_o = 1'b0;
    assign flit_data_o = '0;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_credit : assert (credit_i == '0) else $error("a credit for a flit from nowhere");
        end
    end
`else
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, credit_i};
`endif

endmodule
