// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A manager that reads and writes at random: bursts of all kinds, several of one ID, to any target and to
// an address without one. It knows what its words contain, and never reads and writes with one ID at once.

module axi_random_manager #(
    parameter int Number = 0,
    parameter int Transactions = 100
) (
    input  logic                                                  clk_i,
    input  logic                                                  rst_ni,
    output logic [axi_bursts::IdBits+axi_bursts::CommandBits-1:0] aw_o,
    output logic                                                  aw_valid_o,
    input  logic                                                  aw_ready_i,
    output logic [axi_bursts::WriteBits-1:0]                      w_o,
    output logic                                                  w_valid_o,
    input  logic                                                  w_ready_i,
    input  logic [axi_bursts::AnswerBits-1:0]                     b_i,
    input  logic                                                  b_valid_i,
    output logic                                                  b_ready_o,
    output logic [axi_bursts::IdBits+axi_bursts::CommandBits-1:0] ar_o,
    output logic                                                  ar_valid_o,
    input  logic                                                  ar_ready_i,
    input  logic [axi_bursts::ReadBits-1:0]                       r_i,
    input  logic                                                  r_valid_i,
    output logic                                                  r_ready_o,
    output int                                                    done_o  // transactions
);

    import axi_bursts::burst_t;
    localparam int IdBits = axi_bursts::IdBits;
    localparam int AddressBits = axi_bursts::AddressBits;
    localparam int UsedIds = axi_bursts::UsedIds;
    localparam int Words = axi_bursts::Words;
    localparam int Targets = axi_bench_pkg::Targets;
    localparam int Under = 16;  // way, of an ID
    logic [63:0] words [0:Targets*UsedIds*Words-1];
    logic [$bits(burst_t)-1:0] reads [0:UsedIds*Under-1];
    logic writes_fail [0:UsedIds*Under-1];
    int first_read [0:UsedIds-1], open_reads [0:UsedIds-1], first_write [0:UsedIds-1], open_writes [0:UsedIds-1];
    int beat [0:UsedIds-1];  // of the read that comes
    int seed = 1 + Number;
    int begun = 0, k, at, sender;
    int given = 0, written = 0;  // beats of the write at hand that were offered, and taken
    logic in_write = 1'b0, aw_open = 1'b0;
    burst_t write, read;
    logic [63:0] mask, data;
    logic [7:0] strobes;
    logic [IdBits-1:0] id;
    logic [1:0] resp, answer;
    logic last;

    function automatic int below(input int count);
        below = int'($unsigned($random(seed)) % count);
    endfunction

    /// Number of the word at beat `i`.
    function automatic int word_of(input burst_t one, input int user, input int i);
        logic [AddressBits-1:0] address;
        address = axi_bursts::beat_address(one, i) - axi_bursts::slice_of(int'(one.target), Number, user);
        word_of = (int'(one.target) * UsedIds + user) * Words + int'(address >> 3);
    endfunction

    task automatic choose(input int user, output burst_t one);
        one.target = 16'(below(Targets));
        one.size = below(3) == 0 ? 3'(below(4)) : 3'd3;
        one.burst = 2'(below(3));
        one.len = 8'(below(8));
        if (one.burst == axi_bursts::Fixed) one.len = 8'(below(4));
        if (one.burst == axi_bursts::Wrap) {one.len, one.size} = {8'((2 << below(3)) - 1), 3'd3};
        one.address = axi_bursts::slice_of(int'(one.target), Number, user)
            + AddressBits'(8 * below(Words - int'(one.len)))
            + AddressBits'(one.size == 3'd3 ? 0 : below(8 >> one.size) << one.size);
        if (axi_bench_pkg::HasHole && below(12) == 0) begin
            one.target = 16'(Targets);
            one.address = axi_bench_pkg::Hole;
        end
    endtask

    task automatic fail(input string what);
        $display("FAIL: manager %0d: %s of ID %0d", Number, what, id);
        $fatal(1, "the fabric breaks the rules of AXI");
    endtask

    initial begin
        for (int i = 0; i < Targets * UsedIds * Words; i++) begin
            words[i] = axi_bursts::initial_word(axi_bursts::slice_of(i / (UsedIds * Words), Number, 0)
                                                + AddressBits'(8 * (i % (UsedIds * Words))));
        end
        for (int i = 0; i < UsedIds; i++) begin
            {first_read[i], open_reads[i], first_write[i], open_writes[i], beat[i]} = '0;
        end
        {aw_o, aw_valid_o, w_o, w_valid_o, b_ready_o, ar_o, ar_valid_o, r_ready_o} = '0;
        done_o = 0;
    end

    task automatic begin_write;
        k = below(UsedIds);
        if (!in_write && begun < Transactions && open_reads[k] == 0 && open_writes[k] < Under
            && below(4) == 0) begin
            choose(k, write);
            aw_o <= {axi_bursts::id_of(k), axi_bursts::command_of(write)};
            aw_valid_o <= 1'b1;
            {in_write, aw_open} = 2'b11;
            {given, written} = '0;
            sender = k;
            writes_fail[k*Under+(first_write[k]+open_writes[k])%Under] = int'(write.target) == Targets;
            open_writes[k]++;
            begun++;
        end
    endtask

    task automatic go_on_writing;
        if (w_valid_o && w_ready_i) begin
            w_valid_o <= 1'b0;
            if (int'(write.target) < Targets) begin
                at = word_of(write, sender, written);
                mask = axi_bursts::bits_of(w_o[8:1]);
                words[at] = (words[at] & ~mask) | (w_o[72:9] & mask);
            end
            written++;
        end
        if (in_write && given <= int'(write.len) && (!w_valid_o || w_ready_i) && below(3) != 0) begin
            data = {$random(seed), $random(seed)};
            strobes = axi_bursts::lanes_of(write, given) & 8'($random(seed));
            w_o <= {data, strobes, given == int'(write.len)};
            w_valid_o <= 1'b1;
            given++;
        end
        if (!aw_open && written > int'(write.len)) in_write = 1'b0;
    endtask

    task automatic begin_read;
        k = below(UsedIds);
        if ((!ar_valid_o || ar_ready_i) && begun < Transactions && open_writes[k] == 0
            && open_reads[k] < Under && below(3) == 0) begin
            choose(k, read);
            ar_o <= {axi_bursts::id_of(k), axi_bursts::command_of(read)};
            ar_valid_o <= 1'b1;
            reads[k*Under+(first_read[k]+open_reads[k])%Under] = read;
            open_reads[k]++;
            begun++;
        end
    endtask

    task automatic take_answer;
        {id, resp} = b_i;
        k = -1;
        for (int i = 0; i < UsedIds; i++) if (axi_bursts::id_of(i) === id && open_writes[i] > 0) k = i;
        if (k < 0) fail("an answer that nobody waits for");
        else begin
            answer = writes_fail[k*Under+first_write[k]] ? axi_pkg::RespDecErr : 2'b00;
            if (resp !== answer) fail("a wrong answer");
            first_write[k] = (first_write[k] + 1) % Under;
            open_writes[k]--;
            done_o++;
        end
    endtask

    task automatic take_data;
        {id, data, resp, last} = r_i;
        k = -1;
        for (int i = 0; i < UsedIds; i++) if (axi_bursts::id_of(i) === id && open_reads[i] > 0) k = i;
        if (k < 0) fail("data that nobody waits for");
        else begin
            read = reads[k*Under+first_read[k]];
            if (resp !== (int'(read.target) == Targets ? axi_pkg::RespDecErr : 2'b00)) fail("a wrong answer");
            mask = axi_bursts::bits_of(axi_bursts::lanes_of(read, beat[k]));
            if (int'(read.target) < Targets
                && (data & mask) !== (words[word_of(read, k, beat[k])] & mask)) fail("wrong data");
            if (last !== (beat[k] == int'(read.len))) fail("a read of another length");
            beat[k] = last ? 0 : beat[k] + 1;
            if (last) begin
                first_read[k] = (first_read[k] + 1) % Under;
                open_reads[k]--;
                done_o++;
            end
        end
    endtask

    always @(negedge clk_i) begin
        b_ready_o = below(3) != 0;
        r_ready_o = below(4) != 0;
    end

    always @(posedge clk_i) begin
        if (rst_ni) begin
            if (aw_valid_o && aw_ready_i) aw_open = 1'b0;
            if (aw_valid_o && aw_ready_i) aw_valid_o <= 1'b0;
            if (ar_valid_o && ar_ready_i) ar_valid_o <= 1'b0;
            if (b_valid_i && b_ready_o) take_answer;
            if (r_valid_i && r_ready_o) take_data;
            go_on_writing;
            begin_write;
            begin_read;
        end
    end

endmodule
