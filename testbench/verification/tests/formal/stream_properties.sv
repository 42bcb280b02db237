// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network interface (hw/rtl/node/stream_interface.sv) that sends to itself, over a register each way
// in place of a network. Whatever is offered and taken, and whenever: what comes is what was sent, in
// order, with its ends; a class never waits for another one at the node; no flit is sent without a
// credit, and no credit comes twice; packets do not mix on a virtual channel; and what stands at a
// stream stays until it is taken.

module stream_properties #(
    parameter int Depth = 2,
    parameter int PacketFlits = 0,
    /// One virtual channel each.
    parameter int Classes = 1,
    localparam int Bits = node_pkg::HeaderBits,
    localparam int NodeBits = router_pkg::NodeBits,
    localparam int LengthBits = node_pkg::LengthBits,
    localparam int SequenceBits = node_pkg::SequenceBits
) (
    input logic                          clk_i,
    input logic                          rst_ni,
    input logic [Classes-1:0]            s_valid_i,
    input logic [Classes-1:0]            s_null_i,
    input logic [Classes*NodeBits-1:0]   s_destination_i,
    input logic [Classes*LengthBits-1:0] s_length_i,
    input logic [Classes*Bits-1:0]       s_data_i,
    input logic [Classes-1:0]            m_ready_i,
    input logic                          node_i
);

    localparam int VcBits = Classes > 1 ? $clog2(Classes) : 1;

    logic [Classes-1:0] s_ready, s_last, m_valid, m_last, m_null, m_more;
    logic [Classes*NodeBits-1:0] m_source;
    logic [Classes*SequenceBits-1:0] m_sequence;
    logic [Classes*Bits-1:0] m_data;
    logic valid, head, tail, valid_q, head_q, tail_q;
    logic [VcBits-1:0] vc, vc_q;
    logic [Bits-1:0] data, data_q;
    logic [Classes-1:0] credit, credit_q;

    stream_interface #(
        .VirtualChannels(Classes), .Classes(Classes), .Depth(Depth), .FlitBits(Bits),
        .PacketFlits(PacketFlits)
    ) dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i(node_i),
        .s_valid_i(s_valid_i), .s_ready_o(s_ready), .s_last_i(s_last), .s_null_i(s_null_i),
        .s_destination_i(s_destination_i), .s_length_i(s_length_i), .s_data_i(s_data_i),
        .m_valid_o(m_valid), .m_ready_i(m_ready_i), .m_last_o(m_last), .m_null_o(m_null),
        .m_more_o(m_more), .m_source_o(m_source), .m_sequence_o(m_sequence), .m_data_o(m_data),
        .inject_valid_o(valid), .inject_vc_o(vc), .inject_head_o(head), .inject_tail_o(tail),
        .inject_data_o(data), .inject_credit_i(credit_q),
        .eject_valid_i(valid_q), .eject_vc_i(vc_q), .eject_head_i(head_q), .eject_tail_i(tail_q),
        .eject_data_i(data_q), .eject_credit_o(credit)
    );

    always_ff @(posedge clk_i) begin
        valid_q <= rst_ni && valid;
        credit_q <= rst_ni ? credit : '0;
        {vc_q, head_q, tail_q, data_q} <= {vc, head, tail, data};
    end

    logic node_q;
    always_ff @(posedge clk_i) node_q <= node_i;
    always_comb if (rst_ni) assume (node_i == node_q);

    generate
        for (genvar k = 0; k < Classes; k++) begin : gen_class
            localparam int Most = Depth + 5;  // beats on their way
            localparam int CountBits = $clog2(Most + 1);

            // ---- Messages of one to seven beats, or of none ----------------------------------
            logic [LengthBits-1:0] left_q, length;
            logic in_message_q, takes;
            assign takes = s_valid_i[k] && s_ready[k];
            assign length = in_message_q ? left_q : s_length_i[k*LengthBits+:LengthBits];
            assign s_last[k] = length == LengthBits'(1);
            always_ff @(posedge clk_i) begin
                if (!rst_ni) in_message_q <= 1'b0;
                else if (takes) in_message_q <= !s_last[k];
                if (takes) left_q <= length - 1'b1;
            end
            always_comb begin
                if (rst_ni) begin
                    assume (length != '0);
                    if (s_null_i[k]) assume (s_last[k] && !in_message_q);
                end
            end

            // ---- What is on its way, the oldest beat first -----------------------------------
            logic [Most*(Bits+2)-1:0] list_q, list;
            logic [CountBits-1:0] count_q, count;
            logic gives;
            assign gives = m_valid[k] && m_ready_i[k];
            always_comb begin
                list = list_q;
                count = count_q;
                if (gives) begin
                    list = list_q >> (Bits + 2);
                    count = count_q - 1'b1;
                end
                if (takes) begin
                    list[count*(Bits+2)+:Bits+2] = {s_last[k], s_null_i[k], s_data_i[k*Bits+:Bits]};
                    count = count + 1'b1;
                end
            end
            always_ff @(posedge clk_i) begin
                if (!rst_ni) count_q <= '0;
                else count_q <= count;
                list_q <= list;
            end

            // ---- Credits, packets, and what stood here before --------------------------------
            logic [$clog2(Depth+2)-1:0] open_credits_q;  // spent
            logic in_packet_q, stood_q, sends;
            logic [Bits+2:0] beat_q, beat;
            assign sends = valid && (Classes == 1 || vc == VcBits'(k));
            assign beat = {m_last[k], m_null[k], m_more[k], m_null[k] ? '0 : m_data[k*Bits+:Bits]};
            always_ff @(posedge clk_i) begin
                if (!rst_ni) begin
                    open_credits_q <= '0;
                    in_packet_q <= 1'b0;
                    stood_q <= 1'b0;
                end else begin
                    open_credits_q <= open_credits_q + sends - credit_q[k];
                    if (sends) in_packet_q <= !tail;
                    stood_q <= m_valid[k] && !m_ready_i[k];
                end
                beat_q <= beat;
            end

            always_comb begin
                if (rst_ni) begin
                    assert (count_q <= Most);
                    assert (!sends || open_credits_q < Depth);
                    assert (!credit_q[k] || open_credits_q != '0);
                    assert (!sends || head != in_packet_q);
                    assert (!stood_q || (m_valid[k] && beat == beat_q));
                    if (m_valid[k]) begin
                        assert (count_q != '0);
                        assert (m_null[k] == list_q[Bits]);
                        assert (m_null[k] || m_data[k*Bits+:Bits] == list_q[Bits-1:0]);
                        assert ((m_last[k] && !m_more[k]) == list_q[Bits+1]);
                        assert (m_source[k*NodeBits+:NodeBits] == node_i);
                    end
                end
            end
        end
    endgenerate

endmodule
