// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// hw/rtl/output_queue.sv is a list: flits that come in a cycle are appended in the order of the switch
// outputs, the first one leaves when the channel takes it, be it one of those that come, and whoever
// pushes only where there is room never loses one.

module queue_properties #(
    parameter int Pushes = 2,
    parameter int Depth = 3,
    localparam int Bits = 2
) (
    input logic                   clk_i,
    input logic                   rst_ni,
    input logic [Pushes-1:0]      want_i,
    input logic [Pushes*Bits-1:0] flits_i,
    input logic                   pop_i
);

    localparam int Count = $clog2(Depth + 1) + 1;

    logic room, valid;
    logic [Pushes-1:0] push;
    logic [Bits-1:0] flit;
    assign push = room ? want_i : '0;

    output_queue #(.Pushes(Pushes), .Depth(Depth), .Bits(Bits)) dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push), .flits_i(flits_i), .pop_i(pop_i),
        .room_o(room), .valid_o(valid), .flit_o(flit)
    );

    // Registers of the queue, connected by the script.
    logic [Depth-1:0] filled;
    logic [Depth*Bits-1:0] slots;

    // ---- The specification: the list, the oldest flit first
    logic [Depth*Bits-1:0] list_q, list;
    logic [Count-1:0] length_q, length;
    always_comb begin
        list = list_q;
        length = length_q;
        for (int unsigned p = 0; p < Pushes; p++) begin
            if (push[p]) begin
                list[length*Bits+:Bits] = flits_i[p*Bits+:Bits];
                length = length + 1'b1;
            end
        end
    end
    logic leaves;
    assign leaves = pop_i && length != '0;
    always_ff @(posedge clk_i) begin
        if (!rst_ni) length_q <= '0;
        else length_q <= leaves ? length - 1'b1 : length;
        list_q <= leaves ? list >> Bits : list;
    end

    always_comb begin
        if (rst_ni) begin
            assert (length_q <= Depth);
            assert (room == (length_q + Pushes <= Depth));
            assert (valid == leaves);
            if (leaves) assert (flit == list[Bits-1:0]);
            for (int unsigned s = 0; s < Depth; s++) begin
                assert (filled[s] == (s < length_q));
                if (filled[s]) assert (slots[s*Bits+:Bits] == list_q[s*Bits+:Bits]);
            end
        end
    end

endmodule
