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

    localparam bit RouteNamesVcs = Routing == router_pkg::RoutingTable && VirtualChannels > 1;

    // Per input virtual channel, numbered port * VirtualChannels + vc: the front of its FIFO ...
    logic [Inputs-1:0] valid, head, tail;
    logic [Inputs*FlitBits-1:0] data;
    logic [Inputs*PortBits-1:0] route_port;
    logic [Inputs*VirtualChannels-1:0] route_vcs;
    logic [VirtualChannels*Inputs-1:0] allowed;  // the same by [number][input]
    // ... and the output virtual channel that its packet holds. Per output port and per number the
    // input virtual channels that hold one there: [port][input], [number][input].
    logic [Inputs-1:0] holding_q;
    logic [Ports*Inputs-1:0] target_q;
    logic [VirtualChannels*Inputs-1:0] lane_q;
    // The same with what is granted in this cycle.
    logic [Inputs-1:0] granted /* verilator public_flat_rd */;
    logic [Ports*Inputs-1:0] target /* verilator public_flat_rd */;
    logic [VirtualChannels*Inputs-1:0] lane /* verilator public_flat_rd */;
    logic [Inputs-1:0] send;

    // Per output virtual channel, numbered likewise.
    logic [Inputs-1:0] taken_q;    // belongs to a packet
    logic [Inputs-1:0] available;  // has a credit
    logic [Inputs-1:0] sent, sent_tail;
    logic [Inputs*Inputs-1:0] grant;  // [output virtual channel][input virtual channel]

    logic [Ports*NodeBits-1:0] destination;
    logic [Ports*PortBits-1:0] looked_up_port;
    logic [Ports*VirtualChannels-1:0] looked_up_vcs;

    generate
        // ---- Input ports ------------------------------------------------------------------------
        for (genvar p = 0; p < Ports; p++) begin : gen_input
            input_port #(
                .VirtualChannels(VirtualChannels),
                .Depth(Depth),
                .FlitBits(FlitBits),
                .RouterDelay(RouterDelay),
                .PortBits(PortBits),
                .RouteNamesVcs(RouteNamesVcs),
                .VcBits(VcBits)
            ) i_port (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .flit_valid_i(flit_valid_i[p]),
                .flit_vc_i(flit_vc_i[p*VcBits+:VcBits]),
                .flit_head_i(flit_head_i[p]),
                .flit_tail_i(flit_tail_i[p]),
                .flit_data_i(flit_data_i[p*FlitBits+:FlitBits]),
                .destination_o(destination[p*NodeBits+:NodeBits]),
                .route_port_i(looked_up_port[p*PortBits+:PortBits]),
                .route_vcs_i(looked_up_vcs[p*VirtualChannels+:VirtualChannels]),
                .pop_i(send[p*VirtualChannels+:VirtualChannels]),
                .valid_o(valid[p*VirtualChannels+:VirtualChannels]),
                .head_o(head[p*VirtualChannels+:VirtualChannels]),
                .tail_o(tail[p*VirtualChannels+:VirtualChannels]),
                .data_o(data[p*VirtualChannels*FlitBits+:VirtualChannels*FlitBits]),
                .port_o(route_port[p*VirtualChannels*PortBits+:VirtualChannels*PortBits]),
                .vcs_o(route_vcs[p*VirtualChannels*VirtualChannels+:
                                 VirtualChannels*VirtualChannels])
            );
        end

        // ---- Routing ----------------------------------------------------------------------------
        if (Routing == router_pkg::RoutingTable) begin : gen_routing
            route_table #(
                .Entries(TableEntries),
                .Readers(Ports),
                .PortBits(PortBits),
                .VirtualChannels(VirtualChannels)
            ) i_table (
                .clk_i(clk_i),
                .write_i(table_write_i),
                .address_i(table_address_i),
                .port_i(table_port_i),
                .vcs_i(table_vcs_i),
                .destination_i(destination),
                .port_o(looked_up_port),
                .vcs_o(looked_up_vcs)
            );
            logic unused;
            assign unused = &{1'b0, node_i, fields_i};
        end else begin : gen_routing
            for (genvar p = 0; p < Ports; p++) begin : gen_port
                if (Routing == router_pkg::RoutingMesh) begin : gen_logic
                    route_mesh #(
                        .Dimensions(Dimensions),
                        .PortBits(PortBits)
                    ) i_route (
                        .node_i(node_i),
                        .fields_i(fields_i),
                        .destination_i(destination[p*NodeBits+:NodeBits]),
                        .port_o(looked_up_port[p*PortBits+:PortBits])
                    );
                end else begin : gen_logic
                    route_hypercube #(
                        .Dimensions(Dimensions),
                        .PortBits(PortBits)
                    ) i_route (
                        .node_i(node_i),
                        .destination_i(destination[p*NodeBits+:NodeBits]),
                        .port_o(looked_up_port[p*PortBits+:PortBits])
                    );
                end
            end
            assign looked_up_vcs = '1;
            logic unused;
            assign unused = &{1'b0, node_i, fields_i, table_write_i, table_address_i, table_port_i,
                              table_vcs_i};
        end

        // ---- Virtual-channel allocation ---------------------------------------------------------
        for (genvar o = 0; o < Ports; o++) begin : gen_allocator
            logic [Inputs-1:0] request;
            for (genvar i = 0; i < Inputs; i++) begin : gen_request
                assign request[i] =
                    valid[i] && !holding_q[i] && route_port[i*PortBits+:PortBits] == PortBits'(o);
            end

            vc_allocator #(
                .Inputs(Inputs),
                .VirtualChannels(VirtualChannels)
            ) i_allocator (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(request),
                .allowed_i(allowed),
                .taken_i(taken_q[o*VirtualChannels+:VirtualChannels]),
                .grant_o(grant[o*VirtualChannels*Inputs+:VirtualChannels*Inputs])
            );
        end
    endgenerate

    // ---- What routes allow, per virtual channel -------------------------------------------------
    always_comb begin
        for (int unsigned w = 0; w < VirtualChannels; w++) begin
            for (int unsigned i = 0; i < Inputs; i++) begin
                allowed[w*Inputs+i] = route_vcs[i*VirtualChannels+w];
            end
        end
    end

    logic [Inputs-1:0] newly_taken;
    logic [Inputs-1:0] given;
    always_comb begin
        granted = '0;
        newly_taken = '0;
        given = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            target[o*Inputs+:Inputs] = holding_q & target_q[o*Inputs+:Inputs];
        end
        for (int unsigned w = 0; w < VirtualChannels; w++) begin
            lane[w*Inputs+:Inputs] = holding_q & lane_q[w*Inputs+:Inputs];
        end
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                given = grant[(o*VirtualChannels+w)*Inputs+:Inputs];
                granted = granted | given;
                newly_taken[o*VirtualChannels+w] = given != '0;
                target[o*Inputs+:Inputs] = target[o*Inputs+:Inputs] | given;
                lane[w*Inputs+:Inputs] = lane[w*Inputs+:Inputs] | given;
            end
        end
    end

    // ---- Switch allocation ----------------------------------------------------------------------
    logic [Inputs-1:0] with_credit, ready;
    always_comb begin
        with_credit = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                if (available[o*VirtualChannels+w]) begin
                    with_credit =
                        with_credit | (target[o*Inputs+:Inputs] & lane[w*Inputs+:Inputs]);
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
                .Ports(Ports),
                .VirtualChannels(VirtualChannels),
                .Hold(Hold)
            ) i_allocator (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .ready_i(ready),
                .tail_i(tail),
                .target_i(target),
                .send_o(send)
            );
        end
    endgenerate

    // ---- Traversal ------------------------------------------------------------------------------
    assign credit_o = send;

    // An input port sends from one virtual channel at most: its choice, then the crossbar.
    logic [Ports*FlitBits-1:0] chosen;
    always_comb begin
        chosen = '0;
        for (int unsigned p = 0; p < Ports; p++) begin
            for (int unsigned v = 0; v < VirtualChannels; v++) begin
                if (VirtualChannels == 1 || send[p*VirtualChannels+v]) begin
                    chosen[p*FlitBits+:FlitBits] = chosen[p*FlitBits+:FlitBits] |
                        data[(p*VirtualChannels+v)*FlitBits+:FlitBits];
                end
            end
        end
    end

    logic [Inputs-1:0] selected;
    always_comb begin
        sent = '0;
        sent_tail = '0;
        flit_valid_o = '0;
        flit_vc_o = '0;
        flit_head_o = '0;
        flit_tail_o = '0;
        flit_data_o = '0;
        selected = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
            selected = send & target[o*Inputs+:Inputs];
            flit_valid_o[o] = selected != '0;
            flit_head_o[o] = (selected & head) != '0;
            flit_tail_o[o] = (selected & tail) != '0;
            for (int unsigned p = 0; p < Ports; p++) begin
                if (selected[p*VirtualChannels+:VirtualChannels] != '0) begin
                    flit_data_o[o*FlitBits+:FlitBits] =
                        flit_data_o[o*FlitBits+:FlitBits] | chosen[p*FlitBits+:FlitBits];
                end
            end
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                if ((selected & lane[w*Inputs+:Inputs]) != '0) begin
                    sent[o*VirtualChannels+w] = 1'b1;
                    sent_tail[o*VirtualChannels+w] = flit_tail_o[o];
                    flit_vc_o[o*VcBits+:VcBits] = VcBits'(w);
                end
            end
        end
    end

    generate
        for (genvar c = 0; c < Inputs; c++) begin : gen_credits
            credit_counter #(
                .Depth(Depth)
            ) i_counter (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .credit_i(credit_i[c]),
                .take_i(sent[c]),
                .available_o(available[c])
            );
        end
    endgenerate

    // ---- Release --------------------------------------------------------------------------------
    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            holding_q <= '0;
            taken_q <= '0;
        end else begin
            holding_q <= (holding_q | granted) & ~(send & tail);
            taken_q <= (taken_q | newly_taken) & ~sent_tail;
        end
        target_q <= target;
        lane_q <= lane;
    end

`ifndef SYNTHESIS
    router_checker #(
        .Ports(Ports),
        .VirtualChannels(VirtualChannels),
        .Routing(Routing),
        .VcBits(VcBits)
    ) i_checker (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .valid_i(valid),
        .head_i(head),
        .holding_i(holding_q),
        .taken_i(taken_q),
        .granted_i(granted),
        .target_i(target),
        .send_i(send),
        .flit_valid_i(flit_valid_o),
        .flit_vc_i(flit_vc_o),
        .flit_head_i(flit_head_o),
        .flit_tail_i(flit_tail_o)
    );
`endif

endmodule
