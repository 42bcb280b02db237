// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches a channel of flits with credits (../README.md, "The pin protocol"), at either end: every pin of
// a flit is known; on each virtual channel a tail follows its head before the next head; no flit is sent
// without a credit, and no credit comes back for a flit that was not sent. %m says where.

module flit_checker #(
    parameter int VirtualChannels = 1,
    /// Flits per virtual channel for which the sender has credits.
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       valid_i,
    input logic [VcBits-1:0]          vc_i,
    input logic                       head_i,
    input logic                       tail_i,
    input logic [FlitBits-1:0]        data_i,
    input logic [VirtualChannels-1:0] credit_i
);

    logic [VirtualChannels-1:0] open = '0;  // between a head and its tail
    logic [VirtualChannels*32-1:0] owed = '0;  // flits whose credits have not come back

    always @(posedge clk_i) begin
        if (rst_ni) begin
            // Icarus Verilog 11 takes a wide vector for unknown in $isunknown.
            if ($isunknown(valid_i) || ^credit_i === 1'bx ||
                (valid_i && ^{vc_i, head_i, tail_i, data_i} === 1'bx)) begin
                $display("FAIL: %m: unknown bits: valid %b, virtual channel %b, head %b, tail %b, %h, credits %b",
                         valid_i, vc_i, head_i, tail_i, data_i, credit_i);
                $fatal(1, "a flit is not known");
            end
            if (valid_i && 32'(vc_i) >= VirtualChannels) begin
                $display("FAIL: %m: a flit on virtual channel %0d of %0d", vc_i, VirtualChannels);
                $fatal(1, "a flit on a virtual channel that does not exist");
            end
            for (int unsigned v = 0; v < VirtualChannels; v++) begin
                if (valid_i && vc_i == VcBits'(v)) begin
                    if (head_i == open[v]) begin
                        $display("FAIL: %m: virtual channel %0d: a %0s", v,
                                 head_i ? "head before the tail of its packet" : "flit without a head");
                        $fatal(1, "packets are mixed");
                    end
                    if (owed[v*32+:32] == Depth) begin
                        $display("FAIL: %m: virtual channel %0d: a flit without a credit", v);
                        $fatal(1, "a flit without a credit");
                    end
                end
                if (credit_i[v] && owed[v*32+:32] == 0 && !(valid_i && vc_i == VcBits'(v))) begin
                    $display("FAIL: %m: virtual channel %0d: a credit for no flit", v);
                    $fatal(1, "a credit for no flit");
                end
            end
        end
        for (int unsigned v = 0; v < VirtualChannels; v++) begin
            if (!rst_ni) begin
                open[v] <= 1'b0;
                owed[v*32+:32] <= 0;
            end else begin
                if (valid_i && vc_i == VcBits'(v)) open[v] <= !tail_i;
                owed[v*32+:32] <= owed[v*32+:32] + 32'(valid_i && vc_i == VcBits'(v)) - 32'(credit_i[v]);
            end
        end
    end

endmodule
