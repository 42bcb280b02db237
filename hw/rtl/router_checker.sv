// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the decisions of a router: what must never be granted, and who must never share; and
// rejects unsupported parameters. In simulation and lint only.

`ifndef SYNTHESIS
module router_checker #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    parameter int RouterDelay = 1,
    parameter int Routing = 0,
    parameter int TableEntries = 2,
    parameter int VcBits = 1,
    localparam int Inputs = Ports * VirtualChannels
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic [Inputs-1:0]                 valid_i,
    input logic [Inputs-1:0]                 head_i,
    input logic [Inputs-1:0]                 holding_i,
    input logic [Inputs-1:0]                 granted_i,
    input logic [Inputs-1:0]                 taken_i,
    input logic [Ports*Inputs-1:0]           target_i,
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

    function automatic logic [Ports*Inputs-1:0] illegal_turns();
        illegal_turns = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned i = 0; i < Inputs; i++) begin
                illegal_turns[o*Inputs+i] = !legal_turn(i / VirtualChannels, o);
            end
        end
    endfunction

    localparam logic [Ports*Inputs-1:0] Illegal = illegal_turns();

    logic [Ports*Inputs-1:0] granted_turns;
    assign granted_turns = {Ports{granted_i}} & target_i;

    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            one_holder : assert ($countones(holding_i) == $countones(taken_i))
                else $error("more packets hold output virtual channels than there are taken");
            body_after_head : assert ((valid_i & ~holding_i & ~head_i) == '0)
                else $error("a body flit has no packet before it");
            sends_what_is_granted : assert ((send_i & ~((holding_i | granted_i) & valid_i)) == '0)
                else $error("sent without an output virtual channel or without a flit");
            legal_turns : assert ((granted_turns & Illegal) == '0)
                else $error("illegal turn granted: %b, bit output * inputs + input", granted_turns);
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

    // Parameters that the modules of a router would take for something else than was meant.
    generate
        if (Ports < 2) begin : gen_ports_refused
            $error("router: Ports = %0d, at least 2", Ports);
        end
        if (VirtualChannels < 1 || VirtualChannels > 16) begin : gen_channels_refused
            $error("router: VirtualChannels = %0d, 1 to 16", VirtualChannels);
        end
        if (Depth < 1) begin : gen_depth_refused
            $error("router: Depth = %0d, at least 1", Depth);
        end
        if (FlitBits < router_pkg::NodeBits) begin : gen_width_refused
            $error("router: FlitBits = %0d, at least %0d", FlitBits, router_pkg::NodeBits);
        end
        if (RouterDelay < 1) begin : gen_delay_refused
            $error("router: RouterDelay = %0d, at least 1", RouterDelay);
        end
        if (Routing < 0 || Routing > router_pkg::RoutingPins) begin : gen_routing_refused
            $error("router: Routing = %0d, 0 to %0d", Routing, router_pkg::RoutingPins);
        end
        // Every dimension has at least one bit of a node number.
        if (Routing == router_pkg::RoutingMesh
            && (Ports < 3 || Ports > 1 + 2 * router_pkg::NodeBits || Ports % 2 == 0)) begin : gen_mesh_refused
            $error("router: Ports = %0d, an odd number from 3 to %0d with the routing of a mesh", Ports,
                   1 + 2 * router_pkg::NodeBits);
        end
        if (Routing == router_pkg::RoutingHypercube
            && Ports > 1 + router_pkg::NodeBits) begin : gen_hypercube_refused
            $error("router: Ports = %0d, at most %0d with the routing of a hypercube", Ports,
                   1 + router_pkg::NodeBits);
        end
        if (Routing == router_pkg::RoutingTable
            && (TableEntries < 2 || TableEntries > (1 << router_pkg::NodeBits)
                || (TableEntries & (TableEntries - 1)) != 0)) begin : gen_table_refused
            $error("router: TableEntries = %0d, a power of two from 2 to %0d", TableEntries,
                   1 << router_pkg::NodeBits);
        end
    endgenerate

endmodule
`endif
