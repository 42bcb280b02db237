// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-buffered wormhole router of hw/TIMING.md. Flits and credits that arrive at the pins
// count from the next cycle on; sends and pops of a cycle appear at the pins in that cycle, so no
// output depends on an input combinationally (README.md has the pin protocol).

module router #(
    /// Ports, at least 2; those of the router's nodes come first.
    parameter int Ports = 5,
    /// Virtual channels per port, 1 to 16.
    parameter int VirtualChannels = 1,
    /// Flits per virtual channel, here and in the FIFOs at the other ends.
    parameter int Depth = 8,
    /// Payload bits of a flit, at least the 16 of a node number.
    parameter int FlitBits = 64,
    /// Cycles from the input pins to the first decision, at least 1.
    parameter int RouterDelay = 1,
    /// router_pkg::RoutingMesh, RoutingHypercube, RoutingTable, RoutingPins; + SlowLinks where links can be.
    parameter int Routing = 0,
    /// RoutingTable: number of entries, a power of two.
    parameter int TableEntries = 2,
    /// An input virtual channel that streams keeps the switch; with one no difference.
    parameter bit Hold = 1'b0,
    /// Inputs of the switch per port, which share its virtual channels evenly.
    parameter int InputSpeedup = 1,
    /// Outputs of the switch per port, at most VirtualChannels; above 1 neither Hold nor Combined,
    /// and a queue of so many flits behind those of a port.
    parameter int OutputSpeedup = 1,
    parameter int OutputQueue = 8,
    /// A head owns an output virtual channel only from its departure on.
    parameter bit Combined = 1'b0,
    /// Message classes, each with its own virtual channels, and which go first: router_pkg::ClassesBits.
    parameter logic [router_pkg::ClassesBits-1:0] Classes = 1,
    /// The turns that it is built with, bit output * Ports + input: ports without any are absent.
    parameter logic [Ports*Ports-1:0] Turns = {Ports*Ports{1'b1}},
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = router_pkg::NodeBits,
    localparam bit SlowLinks = Routing >= router_pkg::SlowLinks,
    localparam int Lookup = SlowLinks ? Routing - router_pkg::SlowLinks : Routing,
    localparam int Dimensions = Lookup == router_pkg::RoutingMesh ? (Ports - 1) / 2 : Ports - 1,
    localparam int RateBits = SlowLinks ? Ports * router_pkg::RateBits : 0
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,  // synchronous
    // this router's place; constant from reset on, unused if the routing does not need it
    input  logic [NodeBits-1:0]            node_i,
    // RoutingMesh: bits of each coordinate; SlowLinks, above: k - 1 of the link at each port
    input  logic [Dimensions*NodeBits+RateBits-1:0] fields_i,
    input  logic                           table_write_i,
    input  logic [NodeBits-1:0]            table_address_i,
    input  logic [(Lookup == router_pkg::RoutingPins ? Ports : 1)*PortBits-1:0] table_port_i,  // or per port
    input  logic [(Lookup == router_pkg::RoutingPins ? Ports : 1)*VirtualChannels-1:0] table_vcs_i,
    // per port: flits in, and the credits of our FIFOs back
    input  logic [Ports-1:0]               flit_valid_i,
    input  logic [Ports*VcBits-1:0]        flit_vc_i,
    input  logic [Ports-1:0]               flit_head_i,
    input  logic [Ports-1:0]               flit_tail_i,
    input  logic [Ports*FlitBits-1:0]      flit_data_i,
    output logic [Inputs-1:0]              credit_o,
    // per port: flits out, and the credits of the FIFOs at the other ends
    output logic [Ports-1:0]               flit_valid_o,
    output logic [Ports*VcBits-1:0]        flit_vc_o,
    output logic [Ports-1:0]               flit_head_o,
    output logic [Ports-1:0]               flit_tail_o,
    output logic [Ports*FlitBits-1:0]      flit_data_o,
    input  logic [Inputs-1:0]              credit_i
);

    localparam bit RouteNamesVcs =
        (Lookup >= router_pkg::RoutingTable && VirtualChannels > 1) || Classes[15:0] > 1;

    // Per input virtual channel, numbered port * VirtualChannels + vc: the front of its FIFO, and
    // where its packet goes.
    logic [Inputs-1:0] valid, head, tail;
    logic [Inputs*FlitBits-1:0] data;
    logic [Inputs*VirtualChannels-1:0] looked_up_vcs, route_vcs;
    logic [Ports*Inputs-1:0] target /* verilator public_flat_rd */;  // [output port][input]

    // Input virtual channels whose packets hold an output virtual channel: any, and by its number.
    // First from before, then including those granted, or offered, in this cycle.
    logic [Inputs-1:0] holding_q /* verilator public_flat_rd */;
    logic [VirtualChannels*Inputs-1:0] target_vc_q;
    logic [Inputs-1:0] granted /* verilator public_flat_rd */;
    logic [VirtualChannels*Inputs-1:0] target_vc /* verilator public_flat_rd */;
    logic [Inputs-1:0] ready, goes_on, proposal, send;  // one proposal per switch input, or none
    // [switch output][switch input]
    logic [Ports*OutputSpeedup*Ports*InputSpeedup-1:0] accepted;

    // Per output virtual channel: it belongs to a packet, from before or newly; it has a credit, and
    // will have one in the next cycle, with one sent and without; a flit, a tail leaves on it.
    logic [Inputs-1:0] taken_q, newly_taken, available, several, kept, sent, sent_tail;

    // ---- Input ports and routing (step 1 of hw/TIMING.md) ---------------------------------------
    router_inputs #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .RouterDelay(RouterDelay), .Routing(Lookup), .TableEntries(TableEntries),
        .Dimensions(Dimensions), .Turns(Turns)
    ) i_inputs (
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i(node_i),
        .fields_i(fields_i[Dimensions*NodeBits-1:0]),
        .table_write_i(table_write_i), .table_address_i(table_address_i),
        .table_port_i(table_port_i), .table_vcs_i(table_vcs_i),
        .flit_valid_i(flit_valid_i), .flit_vc_i(flit_vc_i), .flit_head_i(flit_head_i),
        .flit_tail_i(flit_tail_i), .flit_data_i(flit_data_i), .pop_i(send), .valid_o(valid),
        .head_o(head), .tail_o(tail), .data_o(data), .target_o(target), .route_vcs_o(looked_up_vcs)
    );

    class_channels #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Classes(32'(Classes[15:0]))
    ) i_classes (.route_vcs_i(looked_up_vcs), .route_vcs_o(route_vcs));

    generate
        // ---- Virtual-channel allocation (step 2) ------------------------------------------------
        if (Combined && VirtualChannels > 1) begin : gen_allocation
            combined_allocator #(
                .Ports(Ports), .VirtualChannels(VirtualChannels), .RouteNamesVcs(RouteNamesVcs)
            ) i_allocator (
                .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid), .target_i(target), .send_i(send),
                .route_vcs_i(route_vcs), .holding_i(holding_q), .held_vc_i(target_vc_q),
                .taken_i(taken_q), .available_i(available), .several_i(several), .kept_i(kept),
                .sent_i(sent), .sent_tail_i(sent_tail), .sent_head_i(flit_valid_o & flit_head_o),
                .target_vc_o(target_vc), .ready_o(ready), .goes_on_o(goes_on)
            );
            assign granted = send & ~holding_q;
            assign newly_taken = sent;
        end else begin : gen_allocation
            // With one virtual channel combined allocation reduces to this: a head needs a credit.
            vc_allocator #(.Ports(Ports), .VirtualChannels(VirtualChannels)) i_allocator (
                .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid), .target_i(target),
                .route_vcs_i(route_vcs), .holding_i(holding_q), .held_vc_i(target_vc_q),
                .taken_i(Combined ? taken_q | ~available : taken_q), .available_i(available),
                .newly_taken_o(newly_taken), .granted_o(granted),
                .target_vc_o(target_vc), .ready_o(ready)
            );
            assign goes_on = ready;
            logic unused;
            assign unused = &{1'b0, several, kept, sent};
        end

        // ---- Switch allocation (step 3) ---------------------------------------------------------
        if (VirtualChannels == 1) begin : gen_switch
            // an output has one holder, and an input one front
            assign send = ready;
            logic unused_goes_on;
            assign unused_goes_on = &{1'b0, goes_on};
            assign proposal = valid;
            assign accepted = {Ports{ready}} & target;
        end else begin : gen_switch
            switch_allocator #(
                .Ports(Ports), .VirtualChannels(VirtualChannels), .InputSpeedup(InputSpeedup),
                .OutputSpeedup(OutputSpeedup), .Hold(Hold), .Combined(Combined), .Classes(Classes)
            ) i_allocator (
                .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready), .goes_on_i(goes_on), .tail_i(tail),
                .target_i(target), .proposal_o(proposal), .accepted_o(accepted), .send_o(send)
            );
        end
    endgenerate

    // ---- Traversal (step 4) ---------------------------------------------------------------------
    assign credit_o = send;
    router_outputs #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .InputSpeedup(InputSpeedup), .OutputSpeedup(OutputSpeedup), .OutputQueue(OutputQueue),
        .SlowLinks(SlowLinks)
    ) i_outputs (
        .clk_i(clk_i), .rst_ni(rst_ni), .proposal_i(proposal), .head_i(head), .tail_i(tail),
        .data_i(data), .target_vc_i(target_vc), .accepted_i(accepted), .credit_i(credit_i),
        .link_cycles_i(fields_i[Dimensions*NodeBits+RateBits-1-:(SlowLinks ? RateBits : 1)]),
        .flit_valid_o(flit_valid_o), .flit_vc_o(flit_vc_o), .flit_head_o(flit_head_o),
        .flit_tail_o(flit_tail_o), .flit_data_o(flit_data_o), .sent_o(sent),
        .sent_tail_o(sent_tail), .available_o(available), .several_o(several), .kept_o(kept)
    );

    // ---- Release (step 5) -----------------------------------------------------------------------
    always_ff @(posedge clk_i) begin
        if (!rst_ni) {holding_q, taken_q} <= '0;
        else begin
            holding_q <= (holding_q | granted) & ~(send & tail);
            taken_q <= (taken_q | newly_taken) & ~sent_tail;
        end
    end
    always_ff @(posedge clk_i) target_vc_q <= target_vc;

`ifndef SYNTHESIS
    router_checker #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .RouterDelay(RouterDelay), .Routing(Lookup), .TableEntries(TableEntries), .VcBits(VcBits)
    ) i_checker (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .valid_i(valid), .head_i(head), .holding_i(holding_q), .taken_i(taken_q),
        .granted_i(granted), .target_i(target), .send_i(send),
        .flit_valid_i(flit_valid_o), .flit_vc_i(flit_vc_o), .flit_head_i(flit_head_o),
        .flit_tail_i(flit_tail_o)
    );
`endif

endmodule
