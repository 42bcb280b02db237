// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random reads and writes over a fabric with AXI4 at its nodes. In simulation only.

module axi_traffic;

    localparam int Managers = axi_bench_pkg::Managers;
    localparam int Targets = axi_bench_pkg::Targets;
    localparam int Command = axi_bursts::CommandBits;
    localparam int Named = axi_bursts::IdBits + Command;  // with an ID
    localparam int Write = axi_bursts::WriteBits;
    localparam int Answer = axi_bursts::AnswerBits;
    localparam int Read = axi_bursts::ReadBits;
    localparam int Plain = Read - axi_bursts::IdBits;  // without one
    localparam int Transactions = 200;  // of each manager
    localparam int Patience = 20000;    // cycles without one that ends

    logic clk = 1'b0;
    always #1 clk = !clk;

    logic rst_n, ready, active;
    logic [Managers*Named-1:0] aw, ar;
    logic [Managers*Write-1:0] w;
    logic [Managers*Answer-1:0] b;
    logic [Managers*Read-1:0] r;
    logic [Managers-1:0] aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready;
    logic [Managers-1:0] ar_valid, ar_ready, r_valid, r_ready;
    logic [Targets*Command-1:0] t_aw, t_ar;
    logic [Targets*Write-1:0] t_w;
    logic [Targets*2-1:0] t_b;
    logic [Targets*Plain-1:0] t_r;
    logic [Targets-1:0] t_aw_valid, t_aw_ready, t_w_valid, t_w_ready, t_b_valid, t_b_ready;
    logic [Targets-1:0] t_ar_valid, t_ar_ready, t_r_valid, t_r_ready;
    int done [0:Managers-1];
    int total, total_before = 0, cycles = 0, since = 0;

    axi_nodes i_nodes (
        .clk_i(clk), .rst_ni(rst_n), .ready_o(ready),
        .aw_i(aw), .aw_valid_i(aw_valid), .aw_ready_o(aw_ready), .w_i(w), .w_valid_i(w_valid),
        .w_ready_o(w_ready), .b_o(b), .b_valid_o(b_valid), .b_ready_i(b_ready), .ar_i(ar),
        .ar_valid_i(ar_valid), .ar_ready_o(ar_ready), .r_o(r), .r_valid_o(r_valid),
        .r_ready_i(r_ready),
        .t_aw_o(t_aw), .t_aw_valid_o(t_aw_valid), .t_aw_ready_i(t_aw_ready), .t_w_o(t_w),
        .t_w_valid_o(t_w_valid), .t_w_ready_i(t_w_ready), .t_b_i(t_b), .t_b_valid_i(t_b_valid),
        .t_b_ready_o(t_b_ready), .t_ar_o(t_ar), .t_ar_valid_o(t_ar_valid),
        .t_ar_ready_i(t_ar_ready), .t_r_i(t_r), .t_r_valid_i(t_r_valid), .t_r_ready_o(t_r_ready)
    );

    for (genvar m = 0; m < Managers; m++) begin : gen_manager
        axi_random_manager #(.Number(m), .Transactions(Transactions)) i_manager (
            .clk_i(clk), .rst_ni(active),
            .aw_o(aw[m*Named+:Named]), .aw_valid_o(aw_valid[m]), .aw_ready_i(aw_ready[m]),
            .w_o(w[m*Write+:Write]), .w_valid_o(w_valid[m]), .w_ready_i(w_ready[m]),
            .b_i(b[m*Answer+:Answer]), .b_valid_i(b_valid[m]), .b_ready_o(b_ready[m]),
            .ar_o(ar[m*Named+:Named]), .ar_valid_o(ar_valid[m]), .ar_ready_i(ar_ready[m]),
            .r_i(r[m*Read+:Read]), .r_valid_i(r_valid[m]), .r_ready_o(r_ready[m]), .done_o(done[m])
        );
        ready_valid_checker #(.Width(Answer)) i_b (
            .clk_i(clk), .rst_ni(active), .valid_i(b_valid[m]), .ready_i(b_ready[m]),
            .data_i(b[m*Answer+:Answer])
        );
        ready_valid_checker #(.Width(Read)) i_r (
            .clk_i(clk), .rst_ni(active), .valid_i(r_valid[m]), .ready_i(r_ready[m]),
            .data_i(r[m*Read+:Read])
        );
    end

    for (genvar t = 0; t < Targets; t++) begin : gen_target
        axi_random_memory #(.Number(t)) i_memory (
            .clk_i(clk), .rst_ni(active),
            .aw_i(t_aw[t*Command+:Command]), .aw_valid_i(t_aw_valid[t]), .aw_ready_o(t_aw_ready[t]),
            .w_i(t_w[t*Write+:Write]), .w_valid_i(t_w_valid[t]), .w_ready_o(t_w_ready[t]),
            .b_o(t_b[t*2+:2]), .b_valid_o(t_b_valid[t]), .b_ready_i(t_b_ready[t]),
            .ar_i(t_ar[t*Command+:Command]), .ar_valid_i(t_ar_valid[t]), .ar_ready_o(t_ar_ready[t]),
            .r_o(t_r[t*Plain+:Plain]), .r_valid_o(t_r_valid[t]), .r_ready_i(t_r_ready[t])
        );
        ready_valid_checker #(.Width(Command)) i_aw (
            .clk_i(clk), .rst_ni(active), .valid_i(t_aw_valid[t]), .ready_i(t_aw_ready[t]),
            .data_i(t_aw[t*Command+:Command])
        );
        ready_valid_checker #(.Width(Write)) i_w (
            .clk_i(clk), .rst_ni(active), .valid_i(t_w_valid[t]), .ready_i(t_w_ready[t]),
            .data_i(t_w[t*Write+:Write])
        );
        ready_valid_checker #(.Width(Command)) i_ar (
            .clk_i(clk), .rst_ni(active), .valid_i(t_ar_valid[t]), .ready_i(t_ar_ready[t]),
            .data_i(t_ar[t*Command+:Command])
        );
    end

    initial begin
        rst_n = 1'b0;
        active = 1'b0;
        repeat (4) @(negedge clk);
        rst_n = 1'b1;
        while (ready !== 1'b1) @(negedge clk);
        active = 1'b1;
        total = 0;
        while (total < Managers * Transactions) begin
            @(negedge clk);
            cycles++;
            total = 0;
            for (int m = 0; m < Managers; m++) total += done[m];
            since = total == total_before ? since + 1 : 0;
            total_before = total;
            if (since > Patience) begin
                $display("FAIL: %0d of %0d transactions have ended, and none in %0d cycles", total,
                         Managers * Transactions, Patience);
                $fatal(1, "the fabric stands still");
            end
        end
        $display("PASS: %0d reads and writes of %0d managers, in %0d cycles", total, Managers, cycles);
        $finish;
    end

endmodule
