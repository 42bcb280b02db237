// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the link at an output port takes a flit: one of rate 1/k takes none for k - 1 cycles after
// each, on whatever virtual channel (hw/TIMING.md, "Slow links"). As in credit_counter.sv, sent_i,
// which is late, only selects between two values of a register that are ready before.

module link_rate (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [router_pkg::RateBits-1:0] cycles_i,     // k - 1, constant
    input  logic                            sent_i,       // a flit leaves; only where free_o
    output logic                            free_o,
    output logic                            free_after_o, // free in the next cycle, if one leaves
    output logic                            free_soon_o   // if none does
);

    localparam int Bits = router_pkg::RateBits;

    logic [Bits-1:0] busy_q;  // cycles in which the link still takes none
    logic free_q;

    assign free_after_o = cycles_i == '0;
    assign free_soon_o = (busy_q >> 1) == '0;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_q <= '0;
            free_q <= 1'b1;
        end else begin
            busy_q <= sent_i ? cycles_i : busy_q - Bits'(!free_q);
            free_q <= sent_i ? free_after_o : free_soon_o;
        end
    end

    assign free_o = free_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            link_is_free : assert (!sent_i || busy_q == '0)
                else $error("sent over a link that is busy for %0d more cycles", busy_q);
            knows_its_state : assert (free_q == (busy_q == '0))
                else $error("busy for %0d cycles, and free_q is %b", busy_q, free_q);
            is_busy : cover (busy_q != '0);
        end
    end
`endif

endmodule
