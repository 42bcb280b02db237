// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Between the network interface of a node and an AXI4 subordinate, such as a memory: requests become
// reads and writes, which all have ID 0, so that replies come in the order of the requests; who asked,
// and with which ID, waits in a FIFO for each direction. The subordinate sees no exclusive accesses.

module axi_subordinate_bridge #(
    parameter int AddressBits = 32,
    parameter int DataBits = 64,
    parameter int IdBits = 4,
    /// Payload bits of a flit.
    parameter int FlitBits = 72,
    /// Reads, and writes, under way; further requests wait in the network.
    parameter int Outstanding = 4,
    localparam int NodeBits = router_pkg::NodeBits
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    // to the subordinate
    output logic [AddressBits-1:0]          aw_addr_o,
    output logic [axi_pkg::ControlBits-1:0] aw_control_o,  // {len, size, burst, cache, prot}
    output logic                            aw_valid_o,
    input  logic                            aw_ready_i,
    output logic [DataBits-1:0]             w_data_o,
    output logic [DataBits/8-1:0]           w_strb_o,
    output logic                            w_last_o,
    output logic                            w_valid_o,
    input  logic                            w_ready_i,
    input  logic [axi_pkg::RespBits-1:0]    b_resp_i,
    input  logic                            b_valid_i,
    output logic                            b_ready_o,
    output logic [AddressBits-1:0]          ar_addr_o,
    output logic [axi_pkg::ControlBits-1:0] ar_control_o,
    output logic                            ar_valid_o,
    input  logic                            ar_ready_i,
    input  logic [DataBits-1:0]             r_data_i,
    input  logic [axi_pkg::RespBits-1:0]    r_resp_i,
    input  logic                            r_last_i,
    input  logic                            r_valid_i,
    output logic                            r_ready_o,
    // the stream of requests, and that of replies
    input  logic                            m_valid_i,
    output logic                            m_ready_o,
    input  logic                            m_last_i,
    input  logic [NodeBits-1:0]             m_source_i,
    input  logic [FlitBits-1:0]             m_data_i,
    output logic                            s_valid_o,
    input  logic                            s_ready_i,
    output logic                            s_last_o,
    output logic [NodeBits-1:0]             s_destination_o,
    output logic [FlitBits-1:0]             s_data_o
);

    localparam int CommandBits = axi_pkg::ControlBits + AddressBits;
    localparam int WriteBits = 1 + DataBits / 8 + DataBits;
    localparam int OwnerBits = NodeBits + IdBits;

    // ---- Requests: the address of a write, its data and the address of a read side by side ------
    logic in_data_q, is_write, aw_valid, aw_ready, ar_valid, ar_ready, w_valid, w_ready;
    logic [IdBits-1:0] id;
    logic [CommandBits-1:0] command;  // {control, address}
    logic [1:0] has_room, begins, ends;  // bit 1: write, bit 0: read
    logic [2*OwnerBits-1:0] owner;       // of the oldest one under way

    assign {is_write, id, command} = m_data_i[IdBits+CommandBits:0];
    assign aw_valid = m_valid_i && !in_data_q && is_write && has_room[1];
    assign ar_valid = m_valid_i && !in_data_q && !is_write && has_room[0];
    assign w_valid = m_valid_i && in_data_q;
    assign begins = {aw_valid && aw_ready, ar_valid && ar_ready};
    assign m_ready_o = in_data_q ? w_ready : begins != '0;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) in_data_q <= 1'b0;
        else if (m_valid_i && m_ready_o) in_data_q <= in_data_q ? !m_last_i : is_write;
    end

    register_slice #(.Width(CommandBits)) i_aw (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(aw_valid), .ready_o(aw_ready), .data_i(command),
        .valid_o(aw_valid_o), .ready_i(aw_ready_i), .data_o({aw_control_o, aw_addr_o})
    );
    register_slice #(.Width(CommandBits)) i_ar (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(ar_valid), .ready_o(ar_ready), .data_i(command),
        .valid_o(ar_valid_o), .ready_i(ar_ready_i), .data_o({ar_control_o, ar_addr_o})
    );
    register_slice #(.Width(WriteBits)) i_w (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(w_valid), .ready_o(w_ready),
        .data_i({m_last_i, m_data_i[WriteBits-2:0]}), .valid_o(w_valid_o), .ready_i(w_ready_i),
        .data_o({w_last_o, w_strb_o, w_data_o})
    );

    // ---- Who asked ------------------------------------------------------------------------------
    logic [1:0] unused_valid, unused_head, unused_tail, unused_vcs, unused_several, unused_kept;
    logic [3:0] unused_route;
    logic unused;
    assign unused = &{1'b0, m_data_i, unused_valid, unused_head, unused_tail, unused_vcs, unused_several,
                      unused_kept, unused_route};

    generate
        for (genvar d = 0; d < 2; d++) begin : gen_direction
            credit_counter #(.Depth(Outstanding)) i_room (
                .clk_i(clk_i), .rst_ni(rst_ni), .credit_i(ends[d]), .take_i(begins[d]),
                .available_o(has_room[d]), .several_o(unused_several[d]), .kept_o(unused_kept[d])
            );
            flit_fifo #(.FlitBits(OwnerBits), .Depth(Outstanding), .Ports(2)) i_owners (
                .clk_i(clk_i), .rst_ni(rst_ni), .push_i(begins[d]), .head_i(1'b1), .tail_i(1'b1),
                .port_i(1'b0), .vcs_i(1'b0), .data_i({m_source_i, id}), .pop_i(ends[d]),
                .valid_o(unused_valid[d]), .head_o(unused_head[d]), .tail_o(unused_tail[d]),
                .data_o(owner[d*OwnerBits+:OwnerBits]), .route_o(unused_route[d*2+:2]),
                .vcs_o(unused_vcs[d])
            );
        end
    endgenerate

    // ---- Replies: the beats of a read, or the one of a write ------------------------------------
    logic b_valid, b_ready, r_valid, r_ready, r_last;
    logic [axi_pkg::RespBits-1:0] b_resp, r_resp;
    logic [DataBits-1:0] r_data;
    logic stays_q, chosen_q, chosen;  // a write
    logic prefers_write_q;

    register_slice #(.Width(axi_pkg::RespBits)) i_b (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(b_valid_i), .ready_o(b_ready_o), .data_i(b_resp_i),
        .valid_o(b_valid), .ready_i(b_ready), .data_o(b_resp)
    );
    register_slice #(.Width(1 + axi_pkg::RespBits + DataBits)) i_r (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(r_valid_i), .ready_o(r_ready_o),
        .data_i({r_last_i, r_resp_i, r_data_i}), .valid_o(r_valid), .ready_i(r_ready),
        .data_o({r_last, r_resp, r_data})
    );

    assign chosen = stays_q ? chosen_q : b_valid && (prefers_write_q || !r_valid);
    assign s_valid_o = chosen ? b_valid : r_valid;
    assign s_last_o = chosen || r_last;
    assign {s_destination_o, s_data_o} = chosen
        ? {owner[OwnerBits+IdBits+:NodeBits],
           FlitBits'({1'b1, owner[OwnerBits+:IdBits], b_resp, {DataBits{1'b0}}})}
        : {owner[IdBits+:NodeBits], FlitBits'({1'b0, owner[0+:IdBits], r_resp, r_data})};
    assign b_ready = chosen && s_ready_i;
    assign r_ready = !chosen && s_ready_i;
    assign ends = {chosen, !chosen} & {2{s_valid_o && s_ready_i && s_last_o}};

    // A message that has begun goes on, as does a beat that stands at the stream.
    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            stays_q <= 1'b0;
            prefers_write_q <= 1'b0;
        end else if (s_valid_o) begin
            stays_q <= ends == '0;
            if (ends != '0) prefers_write_q <= !chosen;
        end
    end
    always_ff @(posedge clk_i) begin
        if (s_valid_o) chosen_q <= chosen;
    end

endmodule
