// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Repeats a run of the simulator on a fabric whose nodes have streams. Nodes send what they sent there,
// and take what they get at once: every flit has its cycle. With +stalls=SEED nodes offer beats in 60
// and take them in 40 of 100 cycles; then every packet has to arrive, in whatever cycle. In simulation only.

module stream_replay;

    localparam int ResetCycles = 4;
    localparam int Queues = stream_types::Queues;
    localparam int Streams = stream_types::Streams;
    localparam int NodeBits = stream_types::NodeBits;
    localparam int FlitBits = stream_types::FlitBits;

    logic clk = 1'b0;
    always #1 clk = !clk;

    logic rst_n, ready;
    logic starts = 1'b0, running = 1'b0;
    int now = -1;  // a beat that is taken in this cycle can leave in cycle 0
    int seed;
    logic stalls = 1'b0;

    logic [Queues-1:0] s_valid, s_ready, s_last, s_null;
    logic [Queues*NodeBits-1:0] s_destination;
    logic [Queues*stream_types::LengthBits-1:0] s_length;
    logic [Queues*FlitBits-1:0] s_data;
    logic [Streams-1:0] m_valid, m_ready, m_last, m_null, m_more;
    logic [Streams*NodeBits-1:0] m_source;
    logic [Streams*stream_types::SequenceBits-1:0] m_sequence;
    logic [Streams*FlitBits-1:0] m_data;

    stream_nodes i_nodes (
        .clk_i(clk), .rst_ni(rst_n), .ready_o(ready),
        .s_valid_i(s_valid), .s_ready_o(s_ready), .s_last_i(s_last), .s_null_i(s_null),
        .s_destination_i(s_destination), .s_length_i(s_length), .s_data_i(s_data),
        .m_valid_o(m_valid), .m_ready_i(m_ready), .m_last_o(m_last), .m_null_o(m_null),
        .m_more_o(m_more), .m_source_o(m_source), .m_sequence_o(m_sequence), .m_data_o(m_data)
    );

    stream_source i_source (
        .clk_i(clk), .running_i(running), .now_i(now), .percent_i(stalls ? 60 : 100),
        .s_valid_o(s_valid), .s_ready_i(s_ready), .s_last_o(s_last), .s_null_o(s_null),
        .s_destination_o(s_destination), .s_length_o(s_length), .s_data_o(s_data)
    );

    int packets, flits, late_packets, beats, last_beat;
    logic in_step, arrived;

    stream_lockstep i_lockstep (
        .clk_i(clk), .running_i(running && !stalls), .now_i(now),
        .inject_valid_i(i_nodes.i_fabric.inject_valid), .inject_vc_i(i_nodes.i_fabric.inject_vc),
        .inject_head_i(i_nodes.i_fabric.inject_head), .inject_tail_i(i_nodes.i_fabric.inject_tail),
        .inject_data_i(i_nodes.i_fabric.inject_data),
        .m_valid_i(m_valid), .m_last_i(m_last), .m_null_i(m_null), .m_more_i(m_more),
        .m_source_i(m_source), .m_sequence_i(m_sequence), .m_data_i(m_data),
        .packets_o(packets), .flits_o(flits), .done_o(in_step)
    );

    stream_scoreboard i_scoreboard (
        .clk_i(clk), .running_i(running && stalls), .now_i(now),
        .m_valid_i(m_valid), .m_ready_i(m_ready), .m_last_i(m_last), .m_null_i(m_null),
        .m_more_i(m_more), .m_source_i(m_source), .m_data_i(m_data),
        .packets_o(late_packets), .beats_o(beats), .last_o(last_beat), .done_o(arrived)
    );

    always @(posedge clk) begin
        running <= starts;
        if (running) now <= now + 1;
    end

    always @(negedge clk) begin
        for (int s = 0; s < Streams; s++) m_ready[s] = !stalls || $unsigned($random(seed)) % 100 < 40;
    end

    initial begin
        stalls = $value$plusargs("stalls=%d", seed) != 0;
        m_ready = '1;
        rst_n = 1'b0;
        repeat (ResetCycles) @(negedge clk);
        rst_n = 1'b1;
        for (int waited = 0; ready !== 1'b1 || s_ready !== '1; waited++) begin
            if (waited == stream_types::Nodes + replay_types::Settling) begin
                $fatal(1, "FAIL: the routers stay in reset");
            end
            @(negedge clk);
        end
        starts = 1'b1;
        wait (stalls ? arrived : in_step);
        if (stalls) begin
            $display("PASS: %0d packets, %0d beats, each once and in order, up to cycle %0d with stalls",
                     late_packets, beats, last_beat);
        end else begin
            $display("PASS: %0d packets, %0d flits, every one at its node in its cycle (0 to %0d)",
                     packets, flits, replay_pkg::LastCycle);
        end
        $finish;
    end

endmodule
