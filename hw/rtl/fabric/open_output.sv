// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// An output port of a router at which no link begins: nothing must be sent, and no credit comes back.

module open_output #(
    parameter int VirtualChannels = 1,
    parameter int FlitBits = 64,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       flit_valid_i,
    input  logic [VcBits-1:0]          flit_vc_i,
    input  logic                       flit_head_i,
    input  logic                       flit_tail_i,
    input  logic [FlitBits-1:0]        flit_data_i,
    output logic [VirtualChannels-1:0] credit_o
);

    assign credit_o = '0;

    logic unused;
    assign unused = &{1'b0, flit_vc_i, flit_head_i, flit_tail_i, flit_data_i};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            nothing_is_sent : assert (!flit_valid_i) else $error("a flit leaves where no link is");
        end
    end
`else
    logic unused_too;
    assign unused_too = &{1'b0, clk_i, rst_ni, flit_valid_i};
`endif

endmodule
