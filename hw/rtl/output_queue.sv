// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of an output port with several switch outputs (hw/TIMING.md, "Switch outputs"): takes up
// to one flit from each in a cycle, in their order, and lets one leave, the first. If it is empty
// that is one of those which come, so a flit that meets nobody is not delayed.

module output_queue #(
    /// Flits that can come in a cycle, at least 2.
    parameter int Pushes = 2,
    /// Flits, at least Pushes.
    parameter int Depth = 8,
    /// Bits of a flit, with all that goes with it.
    parameter int Bits = 8
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic [Pushes-1:0]      push_i,  // only where room_o
    input  logic [Pushes*Bits-1:0] flits_i,
    input  logic                   pop_i,   // the channel takes a flit, if there is one
    output logic                   room_o,  // for as many flits as can come
    output logic                   valid_o, // a flit leaves
    output logic [Bits-1:0]        flit_o
);

    // The first slots are filled; after a flit has left, all move up.
    logic [Depth-1:0] filled_q, filled;
    logic [Depth*Bits-1:0] slots_q, slots;
    logic [Depth-1:0] place;

    always_comb begin
        filled = filled_q;
        slots = slots_q;
        for (int unsigned p = 0; p < Pushes; p++) begin
            place = ~filled & {filled[Depth-2:0], 1'b1};  // the first free one
            for (int unsigned s = 0; s < Depth; s++) begin
                if (push_i[p] && place[s]) slots[s*Bits+:Bits] = flits_i[p*Bits+:Bits];
            end
            if (push_i[p]) filled = filled | place;
        end
    end

    assign room_o = !filled_q[Depth-Pushes];
    assign valid_o = filled[0] && pop_i;
    assign flit_o = slots[Bits-1:0];

    always_ff @(posedge clk_i) begin
        if (!rst_ni) filled_q <= '0;
        else filled_q <= valid_o ? filled >> 1 : filled;
    end
    always_ff @(posedge clk_i) slots_q <= valid_o ? slots >> Bits : slots;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_push_without_room : assert (push_i == '0 || room_o)
                else $error("push into a queue without room");
            first_slots_are_filled : assert ((filled_q & (filled_q + 1'b1)) == '0)
                else $error("slots %b are filled", filled_q);
            has_no_room : cover (!room_o);
            several_come_as_one_goes : cover ($countones(push_i) > 1 && valid_o);
        end
    end
`endif

endmodule
