// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of hw/rtl/router_inputs.sv: whatever stands at the data pins stands at the fronts of the
// FIFOs, so that a proof decides what is there. As data a front has its own number.

module router_inputs #(
    parameter int Ports = 3,
    parameter int VirtualChannels = 2,
    parameter int Depth = 2,
    parameter int FlitBits = 14,
    parameter int RouterDelay = 1,
    parameter int Routing = 0,
    parameter int TableEntries = 2,
    parameter int Dimensions = 2,
    parameter logic [Ports*Ports-1:0] Turns = {Ports*Ports{1'b1}},
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = router_pkg::NodeBits
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic [NodeBits-1:0]               node_i,
    input  logic [Dimensions*NodeBits-1:0]    fields_i,
    input  logic                              table_write_i,
    input  logic [NodeBits-1:0]               table_address_i,
    input  logic [PortBits-1:0]               table_port_i,
    input  logic [VirtualChannels-1:0]        table_vcs_i,
    input  logic [Ports-1:0]                  flit_valid_i,
    input  logic [Ports*VcBits-1:0]           flit_vc_i,
    input  logic [Ports-1:0]                  flit_head_i,
    input  logic [Ports-1:0]                  flit_tail_i,
    input  logic [Ports*FlitBits-1:0]         flit_data_i,
    input  logic [Inputs-1:0]                 pop_i,
    output logic [Inputs-1:0]                 valid_o,
    output logic [Inputs-1:0]                 head_o,
    output logic [Inputs-1:0]                 tail_o,
    output logic [Inputs*FlitBits-1:0]        data_o,
    output logic [Ports*Inputs-1:0]           target_o,
    output logic [Inputs*VirtualChannels-1:0] route_vcs_o
);

    localparam int FrontBits = 3 + PortBits + VirtualChannels;  // of the data pins, per FIFO

    logic [FrontBits-1:0] front;
    always_comb begin
        front = '0;
        for (int unsigned i = 0; i < Inputs; i++) begin
            front = flit_data_i[i*FrontBits+:FrontBits];
            valid_o[i] = front[0];
            head_o[i] = front[1];
            tail_o[i] = front[2];
            for (int unsigned o = 0; o < Ports; o++) begin
                target_o[o*Inputs+i] = front[3+:PortBits] == PortBits'(o);
            end
            route_vcs_o[i*VirtualChannels+:VirtualChannels] = front[3+PortBits+:VirtualChannels];
            data_o[i*FlitBits+:FlitBits] = FlitBits'(i);
        end
    end

endmodule
