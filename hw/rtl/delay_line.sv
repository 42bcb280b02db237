// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A word and its valid bit, some cycles later.

module delay_line #(
    parameter int Width = 66,
    /// Cycles; 0 is a wire.
    parameter int Stages = 0
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             valid_i,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    output logic [Width-1:0] data_o
);

    generate
        if (Stages == 0) begin : gen_wire
            assign valid_o = valid_i;
            assign data_o = data_i;
            logic unused;
            assign unused = &{1'b0, clk_i, rst_ni};
        end else begin : gen_stages
            logic [Stages:0] valid;
            logic [(Stages+1)*Width-1:0] data;

            assign valid[0] = valid_i;
            assign data[Width-1:0] = data_i;

            for (genvar s = 0; s < Stages; s++) begin : gen_stage
                logic valid_q;
                logic [Width-1:0] data_q;
                always_ff @(posedge clk_i) begin
                    if (!rst_ni) valid_q <= 1'b0;
                    else valid_q <= valid[s];
                end
                always_ff @(posedge clk_i) begin
                    if (valid[s]) data_q <= data[s*Width+:Width];
                end
                assign valid[s+1] = valid_q;
                assign data[(s+1)*Width+:Width] = data_q;
            end

            assign valid_o = valid[Stages];
            assign data_o = data[Stages*Width+:Width];
        end
    endgenerate

endmodule
