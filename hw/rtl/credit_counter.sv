// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Free places in the FIFO at the other end of a virtual channel. A credit that arrives in a cycle
// can be spent from the next one on.

module credit_counter #(
    /// Depth of the FIFO at the other end; all of it is free after reset.
    parameter int unsigned Depth = 8
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic credit_i,    // a place has become free
    input  logic take_i,      // a flit is sent; only where available_o
    output logic available_o
);

    localparam int unsigned Bits = $clog2(Depth + 1);

    logic [Bits-1:0] count_q, count_d;

    always_comb begin
        count_d = count_q;
        if (credit_i && !take_i) count_d = count_q + 1'b1;
        if (!credit_i && take_i) count_d = count_q - 1'b1;
    end

    always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q <= Bits'(Depth);
        else count_q <= count_d;
    end

    assign available_o = count_q != '0;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            no_overflow : assert (!credit_i || take_i || count_q != Bits'(Depth))
                else $error("more credits than places in the FIFO");
            no_underflow : assert (!take_i || available_o) else $error("sent without a credit");
        end
    end
`endif

endmodule
