// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Free places in the FIFO at the other end of a virtual channel. A credit that arrives in a cycle
// can be spent from the next one on. Whether there is one is kept in its own register, and take_i,
// which is late, only selects between two values of it computed earlier.

module credit_counter #(
    /// Depth of the FIFO at the other end; all of it is free after reset.
    parameter int Depth = 8
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic credit_i,    // a place has become free
    input  logic take_i,      // a flit is sent; only where available_o
    output logic available_o,
    output logic several_o,   // there will be one in the next cycle, though one is taken in this
    output logic kept_o       // if none is
);

    localparam int Bits = $clog2(Depth + 1);

    logic [Bits-1:0] count_q, taken, kept;
    logic available_q;

    assign kept = credit_i ? count_q + 1'b1 : count_q;
    assign taken = credit_i ? count_q : count_q - 1'b1;
    assign several_o = credit_i || (count_q >> 1) != '0;
    assign kept_o = credit_i || available_q;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            count_q <= Bits'(Depth);
            available_q <= 1'b1;
        end else begin
            count_q <= take_i ? taken : kept;
            available_q <= take_i ? several_o : kept_o;
        end
    end

    assign available_o = available_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_overflow : assert (!credit_i || take_i || count_q != Bits'(Depth))
                else $error("more credits than places in the FIFO");
            no_underflow : assert (!take_i || count_q != '0) else $error("sent without a credit");
            knows_its_count : assert (available_q == (count_q != '0))
                else $error("%0d credits, and available_q is %b", count_q, available_q);
            all_are_out : cover (count_q == '0);
            last_one_is_spent_as_one_comes : cover (take_i && credit_i && count_q == Bits'(1));
        end
    end
`endif

endmodule
