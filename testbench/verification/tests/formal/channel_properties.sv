// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A virtual channel from end to end: hw/rtl/credit_counter.sv at the sender, a link with a register each
// way, hw/rtl/flit_fifo.sv at the receiver. Whoever sends only with a credit never overflows the FIFO,
// credits are neither lost nor doubled, and flits come out as they went in.

module channel_properties #(
    parameter int Depth = 3
) (
    input logic clk_i,
    input logic rst_ni,
    input logic send_i,  // wants to
    input logic take_i,  // the receiver wants to
    input logic data_i
);

    localparam int Bits = $clog2(Depth + 1);
    localparam int Ports = 2;
    localparam int PortBits = $clog2(Ports);

    logic available, several, kept, sends;
    assign sends = send_i && available;
    logic pushed_q, data_q, returned_q;  // the link
    logic valid, pops, data;
    assign pops = take_i && valid;
    always_ff @(posedge clk_i) begin
        pushed_q <= rst_ni && sends;
        returned_q <= rst_ni && pops;
        data_q <= data_i;
    end

    credit_counter #(.Depth(Depth)) sender (
        .clk_i(clk_i), .rst_ni(rst_ni), .credit_i(returned_q), .take_i(sends),
        .available_o(available), .several_o(several), .kept_o(kept)
    );

    logic head, tail, vcs;
    logic [Ports-1:0] route;
    flit_fifo #(.FlitBits(1), .Depth(Depth), .Ports(Ports)) receiver (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(pushed_q), .head_i(1'b1), .tail_i(data_q),
        .port_i(PortBits'(data_q)), .vcs_i(1'b0), .data_i(data_q), .pop_i(pops),
        .valid_o(valid), .head_o(head), .tail_o(tail), .data_o(data), .route_o(route), .vcs_o(vcs)
    );

    // Registers of the two, connected by the script.
    logic [Bits-1:0] credits, count;

    // ---- The specification: a list of what is in the FIFO, the oldest flit first
    logic [Depth-1:0] list_q, list;
    logic [Bits:0] length_q, length;
    always_comb begin
        list = list_q;
        length = length_q;
        if (pops) begin
            list = list_q >> 1;
            length = length_q - 1'b1;
        end
        if (pushed_q) begin
            list[length] = data_q;
            length = length + 1'b1;
        end
    end
    always_ff @(posedge clk_i) begin
        if (!rst_ni) length_q <= '0;
        else length_q <= length;
        list_q <= list;
    end

    logic unused;
    assign unused = &{1'b0, several, kept, head, vcs};

    always_comb begin
        if (rst_ni) begin
            assert (length_q <= Depth);
            assert (!pushed_q || length_q < Depth);  // no overflow
            assert (valid == (length_q != '0));
`ifdef ORDER
            if (valid) begin
                assert (data == list_q[0]);
                assert (tail == list_q[0]);
                assert (route == (Ports'(1) << list_q[0]));
            end
`else
            // A place is free, on its way back, taken by a flit on its way, or in use.
            assert (credits + pushed_q + count + returned_q == Depth);
            assert (available == (credits != '0));
            assert (count == length_q);
`endif
        end
    end

endmodule
