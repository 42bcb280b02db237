// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Between an AXI4 manager and the network interface of its node: reads and writes become requests to the
// node of their address, replies come back as R and B. AW and its W beats are one message.
//
// Replies of one ID have to come in order (AXI4, A5.3). Those of one target do: its requests, and its
// replies, have one path and one virtual channel each. So a transaction waits while others of its ID and
// direction are under way to another target. An address without a target is answered here, with DECERR,
// once nothing is under way. Exclusive accesses get OKAY. The manager has to take replies, and to send
// the data of a write whose address was taken, whatever else it waits for.

module axi_manager_bridge #(
    parameter int AddressBits = 32,
    parameter int DataBits = 64,
    parameter int IdBits = 4,
    /// Payload bits of a flit.
    parameter int FlitBits = 72,
    /// Transactions under way.
    parameter int Outstanding = 4,
    /// Address ranges: first and last address, node.
    parameter int Ranges = 1,
    parameter logic [Ranges*AddressBits-1:0] First = '0,
    parameter logic [Ranges*AddressBits-1:0] Last = '0,
    parameter logic [Ranges*router_pkg::NodeBits-1:0] Nodes = '0,
    localparam int NodeBits = router_pkg::NodeBits
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    // from the manager
    input  logic [IdBits-1:0]             aw_id_i,
    input  logic [AddressBits-1:0]        aw_addr_i,
    input  logic [axi_pkg::ControlBits-1:0] aw_control_i,  // {len, size, burst, cache, prot}
    input  logic                          aw_valid_i,
    output logic                          aw_ready_o,
    input  logic [DataBits-1:0]           w_data_i,
    input  logic [DataBits/8-1:0]         w_strb_i,
    input  logic                          w_last_i,
    input  logic                          w_valid_i,
    output logic                          w_ready_o,
    output logic [IdBits-1:0]             b_id_o,
    output logic [axi_pkg::RespBits-1:0]  b_resp_o,
    output logic                          b_valid_o,
    input  logic                          b_ready_i,
    input  logic [IdBits-1:0]             ar_id_i,
    input  logic [AddressBits-1:0]        ar_addr_i,
    input  logic [axi_pkg::ControlBits-1:0] ar_control_i,
    input  logic                          ar_valid_i,
    output logic                          ar_ready_o,
    output logic [IdBits-1:0]             r_id_o,
    output logic [DataBits-1:0]           r_data_o,
    output logic [axi_pkg::RespBits-1:0]  r_resp_o,
    output logic                          r_last_o,
    output logic                          r_valid_o,
    input  logic                          r_ready_i,
    // the stream of requests, and that of replies
    output logic                          s_valid_o,
    input  logic                          s_ready_i,
    output logic                          s_last_o,
    output logic [NodeBits-1:0]           s_destination_o,
    output logic [FlitBits-1:0]           s_data_o,
    input  logic                          m_valid_i,
    output logic                          m_ready_o,
    input  logic                          m_last_i,
    input  logic [FlitBits-1:0]           m_data_i
);

    localparam int CountBits = $clog2(Outstanding + 1);
    localparam int CommandBits = IdBits + axi_pkg::ControlBits + AddressBits;
    localparam int WriteBits = DataBits / 8 + DataBits;
    localparam int AnswerBits = IdBits + axi_pkg::RespBits;

    // ---- All channels have registers: no path from pin to pin -----------------------------------
    logic [1:0] asks, taken;  // bit 1: write, bit 0: read
    logic [2*CommandBits-1:0] command;
    logic w_valid, w_ready, w_last, b_valid, b_ready, r_valid, r_ready, r_last;
    logic [WriteBits-1:0] w_beat;
    logic [AnswerBits-1:0] answer;  // {id, resp}
    logic [DataBits-1:0] answer_data, data;

    register_slice #(.Width(CommandBits)) i_aw (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(aw_valid_i), .ready_o(aw_ready_o),
        .data_i({aw_id_i, aw_control_i, aw_addr_i}), .valid_o(asks[1]), .ready_i(taken[1]),
        .data_o(command[CommandBits+:CommandBits])
    );
    register_slice #(.Width(CommandBits)) i_ar (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(ar_valid_i), .ready_o(ar_ready_o),
        .data_i({ar_id_i, ar_control_i, ar_addr_i}), .valid_o(asks[0]), .ready_i(taken[0]),
        .data_o(command[0+:CommandBits])
    );
    register_slice #(.Width(1 + WriteBits)) i_w (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(w_valid_i), .ready_o(w_ready_o),
        .data_i({w_last_i, w_strb_i, w_data_i}), .valid_o(w_valid), .ready_i(w_ready),
        .data_o({w_last, w_beat})
    );
    register_slice #(.Width(AnswerBits)) i_b (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(b_valid), .ready_o(b_ready), .data_i(answer),
        .valid_o(b_valid_o), .ready_i(b_ready_i), .data_o({b_id_o, b_resp_o})
    );
    register_slice #(.Width(1 + AnswerBits + DataBits)) i_r (
        .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(r_valid), .ready_o(r_ready),
        .data_i({r_last, answer, answer_data}), .valid_o(r_valid_o), .ready_i(r_ready_i),
        .data_o({r_last_o, r_id_o, r_resp_o, r_data_o})
    );

    // ---- Which transaction begins ---------------------------------------------------------------
    logic [CountBits-1:0] total_q;
    logic [1:0] known, in_order, may_begin, grant, begins, ends, fails;
    logic [2*NodeBits-1:0] node;
    logic in_data_q, in_error_q, error_data_q;
    logic [IdBits-1:0] reply_id;

    generate
        for (genvar d = 0; d < 2; d++) begin : gen_direction
            axi_target #(
                .AddressBits(AddressBits), .IdBits(IdBits), .Outstanding(Outstanding),
                .Ranges(Ranges), .First(First), .Last(Last), .Nodes(Nodes)
            ) i_target (
                .clk_i(clk_i), .rst_ni(rst_ni), .address_i(command[d*CommandBits+:AddressBits]),
                .id_i(command[(d+1)*CommandBits-1-:IdBits]), .known_o(known[d]),
                .node_o(node[d*NodeBits+:NodeBits]), .in_order_o(in_order[d]),
                .begins_i(begins[d]), .ends_i(ends[d]), .ended_id_i(reply_id)
            );
            // An address without a target keeps others from beginning, so that its turn comes.
            assign may_begin[d] = !known[d] ? total_q == '0
                : in_order[d] && total_q != CountBits'(Outstanding) && (asks & ~known) == '0;
        end
    endgenerate

    round_robin_arbiter #(.Requests(2)) i_arbiter (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .request_i(asks & may_begin & {2{!in_data_q && !in_error_q}}), .advance_i(taken != '0),
        .grant_o(grant)
    );
    assign begins = grant & known & {2{s_ready_i}};
    assign fails = grant & ~known;
    assign taken = begins | fails;

    // ---- Requests -------------------------------------------------------------------------------
    assign s_valid_o = in_data_q ? w_valid : (grant & known) != '0;
    assign s_last_o = in_data_q ? w_last : grant[0];
    assign s_destination_o = grant[1] ? node[NodeBits+:NodeBits] : node[0+:NodeBits];
    assign s_data_o = in_data_q ? FlitBits'(w_beat)
                                : FlitBits'({grant[1], grant[1] ? command[CommandBits+:CommandBits]
                                                                : command[0+:CommandBits]});
    assign w_ready = in_data_q ? s_ready_i : error_data_q;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            in_data_q <= 1'b0;
            total_q <= '0;
        end else begin
            in_data_q <= in_data_q ? !(w_valid && s_ready_i && w_last) : begins[1];
            total_q <= total_q + CountBits'(begins != '0) - CountBits'(ends != '0);
        end
    end

    // ---- Replies; those of addresses without a target while nothing else is under way -----------
    logic is_write, error_write_q, error_answers, error_ends;
    logic [axi_pkg::RespBits-1:0] resp;
    logic [IdBits-1:0] error_id_q;
    logic [axi_pkg::LenBits-1:0] error_left_q;  // R beats after this one
    logic unused;
    assign unused = &{1'b0, m_data_i};

    assign {is_write, reply_id, resp, data} = m_data_i[DataBits+AnswerBits:0];
    assign m_ready_o = is_write ? b_ready : r_ready;
    assign ends = {is_write, !is_write} & {2{m_valid_i && m_ready_o && m_last_i}};
    assign error_answers = in_error_q && !error_data_q;
    assign error_ends = error_answers && (error_write_q ? b_ready : r_ready && error_left_q == '0);
    assign b_valid = in_error_q ? error_answers && error_write_q : m_valid_i && is_write;
    assign r_valid = in_error_q ? error_answers && !error_write_q : m_valid_i && !is_write;
    assign r_last = in_error_q ? error_left_q == '0 : m_last_i;
    assign answer = in_error_q ? {error_id_q, axi_pkg::RespDecErr} : {reply_id, resp};
    assign answer_data = in_error_q ? '0 : data;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            in_error_q <= 1'b0;
            error_data_q <= 1'b0;
        end else begin
            in_error_q <= in_error_q ? !error_ends : fails != '0;
            error_data_q <= error_data_q ? !(w_valid && w_last) : fails[1];
        end
    end
    always_ff @(posedge clk_i) begin
        if (fails != '0) begin
            error_write_q <= fails[1];
            error_id_q <= fails[1] ? command[2*CommandBits-1-:IdBits] : command[CommandBits-1-:IdBits];
            error_left_q <= command[AddressBits+axi_pkg::ControlBits-1-:axi_pkg::LenBits];
        end else if (error_answers && r_ready) begin
            error_left_q <= error_left_q - 1'b1;
        end
    end

endmodule
