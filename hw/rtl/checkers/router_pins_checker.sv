// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A flit_checker for every channel that begins or ends at a router, ours or another one with its pins.

module router_pins_checker #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input logic                      clk_i,
    input logic                      rst_ni,
    input logic [Ports-1:0]          flit_valid_i,
    input logic [Ports*VcBits-1:0]   flit_vc_i,
    input logic [Ports-1:0]          flit_head_i,
    input logic [Ports-1:0]          flit_tail_i,
    input logic [Ports*FlitBits-1:0] flit_data_i,
    input logic [Inputs-1:0]         credit_o,
    input logic [Ports-1:0]          flit_valid_o,
    input logic [Ports*VcBits-1:0]   flit_vc_o,
    input logic [Ports-1:0]          flit_head_o,
    input logic [Ports-1:0]          flit_tail_o,
    input logic [Ports*FlitBits-1:0] flit_data_o,
    input logic [Inputs-1:0]         credit_i
);

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            flit_checker #(
                .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits)
            ) i_input (
                .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(flit_valid_i[p]),
                .vc_i(flit_vc_i[p*VcBits+:VcBits]), .head_i(flit_head_i[p]), .tail_i(flit_tail_i[p]),
                .data_i(flit_data_i[p*FlitBits+:FlitBits]),
                .credit_i(credit_o[p*VirtualChannels+:VirtualChannels])
            );
            flit_checker #(
                .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits)
            ) i_output (
                .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(flit_valid_o[p]),
                .vc_i(flit_vc_o[p*VcBits+:VcBits]), .head_i(flit_head_o[p]), .tail_i(flit_tail_o[p]),
                .data_i(flit_data_o[p*FlitBits+:FlitBits]),
                .credit_i(credit_i[p*VirtualChannels+:VirtualChannels])
            );
        end
    endgenerate

endmodule
