// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps, of the requests to an arbiter, those of the message classes that go first (hw/TIMING.md,
// "Class arbiters"): the ones of the highest rank, and among these the ones of classes with budget here,
// if there are any. Round robin decides among what is left. Budgets are kept with a register that says
// whether they are used up, so that a decision compares no numbers.

module class_arbiter #(
    /// Requests of the arbiter.
    parameter int Requests = 5,
    /// Virtual channels per request, and of a port: bit n of vcs_i is number First + n, modulo these.
    parameter int Channels = 1,
    parameter int VirtualChannels = 2,
    parameter int First = 0,
    /// As of the router.
    parameter logic [router_pkg::ClassesBits-1:0] Classes = 2,
    localparam int Count = 32'(Classes[15:0]),
    localparam int PerClass = VirtualChannels / Count
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [Requests-1:0]          request_i,
    input  logic [Requests*Channels-1:0] vcs_i,       // of a request: the one that it is for
    input  logic [Requests-1:0]          sent_i,      // the request whose flit is sent, or 0
    output logic [Requests-1:0]          preferred_o
);

    localparam int WeightBits = 10;
    localparam bit HasWeights = Classes[16+:WeightBits] != '0;  // all classes have one, or none

    logic [Count*Requests-1:0] by_class;  // the requests of each
    logic [Count-1:0] competing, urgent, budget, due, first;

    always_comb begin
        by_class = '0;
        for (int unsigned n = 0; n < Requests * Channels; n++) begin
            for (int unsigned k = 0; k < Count; k++) begin
                if ((First + n) % VirtualChannels / PerClass == k && vcs_i[n]) begin
                    by_class[k*Requests+n/Channels] = request_i[n/Channels];
                end
            end
        end
    end

    always_comb begin
        urgent = '0;
        preferred_o = '0;
        for (int unsigned k = 0; k < Count; k++) begin
            competing[k] = by_class[k*Requests+:Requests] != '0;
        end
        for (int unsigned k = 0; k < Count; k++) begin
            urgent[k] = competing[k];
            for (int unsigned b = 0; b < Count; b++) begin
                if (Classes[16*b+28+:4] > Classes[16*k+28+:4] && competing[b]) begin
                    urgent[k] = 1'b0;
                end
            end
        end
        due = urgent & budget;
        first = due != '0 ? due : urgent;
        for (int unsigned k = 0; k < Count; k++) begin
            if (first[k]) preferred_o = preferred_o | by_class[k*Requests+:Requests];
        end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            lower_rank_waits : cover ((competing & ~urgent) != '0);
            class_without_budget_waits : cover ((urgent & ~first) != '0);
        end
    end
`endif

    generate
        if (HasWeights) begin : gen_budgets
            logic [Count-1:0] sent, budget_q;
            always_comb begin
                for (int unsigned k = 0; k < Count; k++) begin
                    sent[k] = (sent_i & by_class[k*Requests+:Requests]) != '0;
                end
            end

            for (genvar k = 0; k < Count; k++) begin : gen_class
                localparam int Weight = 32'(Classes[16*k+16+:WeightBits]);
                localparam int CountBits = $clog2(Weight + 1);
                logic [CountBits-1:0] left_q, left;
                logic new_round;  // a class of this rank sends without budget: all have used theirs up

                always_comb begin
                    new_round = 1'b0;
                    for (int unsigned b = 0; b < Count; b++) begin
                        if (Classes[16*b+28+:4] == Classes[16*k+28+:4]) begin
                            new_round = new_round | (sent[b] & ~budget_q[b]);
                        end
                    end
                    left = new_round ? CountBits'(Weight) : left_q;
                    if (sent[k]) left = left - 1'b1;
                end

                always_ff @(posedge clk_i) begin
                    if (!rst_ni) begin
                        left_q <= CountBits'(Weight);
                        budget_q[k] <= 1'b1;
                    end else begin
                        left_q <= left;
                        budget_q[k] <= left != '0;
`ifndef SYNTHESIS
                        goes_without_budget : cover (sent[k] && !budget_q[k]);
                        others_renew_the_budget : cover (new_round && !sent[k]);
`endif
                    end
                end
            end
            assign budget = budget_q;
        end else begin : gen_budgets
            assign budget = '0;
            logic unused;
            assign unused = &{1'b0, clk_i, rst_ni, sent_i};
        end
    endgenerate

endmodule
