// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Watches a channel, in simulation only: on each virtual channel a packet's flits follow each other
// from head to tail, and no other packet's flit comes between them.

`ifndef SYNTHESIS
module packet_checker #(
    parameter int VirtualChannels = 1,
    parameter int VcBits = 1
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              valid_i,
    input logic [VcBits-1:0] vc_i,
    input logic              head_i,
    input logic              tail_i
);

    logic [VirtualChannels-1:0] open_q;  // between a head and its tail

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            open_q <= '0;
        end else if (valid_i) begin
            open_q[vc_i] <= !tail_i;
            vc_exists : assert (32'(vc_i) < VirtualChannels)
                else $error("flit on virtual channel %0d, which does not exist", vc_i);
            head_between_packets : assert (head_i != open_q[vc_i])
                else $error("packets interleave on virtual channel %0d", vc_i);
            packet_of_one_flit : cover (head_i && tail_i);
            packets_take_turns : cover ((open_q & ~(VirtualChannels'(1) << vc_i)) != '0);
        end
    end

endmodule
`endif
