// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 4 of hw/TIMING.md: takes the flits that are sent from the fronts of their FIFOs to the output
// ports, and says on which output virtual channels they leave.

module crossbar #(
    parameter int unsigned Ports = 5,
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned FlitBits = 64,
    localparam int unsigned Inputs = Ports * VirtualChannels,
    localparam int unsigned VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    // per input virtual channel: sends, and the front of its FIFO
    input  logic [Inputs-1:0]                 send_i,
    input  logic [Inputs-1:0]                 head_i,
    input  logic [Inputs-1:0]                 tail_i,
    input  logic [Inputs*FlitBits-1:0]        data_i,
    // per output port, and per number of a virtual channel, who holds one there
    input  logic [Ports*Inputs-1:0]           target_i,
    input  logic [VirtualChannels*Inputs-1:0] target_vc_i,
    // per output port
    output logic [Ports-1:0]                  flit_valid_o,
    output logic [Ports*VcBits-1:0]           flit_vc_o,
    output logic [Ports-1:0]                  flit_head_o,
    output logic [Ports-1:0]                  flit_tail_o,
    output logic [Ports*FlitBits-1:0]         flit_data_o,
    // per output virtual channel: a flit leaves on it, a tail
    output logic [Inputs-1:0]                 sent_o,
    output logic [Inputs-1:0]                 sent_tail_o
);

    // An input port sends from one virtual channel at most: its choice, then the outputs'.
    logic [Ports*FlitBits-1:0] chosen;
    always_comb begin
        chosen = '0;
        for (int unsigned p = 0; p < Ports; p++) begin
            for (int unsigned v = 0; v < VirtualChannels; v++) begin
                if (VirtualChannels == 1 || send_i[p*VirtualChannels+v]) begin
                    chosen[p*FlitBits+:FlitBits] = chosen[p*FlitBits+:FlitBits] |
                        data_i[(p*VirtualChannels+v)*FlitBits+:FlitBits];
                end
            end
        end
    end

    logic [Inputs-1:0] selected;
    always_comb begin
        sent_o = '0;
        sent_tail_o = '0;
        flit_valid_o = '0;
        flit_vc_o = '0;
        flit_head_o = '0;
        flit_tail_o = '0;
        flit_data_o = '0;
        selected = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            selected = send_i & target_i[o*Inputs+:Inputs];
            flit_valid_o[o] = selected != '0;
            flit_head_o[o] = (selected & head_i) != '0;
            flit_tail_o[o] = (selected & tail_i) != '0;
            for (int unsigned p = 0; p < Ports; p++) begin
                if (selected[p*VirtualChannels+:VirtualChannels] != '0) begin
                    flit_data_o[o*FlitBits+:FlitBits] =
                        flit_data_o[o*FlitBits+:FlitBits] | chosen[p*FlitBits+:FlitBits];
                end
            end
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                if ((selected & target_vc_i[w*Inputs+:Inputs]) != '0) begin
                    sent_o[o*VirtualChannels+w] = 1'b1;
                    sent_tail_o[o*VirtualChannels+w] = flit_tail_o[o];
                    flit_vc_o[o*VcBits+:VcBits] = VcBits'(w);
                end
            end
        end
    end

endmodule
