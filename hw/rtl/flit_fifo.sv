// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// First-in first-out buffer of flits. The front is visible in the cycle after its push; a push and a
// pop may occur in the same cycle. There is no full flag: the sender counts credits.
//
// All that decisions depend on is registered: whether there is a front, whether it is a head or a
// tail, and the route of its packet. pop_i, which is late, only selects between two values computed
// earlier.

module flit_fifo #(
    /// Payload bits of a flit.
    parameter int FlitBits = 64,
    /// Flits, at least 1; need not be a power of two.
    parameter int Depth = 8,
    /// Ports of the router, at least 2.
    parameter int Ports = 5,
    /// Virtual channels that a route chooses from; 0 if all routes allow all.
    parameter int RouteVcs = 0,
    localparam int PortBits = $clog2(Ports),
    localparam int VcsBits = RouteVcs > 0 ? RouteVcs : 1
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 push_i,
    input  logic                 head_i,
    input  logic                 tail_i,
    input  logic [PortBits-1:0]  port_i,   // a head's output port,
    input  logic [VcsBits-1:0]   vcs_i,    // and its virtual channels there
    input  logic [FlitBits-1:0]  data_i,
    input  logic                 pop_i,    // only where valid_o
    output logic                 valid_o,  // there is a front
    output logic                 head_o,   // the front; don't-care if there is none
    output logic                 tail_o,
    output logic [FlitBits-1:0]  data_o,
    output logic [Ports-1:0]     route_o,  // where the last head at the front goes, one-hot,
    output logic [VcsBits-1:0]   vcs_o     // and on which
);

    localparam int CountBits = $clog2(Depth + 1);
    localparam int MarkBits = (RouteVcs > 0 ? RouteVcs : 0) + PortBits + 2;

    logic [CountBits-1:0] count_q;
    logic several;  // there is a flit behind the front
    assign several = (count_q >> 1) != '0;

    // The next front after a pop: the flit behind it, or the one that is pushed.
    logic [MarkBits-1:0] pushed, behind, popped;
    logic valid_q, loads_popped, loads_kept;
    logic head_q, tail_q;
    logic [Ports-1:0] route_q, route_popped, route_kept;

    assign popped = several ? behind : pushed;
    assign loads_popped = several || push_i;
    assign loads_kept = push_i && !valid_q;

    always_comb begin
        route_popped = route_q;
        route_kept = route_q;
        for (int unsigned o = 0; o < Ports; o++) begin
            if (loads_popped && popped[1]) route_popped[o] = popped[2+:PortBits] == PortBits'(o);
            if (loads_kept && head_i) route_kept[o] = port_i == PortBits'(o);
        end
    end

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            count_q <= '0;
            valid_q <= 1'b0;
        end else begin
            count_q <= pop_i ? (push_i ? count_q : count_q - 1'b1)
                             : (push_i ? count_q + 1'b1 : count_q);
            valid_q <= pop_i ? loads_popped : valid_q || push_i;
        end
    end

    always_ff @(posedge clk_i) begin
        tail_q <= pop_i ? (loads_popped ? popped[0] : tail_q) : (loads_kept ? tail_i : tail_q);
        head_q <= pop_i ? (loads_popped ? popped[1] : head_q) : (loads_kept ? head_i : head_q);
        route_q <= pop_i ? route_popped : route_kept;
    end

    assign valid_o = valid_q;
    assign head_o = head_q;
    assign tail_o = tail_q;
    assign route_o = route_q;

    generate
        if (RouteVcs > 0) begin : gen_vcs
            logic [VcsBits-1:0] vcs_q, vcs_popped, vcs_kept;
            assign pushed = {vcs_i, port_i, head_i, tail_i};
            assign vcs_popped = loads_popped && popped[1] ? popped[2+PortBits+:VcsBits] : vcs_q;
            assign vcs_kept = loads_kept && head_i ? vcs_i : vcs_q;
            always_ff @(posedge clk_i) vcs_q <= pop_i ? vcs_popped : vcs_kept;
            assign vcs_o = vcs_q;
        end else begin : gen_vcs
            assign pushed = {port_i, head_i, tail_i};
            assign vcs_o = '1;
            logic unused;
            assign unused = &{1'b0, vcs_i};
        end

        if (Depth == 1) begin : gen_single
            logic [FlitBits-1:0] slot_q;
            always_ff @(posedge clk_i) begin
                if (push_i) slot_q <= data_i;
            end
            assign data_o = slot_q;
            assign behind = pushed;
        end else begin : gen_ring
            // One-hot pointers: no decoder before the slots.
            logic [FlitBits-1:0] slots_q [Depth];
            logic [MarkBits-1:0] marks_q [Depth];
            logic [Depth-1:0] read_q, write_q;

            always_ff @(posedge clk_i) begin
                if (!rst_ni) begin
                    read_q <= Depth'(1);
                    write_q <= Depth'(1);
                end else begin
                    if (pop_i) read_q <= {read_q[Depth-2:0], read_q[Depth-1]};
                    if (push_i) write_q <= {write_q[Depth-2:0], write_q[Depth-1]};
                end
            end

            always_ff @(posedge clk_i) begin
                for (int unsigned s = 0; s < Depth; s++) begin
                    if (push_i && write_q[s]) begin
                        slots_q[s] <= data_i;
                        marks_q[s] <= pushed;
                    end
                end
            end

            always_comb begin
                data_o = '0;
                behind = '0;
                for (int unsigned s = 0; s < Depth; s++) begin
                    data_o = data_o | (read_q[s] ? slots_q[s] : '0);
                    behind = behind | (read_q[s] ? marks_q[(s+1)%Depth] : '0);
                end
            end
        end
    endgenerate

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_push_when_full : assert (!push_i || count_q != CountBits'(Depth))
                else $error("push into a full FIFO: the sender had no credit");
            no_pop_when_empty : assert (!pop_i || count_q != '0)
                else $error("pop from an empty FIFO");
            knows_its_count : assert (valid_q == (count_q != '0))
                else $error("%0d flits, and valid_q is %b", count_q, valid_q);
            is_full : cover (count_q == CountBits'(Depth));
            fills_up_as_one_goes : cover (push_i && pop_i && Depth > 1 && count_q == CountBits'(Depth - 1));
            only_one_goes_as_one_comes : cover (push_i && pop_i && count_q == CountBits'(1));
            tail_waits : cover (valid_q && tail_q && !pop_i);
        end
    end
`endif

endmodule
