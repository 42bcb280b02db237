// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface (hw/TIMING.md, "Network interface", "Streams at the nodes"): a node hands over
// messages as streams, one per message class, and takes packets as streams, one per virtual channel,
// each with valid and ready. So a packet that a node does not take never stops one of another class.

module stream_interface #(
    parameter int VirtualChannels = 1,
    /// Message classes, as of the router; they divide the virtual channels evenly, in order.
    parameter logic [router_pkg::ClassesBits-1:0] Classes = 1,
    /// Flits of the router's FIFO per virtual channel, and of the one here.
    parameter int Depth = 8,
    /// Payload bits of a flit, at least node_pkg::HeaderBits.
    parameter int FlitBits = 64,
    /// Payload flits of a packet; a longer message becomes several. 0: each message is one packet.
    parameter int PacketFlits = 0,
    localparam int Count = 32'(Classes[15:0]),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = router_pkg::NodeBits,
    localparam int LengthBits = node_pkg::LengthBits,
    localparam int SequenceBits = node_pkg::SequenceBits
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    input  logic [NodeBits-1:0]                     node_i,  // its number, constant
    // messages of each class (message_sender)
    input  logic [Count-1:0]                        s_valid_i,
    output logic [Count-1:0]                        s_ready_o,
    input  logic [Count-1:0]                        s_last_i,
    input  logic [Count-1:0]                        s_null_i,
    input  logic [Count*NodeBits-1:0]               s_destination_i,
    input  logic [Count*LengthBits-1:0]             s_length_i,
    input  logic [Count*FlitBits-1:0]               s_data_i,
    // packets from each virtual channel (packet_receiver)
    output logic [VirtualChannels-1:0]              m_valid_o,
    input  logic [VirtualChannels-1:0]              m_ready_i,
    output logic [VirtualChannels-1:0]              m_last_o,
    output logic [VirtualChannels-1:0]              m_null_o,
    output logic [VirtualChannels-1:0]              m_more_o,
    output logic [VirtualChannels*NodeBits-1:0]     m_source_o,
    output logic [VirtualChannels*SequenceBits-1:0] m_sequence_o,
    output logic [VirtualChannels*FlitBits-1:0]     m_data_o,
    // a local port of the router
    output logic                                    inject_valid_o,
    output logic [VcBits-1:0]                       inject_vc_o,
    output logic                                    inject_head_o,
    output logic                                    inject_tail_o,
    output logic [FlitBits-1:0]                     inject_data_o,
    input  logic [VirtualChannels-1:0]              inject_credit_i,
    input  logic                                    eject_valid_i,
    input  logic [VcBits-1:0]                       eject_vc_i,
    input  logic                                    eject_head_i,
    input  logic                                    eject_tail_i,
    input  logic [FlitBits-1:0]                     eject_data_i,
    output logic [VirtualChannels-1:0]              eject_credit_o
);

    localparam int Vcs = VirtualChannels / Count;  // of a class

    // ---- Into the network -----------------------------------------------------------------------
    logic [VirtualChannels-1:0] available, vc, sent_vc, unused_several, unused_kept;
    logic [Count-1:0] request, send, head, tail, more;
    logic [Count*NodeBits-1:0] destination;
    logic [Count*FlitBits-1:0] data;
    logic [SequenceBits-1:0] sequence_q;  // number of the next packet

    generate
        if (Classes[router_pkg::ClassesBits-1:16] != '0) begin : gen_arbiter
            logic [Count-1:0] preferred;
            class_arbiter #(
                .Requests(Count), .VirtualChannels(Count), .Classes(Classes)
            ) i_preferred (
                .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request), .vcs_i(request), .sent_i(send),
                .preferred_o(preferred)
            );
            round_robin_arbiter #(.Requests(Count)) i_classes (
                .clk_i(clk_i), .rst_ni(rst_ni), .request_i(preferred), .advance_i(1'b1),
                .grant_o(send)
            );
        end else begin : gen_arbiter
            round_robin_arbiter #(.Requests(Count)) i_classes (
                .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request), .advance_i(1'b1),
                .grant_o(send)
            );
        end
    endgenerate

    generate
        for (genvar k = 0; k < Count; k++) begin : gen_class
            message_sender #(
                .VirtualChannels(Vcs), .FlitBits(FlitBits), .PacketFlits(PacketFlits)
            ) i_sender (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .valid_i(s_valid_i[k]), .ready_o(s_ready_o[k]), .last_i(s_last_i[k]),
                .null_i(s_null_i[k]), .destination_i(s_destination_i[k*NodeBits+:NodeBits]),
                .length_i(s_length_i[k*LengthBits+:LengthBits]),
                .data_i(s_data_i[k*FlitBits+:FlitBits]),
                .available_i(available[k*Vcs+:Vcs]), .request_o(request[k]), .send_i(send[k]),
                .head_o(head[k]), .tail_o(tail[k]), .more_o(more[k]),
                .destination_o(destination[k*NodeBits+:NodeBits]),
                .data_o(data[k*FlitBits+:FlitBits]), .vc_o(vc[k*Vcs+:Vcs])
            );
            assign sent_vc[k*Vcs+:Vcs] = send[k] ? vc[k*Vcs+:Vcs] : '0;
        end
        for (genvar v = 0; v < VirtualChannels; v++) begin : gen_credit
            credit_counter #(.Depth(Depth)) i_counter (
                .clk_i(clk_i), .rst_ni(rst_ni), .credit_i(inject_credit_i[v]), .take_i(sent_vc[v]),
                .available_o(available[v]), .several_o(unused_several[v]), .kept_o(unused_kept[v])
            );
        end
    endgenerate

    logic unused_next;
    assign unused_next = &{1'b0, unused_several, unused_kept};

    logic more_packets;
    logic [NodeBits-1:0] to;
    logic [FlitBits-1:0] beat;

    always_comb begin
        more_packets = 1'b0;
        inject_vc_o = '0;
        to = '0;
        beat = '0;
        for (int unsigned k = 0; k < Count; k++) begin
            more_packets = more_packets | (send[k] & more[k]);
            to = to | (send[k] ? destination[k*NodeBits+:NodeBits] : '0);
            beat = beat | (send[k] ? data[k*FlitBits+:FlitBits] : '0);
        end
        for (int unsigned v = 0; v < VirtualChannels; v++) begin
            inject_vc_o = inject_vc_o | (sent_vc[v] ? VcBits'(v) : '0);
        end
    end

    assign inject_valid_o = send != '0;
    assign inject_head_o = (send & head) != '0;
    assign inject_tail_o = (send & tail) != '0;
    assign inject_data_o =
        inject_head_o ? FlitBits'({more_packets, sequence_q, node_i, to}) : beat;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) sequence_q <= '0;
        else if (inject_head_o) sequence_q <= sequence_q + 1'b1;
    end

    // ---- Out of the network ---------------------------------------------------------------------
    generate
        for (genvar v = 0; v < VirtualChannels; v++) begin : gen_receiver
            packet_receiver #(.Depth(Depth), .FlitBits(FlitBits)) i_receiver (
                .clk_i(clk_i), .rst_ni(rst_ni),
                .flit_valid_i(eject_valid_i && (VirtualChannels == 1 || eject_vc_i == VcBits'(v))),
                .flit_head_i(eject_head_i), .flit_tail_i(eject_tail_i), .flit_data_i(eject_data_i),
                .credit_o(eject_credit_o[v]), .valid_o(m_valid_o[v]), .ready_i(m_ready_i[v]),
                .last_o(m_last_o[v]), .null_o(m_null_o[v]), .more_o(m_more_o[v]),
                .source_o(m_source_o[v*NodeBits+:NodeBits]),
                .sequence_o(m_sequence_o[v*SequenceBits+:SequenceBits]),
                .data_o(m_data_o[v*FlitBits+:FlitBits])
            );
        end
        if (VirtualChannels == 1) begin : gen_unused
            logic unused;
            assign unused = &{1'b0, eject_vc_i};
        end
    endgenerate

`ifndef SYNTHESIS
    generate
        if (Count < 1 || VirtualChannels % Count != 0) begin : gen_classes_refused
            $error("stream_interface: Classes = %0d, a divisor of VirtualChannels = %0d", Count,
                   VirtualChannels);
        end
        if (FlitBits < node_pkg::HeaderBits) begin : gen_width_refused
            $error("stream_interface: FlitBits = %0d, at least %0d", FlitBits, node_pkg::HeaderBits);
        end
        if (PacketFlits < 0) begin : gen_packets_refused
            $error("stream_interface: PacketFlits = %0d, at least 0", PacketFlits);
        end
    endgenerate
`endif

endmodule
