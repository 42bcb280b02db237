// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a virtual channel at a node: a FIFO, of which the node takes packets beat by beat,
// without their headers. What leaves the router in a cycle stands at the node in the next one.
//
// A router has Depth credits for it. With a depth of one, a credit that came back with the pop
// would come too late for a flit in every cycle; then the FIFO has a second place, for which the
// credit goes back while the flit still arrives.

module packet_receiver #(
    /// Flits for which the router has credits, at least 1.
    parameter int Depth = 8,
    /// Payload bits of a flit.
    parameter int FlitBits = 64
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    // from the router
    input  logic                                flit_valid_i,
    input  logic                                flit_head_i,
    input  logic                                flit_tail_i,
    input  logic [FlitBits-1:0]                 flit_data_i,
    output logic                                credit_o,
    // to the node: a beat is taken in a cycle with valid and ready
    output logic                                valid_o,
    input  logic                                ready_i,
    output logic                                last_o,      // last beat of its packet
    output logic                                null_o,      // the beat of a packet without payload
    output logic                                more_o,      // its message continues in another packet
    output logic [router_pkg::NodeBits-1:0]     source_o,
    output logic [node_pkg::SequenceBits-1:0] sequence_o,  // number of the packet at its source
    output logic [FlitBits-1:0]                 data_o
);

    localparam int Places = Depth > 1 ? Depth : 2;
    localparam int RecordBits = 1 + node_pkg::SequenceBits + router_pkg::NodeBits;

    logic front, head, tail, pop;
    logic [FlitBits-1:0] data;
    logic [1:0] unused_route;
    logic unused_vcs, unused;
    assign unused = &{1'b0, unused_route, unused_vcs};

    flit_fifo #(.FlitBits(FlitBits), .Depth(Places), .Ports(2)) i_fifo (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .push_i(flit_valid_i), .head_i(flit_head_i), .tail_i(flit_tail_i), .port_i('0), .vcs_i('0),
        .data_i(flit_data_i), .pop_i(pop), .valid_o(front), .head_o(head), .tail_o(tail),
        .data_o(data), .route_o(unused_route), .vcs_o(unused_vcs)
    );

    // A header goes as soon as it is at the front; what it said is kept for the beats.
    logic is_header;
    logic [RecordBits-1:0] record_q, header_record;

    assign is_header = head && !tail;
    assign valid_o = front && !is_header;
    assign pop = front && (is_header || ready_i);
    assign header_record = data[node_pkg::HeaderBits-1-:RecordBits];
    always_ff @(posedge clk_i) begin
        if (front && head) record_q <= header_record;
    end

    assign {more_o, sequence_o, source_o} = head ? header_record : record_q;
    assign {last_o, null_o, data_o} = {tail, head, data};

    generate
        if (Depth > 1) begin : gen_credit
            assign credit_o = pop;
        end else begin : gen_credit
            // A flit arrives for the only credit, so that at most one more is in the FIFO.
            logic second_q;  // both places are full
            assign credit_o = flit_valid_i ? !front || pop : pop && second_q;
            always_ff @(posedge clk_i) begin
                if (!rst_ni) second_q <= 1'b0;
                else if (flit_valid_i) second_q <= front && !pop;
                else if (pop) second_q <= 1'b0;
            end
        end
    endgenerate

endmodule
