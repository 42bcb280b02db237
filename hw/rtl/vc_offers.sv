// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Offers every head that waits one of the virtual channels of its output port: the next one that
// its route allows, belongs to no packet and has a credit. An offer reserves nothing, and several
// heads may be offered the same; whoever leaves takes it (hw/TIMING.md, "Combined allocation").

module vc_offers #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 2,
    /// Routes allow some of the virtual channels only.
    parameter bit RouteNamesVcs = 1'b0,
    localparam int Inputs = Ports * VirtualChannels
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic [Ports*Inputs-1:0]           wants_i,      // per output port, who goes there
    input  logic [Inputs*VirtualChannels-1:0] route_vcs_i,  // per input virtual channel
    input  logic [Inputs-1:0]                 usable_i,     // output virtual channels: may be had,
    input  logic [Ports-1:0]                  any_usable_i, // any of the port, known early
    input  logic [Ports-1:0]                  taken_i,      // output ports: a head leaves there,
    input  logic [Inputs-1:0]                 taken_vc_i,   // on this virtual channel
    output logic [Inputs-1:0]                 offered_o,    // input virtual channels: any,
    output logic [VirtualChannels*Inputs-1:0] offer_o       // which; by [number][input]
);

    // Per output port: its virtual channels at or after the pointer, as in round_robin_arbiter.
    logic [Inputs-1:0] preferred_q;

    function automatic logic [VirtualChannels-1:0] next_of(
        input logic [VirtualChannels-1:0] open, input logic [VirtualChannels-1:0] preferred);
        logic [VirtualChannels-1:0] after;
        after = open & preferred;
        next_of = after != '0 ? after & (~after + 1'b1) : open & (~open + 1'b1);
    endfunction

    generate
        for (genvar o = 0; o < Ports; o++) begin : gen_pointer
            localparam int First = o * VirtualChannels;
            logic [VirtualChannels-1:0] passed;
            always_comb begin
                passed = '0;
                for (int unsigned w = 1; w < VirtualChannels; w++) begin
                    passed[w] = passed[w-1] | taken_vc_i[First+w-1];
                end
            end
            always_ff @(posedge clk_i) begin
                if (!rst_ni) preferred_q[First+:VirtualChannels] <= '0;
                else if (taken_i[o]) preferred_q[First+:VirtualChannels] <= passed;
            end
        end

        if (RouteNamesVcs) begin : gen_offers
            logic [VirtualChannels-1:0] open, preferred, next;
            always_comb begin
                offered_o = '0;
                offer_o = '0;
                open = '0;
                preferred = '0;
                next = '0;
                for (int unsigned i = 0; i < Inputs; i++) begin
                    open = '0;
                    preferred = '0;
                    for (int unsigned o = 0; o < Ports; o++) begin
                        if (wants_i[o*Inputs+i]) begin
                            open = open | usable_i[o*VirtualChannels+:VirtualChannels];
                            preferred = preferred | preferred_q[o*VirtualChannels+:VirtualChannels];
                        end
                    end
                    open = open & route_vcs_i[i*VirtualChannels+:VirtualChannels];
                    next = next_of(open, preferred);
                    offered_o[i] = open != '0;
                    for (int unsigned w = 0; w < VirtualChannels; w++) begin
                        offer_o[w*Inputs+i] = next[w];
                    end
                end
            end
            logic unused;
            assign unused = &{1'b0, any_usable_i};
        end else begin : gen_offers
            // All that go to one port are offered the same.
            logic [VirtualChannels-1:0] open, next;
            always_comb begin
                offered_o = '0;
                offer_o = '0;
                open = '0;
                next = '0;
                for (int unsigned o = 0; o < Ports; o++) begin
                    open = usable_i[o*VirtualChannels+:VirtualChannels];
                    next = next_of(open, preferred_q[o*VirtualChannels+:VirtualChannels]);
                    if (any_usable_i[o]) offered_o = offered_o | wants_i[o*Inputs+:Inputs];
                    for (int unsigned w = 0; w < VirtualChannels; w++) begin
                        if (next[w]) begin
                            offer_o[w*Inputs+:Inputs] =
                                offer_o[w*Inputs+:Inputs] | wants_i[o*Inputs+:Inputs];
                        end
                    end
                end
            end
            logic unused;
            assign unused = &{1'b0, route_vcs_i};
        end
    endgenerate

endmodule
