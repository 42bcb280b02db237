// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A router that is built without some turns, and ports, beside one that has all: as long as no packet
// asks for what is missing, the same happens in every cycle. Nothing else is asked of the pins: flits
// and credits come as they like.

module turns_properties #(
    parameter int Ports = 3,
    parameter int VirtualChannels = 1,
    parameter int Depth = 2,
    parameter bit Hold = 1'b0,
    /// As of the router: bit output * Ports + input.
    parameter logic [Ports*Ports-1:0] Turns = {Ports*Ports{1'b1}},
    /// Bits in the registers that both routers have.
    parameter int StateBits = 1,
    localparam int FlitBits = 16,  // those of a destination
    localparam int Inputs = Ports * VirtualChannels,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = 16,
    localparam int Dimensions = (Ports - 1) / 2
) (
    input logic                           clk_i,
    input logic                           rst_ni,
    input logic [NodeBits-1:0]            node_i,
    input logic [Dimensions*NodeBits-1:0] fields_i,
    input logic [Ports-1:0]               flit_valid_i,
    input logic [Ports*VcBits-1:0]        flit_vc_i,
    input logic [Ports-1:0]               flit_head_i,
    input logic [Ports-1:0]               flit_tail_i,
    input logic [Ports*FlitBits-1:0]      flit_data_i,
    input logic [Inputs-1:0]              credit_i
);

    // An input without turns is absent, and no flit comes there.
    logic [Ports-1:0] present, arrives;
    always_comb begin
        present = '0;
        for (int unsigned o = 0; o < Ports; o++) present = present | Turns[o*Ports+:Ports];
        arrives = flit_valid_i & present;
    end

    localparam int PinBits = Inputs + Ports * (1 + VcBits + 2 + FlitBits);
    logic [PinBits-1:0] full_pins, built_pins;
`define ROUTER(NAME, TURNS) \
    router #( \
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits), \
        .Hold(Hold), .Turns(TURNS) \
    ) NAME ( \
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i(node_i), .fields_i(fields_i), \
        .table_write_i(1'b0), .table_address_i('0), .table_port_i('0), .table_vcs_i('0), \
        .flit_valid_i(arrives), .flit_vc_i(flit_vc_i), .flit_head_i(flit_head_i), \
        .flit_tail_i(flit_tail_i), .flit_data_i(flit_data_i), .credit_i(credit_i), \
        .credit_o(NAME``_pins[0+:Inputs]), .flit_valid_o(NAME``_pins[Inputs+:Ports]), \
        .flit_head_o(NAME``_pins[Inputs+Ports+:Ports]), \
        .flit_tail_o(NAME``_pins[Inputs+2*Ports+:Ports]), \
        .flit_vc_o(NAME``_pins[Inputs+3*Ports+:Ports*VcBits]), \
        .flit_data_o(NAME``_pins[Inputs+(3+VcBits)*Ports+:Ports*FlitBits]) \
    )
    `ROUTER(full, {Ports*Ports{1'b1}});
    `ROUTER(built, Turns);

    // Of the routers, connected by the script: all registers that both have, in the same order, but the
    // numbers of the virtual channels that packets hold, which are by themselves; of the full one whether
    // there is a front, where its packet goes, and whether it holds a channel there.
    logic [StateBits-1:0] full_state, built_state;
    logic [VirtualChannels*Inputs-1:0] full_vc, built_vc;
    logic [Inputs-1:0] full_valid, full_holding;
    logic [Ports*Inputs-1:0] full_target;

    logic [Inputs-1:0] absent;   // inputs
    logic [Inputs-1:0] missing;  // their packets take a turn that is not there
    always_comb begin
        absent = '0;
        missing = '0;
        for (int unsigned i = 0; i < Inputs; i++) begin
            absent[i] = !present[i/VirtualChannels];
            for (int unsigned o = 0; o < Ports; o++) begin
                missing[i] = missing[i] |
                             (full_target[o*Inputs+i] & ~Turns[o*Ports+i/VirtualChannels]);
            end
        end
    end

    always_comb begin
        assume ((full_valid & missing) == '0);
        // The second cycle of a reset: there are no packets left; registers that it does not clear have
        // anything, but the same in both.
        if (!rst_ni) assume (full_state == built_state && {full_valid, full_holding} == '0);
        if (rst_ni) begin
            assert (full_state == built_state);
            assert (((full_vc ^ built_vc) & {VirtualChannels{full_holding}}) == '0);
            assert ((full_valid & absent) == '0);
            assert ((full_holding & (absent | missing)) == '0);
            assert (full_pins[0+:Inputs] == built_pins[0+:Inputs]);
            assert (full_pins[Inputs+:3*Ports] == built_pins[Inputs+:3*Ports]);
            assert (full_pins[PinBits-1:Inputs+3*Ports] == built_pins[PinBits-1:Inputs+3*Ports]);
        end
    end

endmodule
