// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// First-in first-out buffer. The front is visible in the cycle after its push; a push and a pop may
// fall into the same cycle. There is no full flag: the sender counts credits.

module flit_fifo #(
    /// Bits of an entry.
    parameter int unsigned Width = 66,
    /// Entries, at least 1; need not be a power of two.
    parameter int unsigned Depth = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    input  logic             pop_i,    // only where valid_o
    output logic             valid_o,  // there is a front
    output logic [Width-1:0] data_o    // the front; anything where there is none
);

    localparam int unsigned CountBits = $clog2(Depth + 1);

    logic [CountBits-1:0] count_q, count_d;

    always_comb begin
        count_d = count_q;
        if (push_i && !pop_i) count_d = count_q + 1'b1;
        if (!push_i && pop_i) count_d = count_q - 1'b1;
    end

    always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q <= '0;
        else count_q <= count_d;
    end

    assign valid_o = count_q != '0;

    generate
        if (Depth == 1) begin : gen_single
            logic [Width-1:0] slot_q;
            always_ff @(posedge clk_i) begin
                if (push_i) slot_q <= data_i;
            end
            assign data_o = slot_q;
        end else begin : gen_ring
            localparam int unsigned PointerBits = $clog2(Depth);
            localparam logic [PointerBits-1:0] Last = PointerBits'(Depth - 1);

            logic [Width-1:0] slots_q [Depth];
            logic [PointerBits-1:0] read_q, write_q;

            always_ff @(posedge clk_i) begin
                if (!rst_ni) begin
                    read_q <= '0;
                    write_q <= '0;
                end else begin
                    if (pop_i) read_q <= read_q == Last ? '0 : read_q + 1'b1;
                    if (push_i) write_q <= write_q == Last ? '0 : write_q + 1'b1;
                end
            end

            always_ff @(posedge clk_i) begin
                if (push_i) slots_q[write_q] <= data_i;
            end
            assign data_o = slots_q[read_q];
        end
    endgenerate

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_push_when_full : assert (!push_i || count_q != CountBits'(Depth))
                else $error("push into a full FIFO: the sender had no credit");
            no_pop_when_empty : assert (!pop_i || valid_o) else $error("pop from an empty FIFO");
        end
    end
`endif

endmodule
