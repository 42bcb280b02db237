// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The sending end of a channel after a router with valid and ready: ready means that a credit is left and,
// with several virtual channels, that it is the turn of this one among those that are valid and have a credit.

module valid_ready_output #(
    parameter int VirtualChannels = 1,
    /// Depth of the FIFO at the other end.
    parameter int Depth = 8,
    /// Payload bits of a flit.
    parameter int FlitBits = 64,
    /// Number of the port, for messages.
    parameter int Port = 0,
    /// Bits of a virtual channel's number.
    parameter int VcBits = 1,
    localparam int FlitWidth = FlitBits + 2  // {head, tail, data}
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    // from the router
    input  logic [VirtualChannels-1:0]           valid_i,
    output logic [VirtualChannels-1:0]           ready_o,
    input  logic [VirtualChannels*FlitWidth-1:0] flit_i,
    // to the channel
    output logic                                 flit_valid_o,
    output logic [VcBits-1:0]                    flit_vc_o,
    output logic [FlitWidth-1:0]                 flit_o,
    input  logic [VirtualChannels-1:0]           credit_i
);

    logic [VirtualChannels-1:0] available, sent;

    generate
        if (VirtualChannels == 1) begin : gen_single
            assign ready_o = available;
        end else begin : gen_turns
            round_robin_arbiter #(
                .Requests(VirtualChannels)
            ) i_turns (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(valid_i & available),
                .advance_i(1'b1),
                .grant_o(ready_o)
            );
        end

        for (genvar v = 0; v < VirtualChannels; v++) begin : gen_vc
            logic unused_several, unused_kept;
            assign sent[v] = valid_i[v] && ready_o[v];

            credit_counter #(
                .Depth(Depth)
            ) i_credits (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .credit_i(credit_i[v]),
                .take_i(sent[v]),
                .available_o(available[v]),
                .several_o(unused_several),
                .kept_o(unused_kept)
            );

            logic unused;
            assign unused = &{1'b0, unused_several, unused_kept};

`ifndef SYNTHESIS
            // What is offered stays until it is taken.
            logic waits_q;
            logic [FlitWidth-1:0] flit, flit_q;
            logic [FlitBits-1:0] header_q;
            assign flit = flit_i[v*FlitWidth+:FlitWidth];
            always_ff @(posedge clk_i) begin
                waits_q <= rst_ni && valid_i[v] && !ready_o[v];
                flit_q <= flit;
                if (valid_i[v] && flit[FlitBits+1]) header_q <= flit[FlitBits-1:0];
                offer_stays : assert (!waits_q || !rst_ni || (valid_i[v] && flit == flit_q))
                    else $error("output port %0d %s a flit of packet %0d of node %0d for node %0d",
                                Port, valid_i[v] ? "changes" : "withdraws", header_q[63:32],
                                header_q[31:16], header_q[15:0]);
            end
`endif
        end
    endgenerate

    always_comb begin
        flit_vc_o = '0;
        flit_o = '0;
        for (int unsigned v = 0; v < VirtualChannels; v++) begin
            if (sent[v]) begin
                flit_vc_o = VcBits'(v);
                flit_o = flit_o | flit_i[v*FlitWidth+:FlitWidth];
            end
        end
    end
    assign flit_valid_o = sent != '0;

endmodule
