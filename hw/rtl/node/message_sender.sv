// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes packets of a stream of messages, those of one message class: a header before the beats of
// each, and a virtual channel, the first one with a credit after that of the packet before. Two beats
// are buffered, so that a packet follows another one without a pause.

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

    localparam bit Cuts = PacketFlits > 0;
    localparam int BeatBits = (Cuts ? LengthBits : 0) + FlitBits + router_pkg::NodeBits + 2;

    // ---- Two beats ------------------------------------------------------------------------------
    logic [BeatBits-1:0] beat;
    logic has_beat, pop, last, null_message;

    register_slice #(.Width(BeatBits)) i_beats (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .ready_o(ready_o),
        .data_i(BeatBits'({length_i, last_i, null_i, destination_i, data_i})),
        .valid_o(has_beat), .ready_i(pop), .data_o(beat)
    );
    assign {last, null_message, destination_o, data_o} = beat[FlitBits+router_pkg::NodeBits+1:0];

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
        if (!Cuts) begin : gen_whole
            assign full = 1'b0;
            assign more_o = 1'b0;
            logic unused;
            assign unused = &{1'b0, length_i};
        end else begin : gen_cut
            localparam int CountBits = $clog2(PacketFlits + 1);
            logic [LengthBits-1:0] left_q, left;  // beats of this message
            logic [CountBits-1:0] count_q;        // beats sent of this packet
            logic in_message_q;                   // not its first packet

            assign left = in_message_q ? left_q : beat[BeatBits-1-:LengthBits];
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
    assign request_o = has_beat && (available_i & vc_o) != '0;

    always_ff @(posedge clk_i) begin
        if (send_i && head_o) held_q <= chosen;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            sends_what_it_has : assert (!send_i || request_o)
                else $error("sent without a flit or a credit");
            null_is_a_message : assert (!has_beat || !null_message || last)
                else $error("a message without payload has one beat, the last");
        end
    end
`endif

endmodule
