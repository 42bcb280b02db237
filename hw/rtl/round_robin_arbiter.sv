// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Grants one of several requests: the first one at or after the pointer, cyclically. The pointer
// moves one past the granted request where advance_i says that the grant was used.

module round_robin_arbiter #(
    /// Number of requests, at least 1.
    parameter int unsigned Requests = 5
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic [Requests-1:0] request_i,
    input  logic                advance_i,
    output logic [Requests-1:0] grant_o     // one-hot, or 0 where nobody asks
);

    generate
        if (Requests == 1) begin : gen_single
            assign grant_o = request_i;
            logic unused;
            assign unused = &{1'b0, clk_i, rst_ni, advance_i};
        end else begin : gen_arbiter
            localparam int unsigned PointerBits = $clog2(Requests);

            logic [PointerBits-1:0] pointer_q, pointer_d;
            logic [Requests-1:0] after;   // requests at or after the pointer
            logic [Requests-1:0] chosen_from;

            assign after = request_i & ({Requests{1'b1}} << pointer_q);
            assign chosen_from = after != '0 ? after : request_i;
            assign grant_o = chosen_from & (~chosen_from + 1'b1);  // the lowest bit

            always_comb begin
                pointer_d = pointer_q;
                if (advance_i) begin
                    for (int unsigned i = 0; i < Requests; i++) begin
                        if (grant_o[i]) pointer_d = i == Requests - 1 ? '0 : PointerBits'(i + 1);
                    end
                end
            end

            always_ff @(posedge clk_i) begin
                if (!rst_ni) pointer_q <= '0;
                else pointer_q <= pointer_d;
            end

`ifndef SYNTHESIS
            always_ff @(posedge clk_i) begin
                if (rst_ni) begin
                    grants_a_request : assert ((grant_o & ~request_i) == '0)
                        else $error("granted to somebody who did not ask");
                    pointer_in_range : assert (32'(pointer_q) < Requests)
                        else $error("the pointer stands past the last request");
                end
            end
`endif
        end
    endgenerate

endmodule
