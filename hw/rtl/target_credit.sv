// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which input virtual channels have a credit at their output.

module target_credit #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    localparam int Inputs = Ports * VirtualChannels
) (
    input  logic [Inputs-1:0]                 credits_i,    // per output virtual channel
    input  logic [Ports*Inputs-1:0]           target_i,     // who goes to that port; [port][input]
    input  logic [VirtualChannels*Inputs-1:0] target_vc_i,  // and on which; [number][input]
    output logic [Inputs-1:0]                 has_credit_o  // per input virtual channel
);

    always_comb begin
        has_credit_o = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                if (credits_i[o*VirtualChannels+w]) begin
                    has_credit_o = has_credit_o |
                                   (target_i[o*Inputs+:Inputs] & target_vc_i[w*Inputs+:Inputs]);
                end
            end
        end
    end

endmodule
