// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 4 of hw/TIMING.md: takes the flits that are sent from the fronts of their FIFOs to the switch
// outputs, and gives the output virtual channels on which they leave. The proposal of a switch input is
// known before the outputs accept, so it alone selects the flit, accepted or not.

module crossbar #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int InputSpeedup = 1,
    parameter int OutputSpeedup = 1,
    parameter int FlitBits = 64,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int SwitchInputs = Ports * InputSpeedup,
    localparam int SwitchOutputs = Ports * OutputSpeedup,
    localparam int Channels = VirtualChannels / InputSpeedup,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    // per input virtual channel: its switch input proposes it, and the front of its FIFO
    input  logic [Inputs-1:0]                 proposal_i,
    input  logic [Inputs-1:0]                 head_i,
    input  logic [Inputs-1:0]                 tail_i,
    input  logic [Inputs*FlitBits-1:0]        data_i,
    // per number of a virtual channel, who leaves on it; per switch output, the switch input accepted
    input  logic [VirtualChannels*Inputs-1:0]     target_vc_i,
    input  logic [SwitchOutputs*SwitchInputs-1:0] accepted_i,
    // per switch output, numbered port * OutputSpeedup + number
    output logic [SwitchOutputs-1:0]          flit_valid_o,
    output logic [SwitchOutputs*VcBits-1:0]   flit_vc_o,
    output logic [SwitchOutputs-1:0]          flit_head_o,
    output logic [SwitchOutputs-1:0]          flit_tail_o,
    output logic [SwitchOutputs*FlitBits-1:0] flit_data_o,
    // per output virtual channel: a flit leaves on it, a tail
    output logic [Inputs-1:0]                 sent_o,
    output logic [Inputs-1:0]                 sent_tail_o
);

    // What each switch input would send: a flit, its marks, its output virtual channel.
    logic [SwitchInputs*FlitBits-1:0] chosen;
    logic [SwitchInputs-1:0] chosen_head, chosen_tail;
    logic [VirtualChannels*SwitchInputs-1:0] chosen_vc;
    logic [Channels-1:0] proposal;
    always_comb begin
        chosen = '0;
        chosen_vc = '0;
        proposal = '0;
        for (int unsigned s = 0; s < SwitchInputs; s++) begin
            proposal = VirtualChannels == 1 ? '1 : proposal_i[s*Channels+:Channels];
            chosen_head[s] = (proposal & head_i[s*Channels+:Channels]) != '0;
            chosen_tail[s] = (proposal & tail_i[s*Channels+:Channels]) != '0;
            for (int unsigned c = 0; c < Channels; c++) begin
                if (proposal[c]) begin
                    chosen[s*FlitBits+:FlitBits] = chosen[s*FlitBits+:FlitBits] |
                        data_i[(s*Channels+c)*FlitBits+:FlitBits];
                end
            end
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                chosen_vc[w*SwitchInputs+s] =
                    (proposal & target_vc_i[w*Inputs+s*Channels+:Channels]) != '0;
            end
        end
    end

    logic [SwitchInputs-1:0] accepted, leaving;
    always_comb begin
        sent_o = '0;
        sent_tail_o = '0;
        flit_valid_o = '0;
        flit_vc_o = '0;
        flit_head_o = '0;
        flit_tail_o = '0;
        flit_data_o = '0;
        accepted = '0;
        leaving = '0;
        for (int unsigned o = 0; o < SwitchOutputs; o++) begin
            accepted = accepted_i[o*SwitchInputs+:SwitchInputs];
            flit_valid_o[o] = accepted != '0;
            flit_head_o[o] = (accepted & chosen_head) != '0;
            flit_tail_o[o] = (accepted & chosen_tail) != '0;
            for (int unsigned s = 0; s < SwitchInputs; s++) begin
                if (accepted[s]) begin
                    flit_data_o[o*FlitBits+:FlitBits] =
                        flit_data_o[o*FlitBits+:FlitBits] | chosen[s*FlitBits+:FlitBits];
                end
            end
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                leaving = accepted & chosen_vc[w*SwitchInputs+:SwitchInputs];
                if (leaving != '0) flit_vc_o[o*VcBits+:VcBits] = VcBits'(w);
            end
        end
        for (int unsigned p = 0; p < Ports; p++) begin
            accepted = accepted_i[p*OutputSpeedup*SwitchInputs+:SwitchInputs];
            for (int unsigned k = 1; k < OutputSpeedup; k++) begin
                accepted = accepted | accepted_i[(p*OutputSpeedup+k)*SwitchInputs+:SwitchInputs];
            end
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                leaving = accepted & chosen_vc[w*SwitchInputs+:SwitchInputs];
                sent_o[p*VirtualChannels+w] = leaving != '0;
                sent_tail_o[p*VirtualChannels+w] = (leaving & chosen_tail) != '0;
            end
        end
    end

endmodule
