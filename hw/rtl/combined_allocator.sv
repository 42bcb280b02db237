// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of hw/TIMING.md, "Combined allocation", with several virtual channels: what every head is
// offered, and whose flit could leave.
//
// The decision depends on registers: whether an output virtual channel is free and has a credit,
// and whether that of a holder has one. Only its holder spends it, so the late signal, which input
// sends, only selects.

module combined_allocator #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 2,
    /// Routes allow some of the virtual channels only.
    parameter bit RouteNamesVcs = 1'b0,
    localparam int Inputs = Ports * VirtualChannels
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // per input virtual channel
    input  logic [Inputs-1:0]                 valid_i,      // a flit at the front, which goes
    input  logic [Ports*Inputs-1:0]           target_i,     // to that port; by [port][input]
    input  logic [Inputs*VirtualChannels-1:0] route_vcs_i,  // on one of these,
    input  logic [Inputs-1:0]                 holding_i,    // or on what its packet holds:
    input  logic [VirtualChannels*Inputs-1:0] held_vc_i,    // by [number][input]
    input  logic [Inputs-1:0]                 send_i,       // and does
    // per output virtual channel
    input  logic [Inputs-1:0]                 taken_i,      // belongs to a packet
    input  logic [Inputs-1:0]                 available_i,  // has a credit,
    input  logic [Inputs-1:0]                 several_i,    // will have one though one is spent,
    input  logic [Inputs-1:0]                 kept_i,       // will have one where none is
    input  logic [Inputs-1:0]                 sent_i,       // a flit leaves on it,
    input  logic [Inputs-1:0]                 sent_tail_i,  // a tail
    input  logic [Ports-1:0]                  sent_head_i,  // per output port: a head leaves
    // per input virtual channel
    output logic [VirtualChannels*Inputs-1:0] target_vc_o,  // held or offered; by [number][input]
    output logic [Inputs-1:0]                 ready_o,      // the front could leave,
    output logic [Inputs-1:0]                 goes_on_o     // of a packet that has begun to
);

    logic [Inputs-1:0] free_q, free, credit_q;
    logic [Ports-1:0] any_free_q;  // per output port
    logic [Inputs-1:0] credit_after, credit_without;  // the next value with a flit sent, and without
    logic [Inputs-1:0] offered;
    logic [VirtualChannels*Inputs-1:0] offer;

    target_credit #(
        .Ports(Ports), .VirtualChannels(VirtualChannels)
    ) i_after (
        .credits_i(several_i), .target_i(target_i), .target_vc_i(target_vc_o),
        .has_credit_o(credit_after)
    );
    target_credit #(
        .Ports(Ports), .VirtualChannels(VirtualChannels)
    ) i_without (
        .credits_i(kept_i), .target_i(target_i), .target_vc_i(held_vc_i),
        .has_credit_o(credit_without)
    );

    assign free = (sent_i & sent_tail_i & several_i) | (~sent_i & ~taken_i & kept_i);

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            free_q <= '1;
            any_free_q <= '1;
            credit_q <= '0;
        end else begin
            free_q <= free;
            for (int unsigned o = 0; o < Ports; o++) begin
                any_free_q[o] <= free[o*VirtualChannels+:VirtualChannels] != '0;
            end
            credit_q <= (send_i & credit_after) | (~send_i & credit_without);
        end
    end

    vc_offers #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .RouteNamesVcs(RouteNamesVcs)
    ) i_offers (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .wants_i(target_i), .route_vcs_i(route_vcs_i), .usable_i(free_q), .any_usable_i(any_free_q),
        .taken_i(sent_head_i), .taken_vc_i(sent_i),
        .offered_o(offered), .offer_o(offer)
    );

    assign target_vc_o = ({VirtualChannels{holding_i}} & held_vc_i) |
                         ({VirtualChannels{~holding_i}} & offer);
    assign goes_on_o = valid_i & credit_q;
    assign ready_o = valid_i & (holding_i & credit_q | ~holding_i & offered);

`ifndef SYNTHESIS
    logic [Inputs-1:0] has_credit;
    target_credit #(
        .Ports(Ports), .VirtualChannels(VirtualChannels)
    ) i_check (
        .credits_i(available_i), .target_i(target_i), .target_vc_i(held_vc_i),
        .has_credit_o(has_credit)
    );
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            knows_who_is_free : assert (free_q == (available_i & ~taken_i))
                else $error("free: %b, and not %b", free_q, available_i & ~taken_i);
            for (int unsigned o = 0; o < Ports; o++) begin
                knows_whether_any_is_free :
                    assert (any_free_q[o] == (free_q[o*VirtualChannels+:VirtualChannels] != '0))
                        else $error("port %0d: a free virtual channel is not known, or wrongly", o);
                heads_compete :
                    cover ($countones(valid_i & ~holding_i & target_i[o*Inputs+:Inputs]) > 1 && any_free_q[o]);
                head_waits_for_a_channel :
                    cover ((valid_i & ~holding_i & target_i[o*Inputs+:Inputs]) != '0 && !any_free_q[o]);
            end
            knows_its_credit : assert (((credit_q ^ has_credit) & holding_i) == '0)
                else $error("a holder is wrong about its credit: %b", credit_q);
        end
    end
`else
    logic unused;
    assign unused = &{1'b0, available_i};
`endif

endmodule
