// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input-buffered wormhole router of hw/TIMING.md. Flits and credits that arrive at the pins
// count from the next cycle on; what is sent and popped in a cycle is at the pins in that cycle, so
// no output depends on an input combinationally (README.md has the pin protocol).

module router #(
    /// Ports, at least 2; port 0 is the node itself.
    parameter int unsigned Ports = 5,
    /// Virtual channels per port, 1 to 8.
    parameter int unsigned VirtualChannels = 1,
    /// Flits per virtual channel, here and in the FIFOs at the other ends.
    parameter int unsigned Depth = 8,
    /// Payload bits of a flit, at least the 16 of a node number.
    parameter int unsigned FlitBits = 64,
    /// Cycles from the input pins to the first decision, at least 1.
    parameter int unsigned RouterDelay = 1,
    /// router_pkg::RoutingMesh, RoutingHypercube or RoutingTable.
    parameter int unsigned Routing = 0,
    /// RoutingTable: number of entries, a power of two.
    parameter int unsigned TableEntries = 2,
    /// An input virtual channel that streams keeps the switch; with one no difference.
    parameter bit Hold = 1'b0,
    localparam int unsigned Inputs = Ports * VirtualChannels,
    localparam int unsigned PortBits = $clog2(Ports),
    localparam int unsigned VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int unsigned NodeBits = router_pkg::NodeBits,
    localparam int unsigned Dimensions =
        Routing == router_pkg::RoutingMesh ? (Ports - 1) / 2 : Ports - 1
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,  // synchronous
    // who we are; constant from reset on, and unused where the routing has no use for it
    input  logic [NodeBits-1:0]            node_i,
    input  logic [Dimensions*NodeBits-1:0] fields_i,  // RoutingMesh: bits of each coordinate
    input  logic                           table_write_i,
    input  logic [NodeBits-1:0]            table_address_i,
    input  logic [PortBits-1:0]            table_port_i,
    input  logic [VirtualChannels-1:0]     table_vcs_i,
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

    // Per input virtual channel, numbered port * VirtualChannels + vc: the front of its FIFO.
    logic [Inputs-1:0] valid, head, tail;
    logic [Inputs*FlitBits-1:0] data;
    logic [Inputs*PortBits-1:0] route_port;
    logic [Inputs*VirtualChannels-1:0] route_vcs;

    // Input virtual channels whose packets hold an output virtual channel: at all, per output port,
    // per number of what they hold. First from before, then with what is granted in this cycle.
    logic [Inputs-1:0] holding_q;
    logic [Ports*Inputs-1:0] target_q;
    logic [VirtualChannels*Inputs-1:0] target_vc_q;
    logic [Inputs-1:0] granted /* verilator public_flat_rd */;
    logic [Ports*Inputs-1:0] target /* verilator public_flat_rd */;
    logic [VirtualChannels*Inputs-1:0] target_vc /* verilator public_flat_rd */;
    logic [Inputs-1:0] with_credit, ready, send;

    // Per output virtual channel, numbered likewise: it belongs to a packet, from before or newly;
    // it has a credit; a flit leaves on it.
    logic [Inputs-1:0] taken_q, newly_taken, available, sent, sent_tail;

    // ---- Input ports and routing (step 1 of hw/TIMING.md) ---------------------------------------
    router_inputs #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .RouterDelay(RouterDelay), .Routing(Routing), .TableEntries(TableEntries),
        .Dimensions(Dimensions)
    ) i_inputs (
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i(node_i), .fields_i(fields_i),
        .table_write_i(table_write_i), .table_address_i(table_address_i),
        .table_port_i(table_port_i), .table_vcs_i(table_vcs_i),
        .flit_valid_i(flit_valid_i), .flit_vc_i(flit_vc_i), .flit_head_i(flit_head_i),
        .flit_tail_i(flit_tail_i), .flit_data_i(flit_data_i),
        .pop_i(send),
        .valid_o(valid), .head_o(head), .tail_o(tail), .data_o(data),
        .route_port_o(route_port), .route_vcs_o(route_vcs)
    );

    // ---- Virtual-channel allocation (step 2) ----------------------------------------------------
    vc_allocator #(
        .Ports(Ports), .VirtualChannels(VirtualChannels)
    ) i_vc_allocator (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .valid_i(valid), .route_port_i(route_port), .route_vcs_i(route_vcs),
        .holding_i(holding_q), .target_i(target_q), .target_vc_i(target_vc_q), .taken_i(taken_q),
        .granted_o(granted), .newly_taken_o(newly_taken),
        .target_o(target), .target_vc_o(target_vc)
    );

    // ---- Switch allocation (step 3) -------------------------------------------------------------
    always_comb begin
        with_credit = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                if (available[o*VirtualChannels+w]) begin
                    with_credit =
                        with_credit | (target[o*Inputs+:Inputs] & target_vc[w*Inputs+:Inputs]);
                end
            end
        end
        ready = valid & with_credit;
    end

    generate
        if (VirtualChannels == 1) begin : gen_switch
            assign send = ready;  // an output has one holder, and an input one front
        end else begin : gen_switch
            switch_allocator #(
                .Ports(Ports), .VirtualChannels(VirtualChannels), .Hold(Hold)
            ) i_allocator (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .ready_i(ready), .tail_i(tail), .target_i(target), .send_o(send)
            );
        end
    endgenerate

    // ---- Traversal (step 4) ---------------------------------------------------------------------
    assign credit_o = send;

    crossbar #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .FlitBits(FlitBits)
    ) i_crossbar (
        .send_i(send), .head_i(head), .tail_i(tail), .data_i(data),
        .target_i(target), .target_vc_i(target_vc),
        .flit_valid_o(flit_valid_o), .flit_vc_o(flit_vc_o), .flit_head_o(flit_head_o),
        .flit_tail_o(flit_tail_o), .flit_data_o(flit_data_o),
        .sent_o(sent), .sent_tail_o(sent_tail)
    );

    generate
        for (genvar c = 0; c < Inputs; c++) begin : gen_credits
            credit_counter #(
                .Depth(Depth)
            ) i_counter (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .credit_i(credit_i[c]), .take_i(sent[c]), .available_o(available[c])
            );
        end
    endgenerate

    // ---- Release (step 5) -----------------------------------------------------------------------
    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            holding_q <= '0;
            taken_q <= '0;
        end else begin
            holding_q <= (holding_q | granted) & ~(send & tail);
            taken_q <= (taken_q | newly_taken) & ~sent_tail;
        end
        target_q <= target;
        target_vc_q <= target_vc;
    end

`ifndef SYNTHESIS
    router_checker #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Routing(Routing), .VcBits(VcBits)
    ) i_checker (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .valid_i(valid), .head_i(head), .holding_i(holding_q), .taken_i(taken_q),
        .granted_i(granted), .target_i(target), .send_i(send),
        .flit_valid_i(flit_valid_o), .flit_vc_i(flit_vc_o), .flit_head_i(flit_head_o),
        .flit_tail_i(flit_tail_o)
    );
`endif

endmodule
