// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What hw/rtl/class_arbiter.sv has to do, said as hw/TIMING.md does ("Class arbiters"): of all requests
// those of the highest priority, of these the ones with budget if there are any; who sends without
// budget renews that of all classes of its priority, then has one less.

module class_properties #(
    parameter int Requests = 3,
    parameter int Channels = 2,
    parameter int VirtualChannels = 6,
    parameter int First = 0,
    parameter logic [271:0] Classes = 272'h1003_0002_0003_0003,
    localparam int Count = Classes[15:0],
    localparam int Bits = 2  // of a weight
) (
    input logic                         clk_i,
    input logic                         rst_ni,
    input logic [Requests-1:0]          request_i,
    input logic [Requests*Channels-1:0] vcs_i,
    input logic [Requests-1:0]          sent_i
);

    logic [Requests-1:0] preferred;
    class_arbiter #(
        .Requests(Requests), .Channels(Channels), .VirtualChannels(VirtualChannels), .First(First),
        .Classes(Classes)
    ) dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request_i), .vcs_i(vcs_i), .sent_i(sent_i),
        .preferred_o(preferred)
    );

    // Registers of the arbiter, connected by the script.
    logic [Count*Bits-1:0] left;
    logic [Count-1:0] budget;

    // ---- The specification
    logic [Requests*4-1:0] class_of;  // the class of each request, and its rank
    logic [Requests*4-1:0] rank_of;
    logic [Count*Bits-1:0] left_q, after;
    logic [3:0] top, sender;
    logic any_due;
    logic [Requests-1:0] expected;
    always_comb begin
        class_of = '0;
        rank_of = '0;
        top = '0;
        any_due = 1'b0;
        for (int unsigned r = 0; r < Requests; r++) begin
            for (int unsigned c = 0; c < Channels; c++) begin
                if (vcs_i[r*Channels+c]) begin
                    class_of[r*4+:4] = (First + r * Channels + c) % VirtualChannels * Count / VirtualChannels;
                end
            end
            for (int unsigned k = 0; k < Count; k++) begin
                if (class_of[r*4+:4] == k) rank_of[r*4+:4] = Classes[16*k+28+:4];
            end
            if (request_i[r] && rank_of[r*4+:4] > top) top = rank_of[r*4+:4];
        end
        for (int unsigned r = 0; r < Requests; r++) begin
            if (request_i[r] && rank_of[r*4+:4] == top &&
                left_q[class_of[r*4+:4]*Bits+:Bits] != '0) any_due = 1'b1;
        end
        for (int unsigned r = 0; r < Requests; r++) begin
            expected[r] = request_i[r] && rank_of[r*4+:4] == top &&
                          (!any_due || left_q[class_of[r*4+:4]*Bits+:Bits] != '0);
        end

        after = left_q;
        sender = '0;
        for (int unsigned r = 0; r < Requests; r++) begin
            if (sent_i[r]) begin
                sender = class_of[r*4+:4];
                if (left_q[sender*Bits+:Bits] == '0) begin
                    for (int unsigned k = 0; k < Count; k++) begin
                        if (Classes[16*k+28+:4] == rank_of[r*4+:4]) after[k*Bits+:Bits] = Classes[16*k+16+:Bits];
                    end
                end
                after[sender*Bits+:Bits] = after[sender*Bits+:Bits] - 1'b1;
            end
        end
    end
    always_ff @(posedge clk_i) begin
        for (int unsigned k = 0; k < Count; k++) begin
            if (!rst_ni) left_q[k*Bits+:Bits] <= Classes[16*k+16+:Bits];
            else left_q[k*Bits+:Bits] <= after[k*Bits+:Bits];
        end
    end

    // A request is for one virtual channel, and one that was made is sent, or none.
    logic [Channels-1:0] its;
    always_comb begin
        its = '0;
        for (int unsigned r = 0; r < Requests; r++) begin
            its = vcs_i[r*Channels+:Channels];
            assume (its != '0 && (its & (its - 1'b1)) == '0);
        end
        assume ((sent_i & ~request_i) == '0 && (sent_i & (sent_i - 1'b1)) == '0);
        if (rst_ni) begin
            assert (preferred == expected);
            assert (left == left_q);
            for (int unsigned k = 0; k < Count; k++) begin
                assert (budget[k] == (left_q[k*Bits+:Bits] != '0));
                assert (left_q[k*Bits+:Bits] <= Classes[16*k+16+:Bits]);
            end
        end
    end

endmodule
