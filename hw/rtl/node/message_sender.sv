// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes packets of a stream of messages, those of one message class: a header before the beats of
// each, and a virtual channel, the first one with a credit after that of the packet before. Two beats
// are buffered, so that ready is a register and a packet follows another one without a pause. In reset
// nothing is taken.

module message_sender #(
    /// Virtual channels of the class, at least 1.
    parameter int VirtualChannels = 1,
    /// Payload bits of a flit.
    parameter int FlitBits = 64,
    /// Payload flits of a packet; a longer message becomes several. 0: each message is one packet.
    parameter int PacketFlits = 0,
    localparam int LengthBits = node_pkg::LengthBits
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    // the stream: a beat is taken in a cycle with valid and ready
    input  logic                                valid_i,
    output logic                                ready_o,
    input  logic                                last_i,         // last beat of its message
    input  logic                                null_i,         // a message without payload, of this beat
    input  logic [router_pkg::NodeBits-1:0]     destination_i,  // with the first beat of a message,
    input  logic [LengthBits-1:0]               length_i,       // and its beats, if packets are cut
    input  logic [FlitBits-1:0]                 data_i,
    // the channel: the flit at hand, and whether it is sent in this cycle
    input  logic [VirtualChannels-1:0]          available_i,    // credits
    output logic                                request_o,      // there is a flit, and a credit for it
    input  logic                                send_i,         // only where request_o
    output logic                                head_o,
    output logic                                tail_o,
    output logic                                more_o,         // of a head: another packet follows
    output logic [router_pkg::NodeBits-1:0]     destination_o,  // of a head
    output logic [FlitBits-1:0]                 data_o,         // of any other flit
    output logic [VirtualChannels-1:0]          vc_o            // one-hot
);

    localparam int BeatBits = FlitBits + router_pkg::NodeBits + 2;

    // ---- Two beats ------------------------------------------------------------------------------
    logic [BeatBits-1:0] beat, front_q, behind_q;
    logic front_valid_q, behind_valid_q, stays_behind, ready_q, push, pop;
    logic last, null_message;

    assign beat = {last_i, null_i, destination_i, data_i};
    assign push = valid_i && ready_o;
    assign ready_o = ready_q;
    assign stays_behind = !pop && (behind_valid_q || (push && front_valid_q));

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            front_valid_q <= 1'b0;
            behind_valid_q <= 1'b0;
            ready_q <= 1'b0;
        end else begin
            front_valid_q <= pop ? behind_valid_q || push : front_valid_q || push;
            behind_valid_q <= stays_behind;
            ready_q <= !stays_behind;
        end
    end

    always_ff @(posedge clk_i) begin
        if (pop || !front_valid_q) front_q <= behind_valid_q ? behind_q : beat;
        if (push) behind_q <= beat;
    end

    assign {last, null_message, destination_o, data_o} = front_q;

    // ---- Packets: a header, then beats ----------------------------------------------------------
    logic in_packet_q;  // the header has been sent
    logic full;         // no further beat goes into this packet

    assign head_o = !in_packet_q;
    assign tail_o = head_o ? null_message : last || full;
    assign pop = send_i && (in_packet_q || null_message);

    always_ff @(posedge clk_i) begin
        if (!rst_ni) in_packet_q <= 1'b0;
        else if (send_i) in_packet_q <= !tail_o;
    end

    generate
        if (PacketFlits == 0) begin : gen_whole
            assign full = 1'b0;
            assign more_o = 1'b0;
            logic unused;
            assign unused = &{1'b0, length_i};
        end else begin : gen_cut
            localparam int CountBits = $clog2(PacketFlits + 1);
            logic [LengthBits-1:0] front_length_q, behind_length_q;  // those of the two beats
            logic [LengthBits-1:0] left_q, left;                     // beats of this message
            logic [CountBits-1:0] count_q;                           // beats sent of this packet
            logic in_message_q;                                      // not its first packet

            always_ff @(posedge clk_i) begin
                if (pop || !front_valid_q) front_length_q <= behind_valid_q ? behind_length_q : length_i;
                if (push) behind_length_q <= length_i;
            end

            assign left = in_message_q ? left_q : front_length_q;
            assign more_o = left > LengthBits'(PacketFlits);
            assign full = count_q == CountBits'(PacketFlits - 1);

            always_ff @(posedge clk_i) begin
                if (!rst_ni) in_message_q <= 1'b0;
                else if (send_i && head_o) in_message_q <= more_o;
            end

            always_ff @(posedge clk_i) begin
                if (send_i && head_o) left_q <= left - LengthBits'(PacketFlits);
                if (send_i) count_q <= head_o ? '0 : count_q + 1'b1;
            end

`ifndef SYNTHESIS
            always_ff @(posedge clk_i) begin
                if (rst_ni && send_i && !head_o) begin
                    length_is_that_of_the_message : assert (!full || last == !in_message_q)
                        else $error("a message is longer or shorter than its length said");
                end
            end
`endif
        end
    endgenerate

    // ---- The virtual channel --------------------------------------------------------------------
    logic [VirtualChannels-1:0] chosen, held_q;

    round_robin_arbiter #(.Requests(VirtualChannels)) i_arbiter (
        .clk_i(clk_i), .rst_ni(rst_ni), .request_i(available_i), .advance_i(send_i && head_o),
        .grant_o(chosen)
    );
    assign vc_o = head_o ? chosen : held_q;
    assign request_o = front_valid_q && (available_i & vc_o) != '0;

    always_ff @(posedge clk_i) begin
        if (send_i && head_o) held_q <= chosen;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            sends_what_it_has : assert (!send_i || request_o)
                else $error("sent without a flit or a credit");
            null_is_a_message : assert (!push || !null_i || last_i)
                else $error("a message without payload has one beat, the last");
        end
    end
`endif

endmodule
