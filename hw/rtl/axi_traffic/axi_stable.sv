// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches an AXI channel: what is valid stays as it is until it is taken (AXI4, A3.2.1), and is known.

module axi_stable #(
    parameter int Width = 8,
    parameter int Number = 0,
    parameter Channel = "R of manager"
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] data_i
);

    logic waits = 1'b0;
    logic [Width-1:0] data;

    always @(posedge clk_i) begin
        if (rst_ni) begin
            if ($isunknown(valid_i) || (waits && (!valid_i || data_i !== data))) begin
                $display("FAIL: channel %s %0d changes before it is taken: valid %b, %h, before %h",
                         Channel, Number, valid_i, data_i, data);
                $fatal(1, "a bridge breaks the rules of AXI");
            end
            waits <= valid_i && !ready_i;
            data <= data_i;
        end
    end

endmodule
