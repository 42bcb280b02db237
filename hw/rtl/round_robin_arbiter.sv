// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Grants one of several requests: the first one at or after the pointer, cyclically. The pointer
// moves one past the granted request if advance_i says that the grant was used. It is kept as the
// mask of all requests at or after it, so that a grant needs no decoder (an empty mask means the
// same as a full one: there is no request at or after the pointer to prefer).

module round_robin_arbiter #(
    /// Number of requests, at least 1.
    parameter int Requests = 5
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic [Requests-1:0] request_i,
    input  logic                advance_i,
    output logic [Requests-1:0] grant_o     // one-hot, or 0 without a request
);

    generate
        if (Requests == 1) begin : gen_single
            assign grant_o = request_i;
            logic unused;
            assign unused = &{1'b0, clk_i, rst_ni, advance_i};
        end else begin : gen_arbiter
            logic [Requests-1:0] preferred_q;  // at or after the pointer
            logic [Requests-1:0] passed;       // after the one granted
            logic [Requests-1:0] after;

            assign after = request_i & preferred_q;
            // the lowest bit of either
            assign grant_o = after != '0 ? after & (~after + 1'b1) : request_i & (~request_i + 1'b1);

            always_comb begin
                passed = '0;
                for (int unsigned i = 1; i < Requests; i++) passed[i] = passed[i-1] | grant_o[i-1];
            end

            always_ff @(posedge clk_i) begin
                if (!rst_ni) preferred_q <= '0;
                else if (advance_i && request_i != '0) preferred_q <= passed;
            end

`ifndef SYNTHESIS
            always_ff @(posedge clk_i) begin
                if (rst_ni) begin
                    grants_a_request : assert ((grant_o & ~request_i) == '0)
                        else $error("granted to somebody who did not ask");
                    last_ones : assert ((preferred_q | preferred_q << 1) == preferred_q)
                        else $error("those at or after the pointer are not the last ones");
                end
            end
`endif
        end
    endgenerate

endmodule
