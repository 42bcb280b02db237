// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The reset of a fabric whose registers are reset asynchronously: it begins at once, and ends with a
// rising edge of the clock, two of these after that of the pin.

module reset_synchronizer (
    input  logic clk_i,
    input  logic rst_ni,
    output logic rst_no
);

    logic [1:0] stages_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) stages_q <= '0;
        else stages_q <= {stages_q[0], 1'b1};
    end

    assign rst_no = stages_q[1];

endmodule
