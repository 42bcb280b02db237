// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches the decisions of a router, in simulation only: what must never be granted, and who must
// never share.

`ifndef SYNTHESIS
module router_checker #(
    parameter int unsigned Ports = 5,
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned Routing = 0,
    parameter int unsigned VcBits = 1,
    localparam int unsigned Inputs = Ports * VirtualChannels
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic [Inputs-1:0]                 valid_i,
    input logic [Inputs-1:0]                 head_i,
    input logic [Inputs-1:0]                 holding_i,
    input logic [Inputs-1:0]                 granted_i,
    input logic [Inputs*Ports-1:0]           target_i,
    input logic [Inputs*VirtualChannels-1:0] lane_i,
    input logic [Inputs-1:0]                 send_i,
    input logic [Ports-1:0]                  flit_valid_i,
    input logic [Ports*VcBits-1:0]           flit_vc_i,
    input logic [Ports-1:0]                  flit_head_i,
    input logic [Ports-1:0]                  flit_tail_i
);

    /// Turns that the routing never takes. Ports: see hw/TIMING.md, "Numbers".
    function automatic logic legal_turn(input int unsigned from, input int unsigned to);
        legal_turn = 1'b1;
        if (from != router_pkg::LocalPort && to != router_pkg::LocalPort) begin
            if (Routing == router_pkg::RoutingMesh) begin
                // straight on, or into a later dimension
                legal_turn = from != to && (to - 1) / 2 >= (from - 1) / 2;
            end
            if (Routing == router_pkg::RoutingHypercube) legal_turn = to > from;
        end
    endfunction

    logic [Inputs-1:0] active, shared;
    assign active = holding_i | granted_i;

    always_comb begin
        shared = '0;  // input virtual channels that hold what another one holds, too
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned j = 0; j < i; j++) begin
                if (active[i] && active[j] &&
                    (target_i[i*Ports+:Ports] & target_i[j*Ports+:Ports]) != '0 &&
                    (lane_i[i*VirtualChannels+:VirtualChannels] &
                     lane_i[j*VirtualChannels+:VirtualChannels]) != '0) begin
                    shared[i] = 1'b1;
                end
            end
        end
    end

    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            one_holder : assert (shared == '0)
                else $error("two packets hold one output virtual channel");
            body_after_head : assert ((valid_i & ~holding_i & ~head_i) == '0)
                else $error("a body flit has no packet before it");
            sends_what_is_granted : assert ((send_i & ~(active & valid_i)) == '0)
                else $error("sent without an output virtual channel or without a flit");
            for (int unsigned i = 0; i < Inputs; i++) begin
                for (int unsigned o = 0; o < Ports; o++) begin
                    if (granted_i[i] && target_i[i*Ports+o]) begin
                        legal : assert (legal_turn(i / VirtualChannels, o))
                            else $error("illegal turn granted: port %0d to port %0d",
                                        i / VirtualChannels, o);
                    end
                end
            end
        end
    end

    generate
        for (genvar o = 0; o < Ports; o++) begin : gen_output
            packet_checker #(
                .VirtualChannels(VirtualChannels),
                .VcBits(VcBits)
            ) i_checker (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .valid_i(flit_valid_i[o]),
                .vc_i(flit_vc_i[o*VcBits+:VcBits]),
                .head_i(flit_head_i[o]),
                .tail_i(flit_tail_i[o])
            );
        end
    endgenerate

endmodule
`endif
