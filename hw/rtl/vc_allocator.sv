// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of hw/TIMING.md: heads request the output port of their route and are given one of its
// virtual channels; every output port has its own allocator. From that follows whose flit could
// leave: one with a credit on the channel that its packet holds or is granted.

module vc_allocator #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    localparam int Inputs = Ports * VirtualChannels
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // per input virtual channel
    input  logic [Inputs-1:0]                 valid_i,       // a flit at the front, which goes
    input  logic [Ports*Inputs-1:0]           target_i,      // to that port, by [port][input],
    input  logic [Inputs*VirtualChannels-1:0] route_vcs_i,   // on one of these,
    input  logic [Inputs-1:0]                 holding_i,     // or on what its packet holds:
    input  logic [VirtualChannels*Inputs-1:0] held_vc_i,     // by [number][input]
    // per output virtual channel
    input  logic [Inputs-1:0]                 taken_i,       // belongs to a packet, or is not given
    input  logic [Inputs-1:0]                 available_i,   // has a credit
    output logic [Inputs-1:0]                 newly_taken_o,
    // per input virtual channel
    output logic [Inputs-1:0]                 granted_o,
    output logic [VirtualChannels*Inputs-1:0] target_vc_o,   // held or granted; [number][input]
    output logic [Inputs-1:0]                 ready_o        // the front could leave
);

    logic [VirtualChannels*Inputs-1:0] allowed;  // allowed by routes; [number][input]
    logic [Inputs*Inputs-1:0] grant;  // [output virtual channel][input virtual channel]

    always_comb begin
        for (int unsigned w = 0; w < VirtualChannels; w++) begin
            for (int unsigned i = 0; i < Inputs; i++) begin
                allowed[w*Inputs+i] = route_vcs_i[i*VirtualChannels+w];
            end
        end
    end

    generate
        for (genvar o = 0; o < Ports; o++) begin : gen_output
            output_vc_allocator #(
                .Inputs(Inputs),
                .VirtualChannels(VirtualChannels)
            ) i_allocator (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(valid_i & ~holding_i & target_i[o*Inputs+:Inputs]),
                .allowed_i(allowed),
                .taken_i(taken_i[o*VirtualChannels+:VirtualChannels]),
                .grant_o(grant[o*VirtualChannels*Inputs+:VirtualChannels*Inputs])
            );
        end
    endgenerate

    logic [VirtualChannels*Inputs-1:0] granted_vc;
    logic [Inputs-1:0] given;
    always_comb begin
        granted_o = '0;
        newly_taken_o = '0;
        granted_vc = '0;
        given = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                given = grant[(o*VirtualChannels+w)*Inputs+:Inputs];
                granted_o = granted_o | given;
                newly_taken_o[o*VirtualChannels+w] = given != '0;
                granted_vc[w*Inputs+:Inputs] = granted_vc[w*Inputs+:Inputs] | given;
            end
        end
    end

    logic [Inputs-1:0] has_credit;
    target_credit #(
        .Ports(Ports),
        .VirtualChannels(VirtualChannels)
    ) i_credit (
        .credits_i(available_i),
        .target_i(target_i),
        .target_vc_i(target_vc_o),
        .has_credit_o(has_credit)
    );

    assign target_vc_o = ({VirtualChannels{holding_i}} & held_vc_i) | granted_vc;
    assign ready_o = valid_i & has_credit;

endmodule
