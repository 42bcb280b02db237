// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches a channel with valid and ready: what is valid stays as it is until it is taken (AXI4, A3.2.1),
// and both are known. Also to bind to ports of somebody else's router; %m says where.

module ready_valid_checker #(
    parameter int Width = 8
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
            if ($isunknown(valid_i) || (valid_i && $isunknown(ready_i))) begin
                $display("FAIL: %m: valid is %b, ready is %b", valid_i, ready_i);
                $fatal(1, "a channel with valid and ready is not known");
            end
            if (waits && !valid_i) begin
                $display("FAIL: %m: valid is withdrawn before ready, with %h", data);
                $fatal(1, "a channel with valid and ready changes before it is taken");
            end
            if (waits && data_i !== data) begin
                $display("FAIL: %m: %h becomes %h before ready", data, data_i);
                $fatal(1, "a channel with valid and ready changes before it is taken");
            end
        end
        waits <= rst_ni && valid_i && !ready_i;
        data <= data_i;
    end

endmodule
