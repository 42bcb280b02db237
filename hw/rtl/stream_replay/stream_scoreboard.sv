// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares what nodes get with what was sent, in whatever cycle it comes: every packet once, whole and
// in order, on one virtual channel.

module stream_scoreboard (
    input logic                                          clk_i,
    input logic                                          running_i,
    input int                                            now_i,  // the cycle
    // the streams out of the network
    input logic [stream_types::Streams-1:0]              m_valid_i,
    input logic [stream_types::Streams-1:0]              m_ready_i,
    input logic [stream_types::Streams-1:0]              m_last_i,
    input logic [stream_types::Streams-1:0]              m_null_i,
    input logic [stream_types::Streams-1:0]              m_more_i,
    input logic [stream_types::Streams*stream_types::NodeBits-1:0] m_source_i,
    input logic [stream_types::Streams*stream_types::FlitBits-1:0] m_data_i,
    output int                                           packets_o,  // so far
    output int                                           beats_o,
    output int                                           last_o,     // cycle of the last beat
    output logic                                         done_o
);

    import replay_types::flit_t;

    localparam int Vcs = stream_types::Vcs;
    localparam int FlitBits = stream_types::FlitBits;
    localparam int NodeBits = stream_types::NodeBits;
    localparam int Flits = replay_pkg::Flits;

    logic [$bits(flit_t)-1:0] deliveries [0:Flits-1];
    logic taken [0:Flits-1];
    int first = 0;  // flit that is not taken; all before are, or are headers
    int current [0:stream_types::Streams-1];  // flit of the packet that comes, or -1
    int found;
    flit_t flit;

    initial begin
        $readmemh("replay/deliveries.hex", deliveries);
        for (int s = 0; s < stream_types::Streams; s++) current[s] = -1;
        for (int i = 0; i < Flits; i++) taken[i] = 1'b0;
        packets_o = 0;
        beats_o = 0;
        last_o = 0;
        done_o = 1'b0;
    end

    /// Whether no beat at a node will be this flit.
    function automatic logic is_passed(input int i);
        flit_t one;
        one = deliveries[i];
        is_passed = taken[i] || (one.marks[1] && !one.marks[0]);
    endfunction

    /// The flit that is the beat at stream `s`, and follows flit `i` of its packet; it is the first
    /// beat of a packet if `i` is -1. -1: there is none.
    function automatic int follower(input int i, input int s);
        flit_t one, previous;
        logic follows;
        previous = i < 0 ? '0 : deliveries[i];
        follower = -1;
        for (int j = i < 0 ? first : i + 1; j < Flits && follower < 0; j++) begin
            one = deliveries[j];
            if (i < 0) follows = one.marks[1] ? one.marks[0] : one.position == 1;
            else begin
                follows = one.source == previous.source && one.packet == previous.packet
                    && one.position == previous.position + 1;
            end
            if (follows && !taken[j] && int'(one.node) == s / Vcs && m_last_i[s] === one.marks[0]
                && m_null_i[s] === one.marks[1] && m_more_i[s] === one.marks[2]
                && m_source_i[s*NodeBits+:NodeBits] === one.source
                && (one.marks[1]
                    || m_data_i[s*FlitBits+:FlitBits] === replay_types::widened(one.word))) begin
                follower = j;
            end
        end
    endfunction

    // Just before the edge that ends the cycle.
    always @(posedge clk_i) begin
        for (int s = 0; s < stream_types::Streams; s++) begin
            if (running_i && m_valid_i[s] !== 1'b0 && m_ready_i[s]) begin
                found = follower(current[s], s);
                if (found < 0) begin
                    $display("FAIL: node %0d: in cycle %0d, on virtual channel %0d, a beat that was not sent, or not next: last %b, null %b, node %0d, %h",
                             s / Vcs, now_i, s % Vcs, m_last_i[s], m_null_i[s],
                             m_source_i[s*NodeBits+:NodeBits], m_data_i[s*FlitBits+:FlitBits]);
                    $fatal(1, "the fabric does not deliver what was sent");
                end
                flit = deliveries[found];
                taken[found] = 1'b1;
                while (first < Flits && is_passed(first)) first++;
                current[s] = flit.marks[0] ? -1 : found;
                packets_o += int'(flit.marks[0]);
                beats_o++;
                last_o = now_i;
            end
        end
        if (running_i && beats_o < replay_pkg::Beats
            && now_i > replay_pkg::LastCycle + replay_types::Settling + last_o) begin
            $display("FAIL: %0d of %0d beats have come, and none after cycle %0d", beats_o,
                     replay_pkg::Beats, last_o);
            $fatal(1, "the fabric does not deliver what was sent");
        end
        done_o <= beats_o == replay_pkg::Beats && now_i > last_o + replay_types::Settling;
    end

endmodule
