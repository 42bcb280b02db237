// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A memory that takes and answers whenever chance lets it, in order. One with an odd number takes the
// address of a write only beside its data, which AXI allows.

module axi_random_memory #(
    parameter int Number = 0
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic [axi_bursts::CommandBits-1:0] aw_i,
    input  logic                               aw_valid_i,
    output logic                               aw_ready_o,
    input  logic [axi_bursts::WriteBits-1:0]   w_i,
    input  logic                               w_valid_i,
    output logic                               w_ready_o,
    output logic [1:0]                         b_o,
    output logic                               b_valid_o,
    input  logic                               b_ready_i,
    input  logic [axi_bursts::CommandBits-1:0] ar_i,
    input  logic                               ar_valid_i,
    output logic                               ar_ready_o,
    output logic [66:0]                        r_o,  // {data, resp, last}
    output logic                               r_valid_o,
    input  logic                               r_ready_i
);

    import axi_bursts::burst_t;

    localparam int AddressBits = axi_bursts::AddressBits;
    localparam int Contents = axi_bench_pkg::Managers * axi_bursts::UsedIds * axi_bursts::Words;
    localparam logic [AddressBits-1:0] Base = axi_bench_pkg::Bases[Number*AddressBits+:AddressBits];
    localparam int Waiting = 4;  // reads

    logic [63:0] words [0:Contents-1];
    int seed = 1000 + Number;
    // The write at hand, and the answers that are owed.
    logic writes = 1'b0;
    burst_t write;
    int w_beat = 0, answers = 0;
    // Reads in order.
    logic [$bits(burst_t)-1:0] reads [0:Waiting-1];
    burst_t read;
    int r_first = 0, r_count = 0, r_beat = 0;
    logic [63:0] mask;
    int at;

    function automatic logic now_and_then(input int percent);
        now_and_then = $unsigned($random(seed)) % 100 < percent;
    endfunction

    /// Number of the word of beat `i`.
    function automatic int word_of(input burst_t one, input int i);
        logic [AddressBits-1:0] address;
        address = axi_bursts::beat_address(one, i) - Base;
        word_of = int'(address >> 3);
        if (word_of >= Contents) begin
            $fatal(1, "FAIL: target %0d is asked for %h, which is not its own", Number, one.address);
        end
    endfunction

    initial begin
        for (int i = 0; i < Contents; i++) words[i] = axi_bursts::initial_word(Base + AddressBits'(8 * i));
        {aw_ready_o, w_ready_o, b_o, b_valid_o, ar_ready_o, r_o, r_valid_o} = '0;
    end

    always @(negedge clk_i) begin
        aw_ready_o = rst_ni && !writes && now_and_then(50) && (Number % 2 == 0 || w_valid_i);
        w_ready_o = rst_ni && writes && now_and_then(60);
        ar_ready_o = rst_ni && r_count < Waiting && now_and_then(50);
    end

    always @(posedge clk_i) begin
        if (aw_valid_i && aw_ready_o) begin
            writes <= 1'b1;
            write = axi_bursts::burst_of(aw_i);
            w_beat = 0;
        end
        if (w_valid_i && w_ready_o) begin
            at = word_of(write, w_beat);
            mask = axi_bursts::bits_of(w_i[8:1]);
            words[at] = (words[at] & ~mask) | (w_i[72:9] & mask);
            if (w_i[0] != (w_beat == int'(write.len))) begin
                $fatal(1, "FAIL: target %0d: a write of %0d beats has another number", Number,
                       write.len + 1);
            end
            w_beat++;
            if (w_i[0]) begin
                writes <= 1'b0;
                answers++;
            end
        end
        if (b_valid_o && b_ready_i) b_valid_o <= 1'b0;
        if (answers > 0 && (!b_valid_o || b_ready_i) && now_and_then(40)) begin
            b_valid_o <= 1'b1;
            answers--;
        end
        if (r_valid_o && r_ready_i) r_valid_o <= 1'b0;
        if (r_count > 0 && (!r_valid_o || r_ready_i) && now_and_then(60)) begin
            read = reads[r_first];
            r_valid_o <= 1'b1;
            r_o <= {words[word_of(read, r_beat)], 2'b00, r_beat == int'(read.len)};
            r_beat++;
            if (r_beat > int'(read.len)) begin
                r_beat = 0;
                r_first = (r_first + 1) % Waiting;
                r_count--;
            end
        end
        if (ar_valid_i && ar_ready_o) begin
            reads[(r_first+r_count)%Waiting] = axi_bursts::burst_of(ar_i);
            r_count++;
        end
    end

endmodule
