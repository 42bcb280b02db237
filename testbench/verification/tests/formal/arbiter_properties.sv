// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What hw/rtl/round_robin_arbiter.sv has to do, said with a number for the pointer: it grants the first
// request at or after the pointer, which moves one past a grant that is used. From that follows how long
// anybody waits.

module arbiter_properties #(
    parameter int Requests = 4
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic [Requests-1:0] request_i,
    input logic                advance_i
);

    localparam int Bits = $clog2(Requests + 1) + 1;  // of a sum of two positions

    logic [Requests-1:0] grant;
    round_robin_arbiter #(.Requests(Requests)) dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request_i), .advance_i(advance_i), .grant_o(grant)
    );

    // The register of the arbiter, connected by the script.
    logic [Requests-1:0] preferred;

    // ---- The specification
    logic [Bits-1:0] pointer_q, winner, place;
    logic [Requests-1:0] expected;
    always_comb begin
        expected = '0;
        winner = pointer_q;
        place = '0;
        for (int unsigned k = Requests; k > 0; k--) begin  // the nearest has the last word
            place = pointer_q + Bits'(k - 1);
            if (place >= Bits'(Requests)) place = place - Bits'(Requests);
            if (request_i[place]) begin
                winner = place;
                expected = '0;
                expected[place] = 1'b1;
            end
        end
    end
    logic used;
    assign used = advance_i && request_i != '0;
    always_ff @(posedge clk_i) begin
        if (!rst_ni) pointer_q <= '0;
        else if (used) pointer_q <= winner == Bits'(Requests - 1) ? '0 : winner + 1'b1;
    end

    // How often others were served while a request stood, and how far the pointer is from it.
    logic [Requests*Bits-1:0] passed_over_q, distance;
    always_comb begin
        for (int unsigned i = 0; i < Requests; i++) begin
            distance[i*Bits+:Bits] = Bits'(i) >= pointer_q
                ? Bits'(i) - pointer_q : Bits'(i) + Bits'(Requests) - pointer_q;
        end
    end
    always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < Requests; i++) begin
            if (!rst_ni || !request_i[i] || (used && grant[i])) passed_over_q[i*Bits+:Bits] <= '0;
            else if (used) passed_over_q[i*Bits+:Bits] <= passed_over_q[i*Bits+:Bits] + 1'b1;
        end
    end

    logic [Requests-1:0] mask;
    assign mask = {Requests{1'b1}} << pointer_q;
    always_comb begin
        if (rst_ni) begin
            assert (pointer_q < Bits'(Requests));
            assert (preferred == mask || (pointer_q == '0 && preferred == '0));
            assert (grant == expected);
            assert ((grant & (grant - 1'b1)) == '0);
            for (int unsigned i = 0; i < Requests; i++) begin
                assert (passed_over_q[i*Bits+:Bits] < Bits'(Requests));
                // Each time others are served the pointer comes nearer: at most Requests - 1 times.
                assert (passed_over_q[i*Bits+:Bits] + distance[i*Bits+:Bits] < Bits'(Requests));
            end
        end
    end

endmodule
