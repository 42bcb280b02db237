// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes that send: each offers the beats of its messages in order, a message from the cycle on
// before the one in which it may leave. A beat that is offered stays until it is taken.

module stream_source (
    input  logic                                           clk_i,
    input  logic                                           running_i,
    input  int                                             now_i,      // the cycle
    input  int                                             percent_i,  // of the cycles in which one is offered
    output logic [stream_types::Queues-1:0]                s_valid_o,
    input  logic [stream_types::Queues-1:0]                s_ready_i,
    output logic [stream_types::Queues-1:0]                s_last_o,
    output logic [stream_types::Queues-1:0]                s_null_o,
    output logic [stream_types::Queues*stream_types::NodeBits-1:0]   s_destination_o,
    output logic [stream_types::Queues*stream_types::LengthBits-1:0] s_length_o,
    output logic [stream_types::Queues*stream_types::FlitBits-1:0]   s_data_o
);

    import stream_types::beat_t;

    localparam int Queues = stream_types::Queues;
    localparam int NodeBits = stream_types::NodeBits;
    localparam int LengthBits = stream_types::LengthBits;
    localparam int FlitBits = stream_types::FlitBits;

    logic [$bits(beat_t)-1:0] beats [0:replay_pkg::Beats-1];
    int next [0:Queues-1];  // the beat that a queue offers
    logic [Queues-1:0] waits = '0;  // was offered, and not taken
    int seed = 1;
    beat_t beat;

    initial begin
        $readmemh("replay/beats.hex", beats);
        for (int q = 0; q < Queues; q++) next[q] = replay_pkg::Beats;
        for (int i = replay_pkg::Beats - 1; i >= 0; i--) begin
            beat = beats[i];
            next[int'(beat.stream)] = i;
        end
        {s_valid_o, s_last_o, s_null_o, s_destination_o, s_length_o, s_data_o} = '0;
    end

    always @(negedge clk_i) begin
        for (int q = 0; q < Queues; q++) begin
            beat = next[q] < replay_pkg::Beats ? beats[next[q]] : '1;
            s_valid_o[q] = running_i && beat.stream == 32'(q) && $signed(beat.begins) <= now_i + 1
                && (waits[q] || $unsigned($random(seed)) % 100 < percent_i);
            if (s_valid_o[q]) begin
                s_last_o[q] = beat.marks[0];
                s_null_o[q] = beat.marks[1];
                s_destination_o[q*NodeBits+:NodeBits] = beat.destination;
                s_length_o[q*LengthBits+:LengthBits] = beat.length;
                s_data_o[q*FlitBits+:FlitBits] = replay_types::widened(beat.word);
            end
        end
    end

    always @(posedge clk_i) begin
        for (int q = 0; q < Queues; q++) begin
            if (s_valid_o[q] && s_ready_i[q]) next[q] <= next[q] + 1;
            waits[q] <= s_valid_o[q] && !s_ready_i[q];
        end
    end

endmodule
