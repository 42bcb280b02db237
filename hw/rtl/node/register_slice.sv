// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a stream with valid and ready: both are registers, and there are two places, so that something
// can pass in every cycle. In reset nothing is taken.

module register_slice #(
    parameter int Width = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

    logic [Width-1:0] front_q, behind_q;
    logic front_valid_q, behind_valid_q, stays_behind, ready_q, push, pop;

    assign push = valid_i && ready_q;
    assign pop = front_valid_q && ready_i;
    assign stays_behind = !pop && (behind_valid_q || (push && front_valid_q));

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            front_valid_q <= 1'b0;
            behind_valid_q <= 1'b0;
            ready_q <= 1'b0;
        end else begin
            front_valid_q <= pop ? behind_valid_q || push : front_valid_q || push;
            behind_valid_q <= stays_behind;
            ready_q <= !stays_behind;
        end
    end

    always_ff @(posedge clk_i) begin
        if (pop || !front_valid_q) front_q <= behind_valid_q ? behind_q : data_i;
        if (push) behind_q <= data_i;
    end

    assign ready_o = ready_q;
    assign valid_o = front_valid_q;
    assign data_o = front_q;

endmodule
