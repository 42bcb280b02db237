// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A link of rate 1/k flits per cycle (hw/TIMING.md, "Slow links"): its width is 1/k of a flit, and it
// sends a flit part by part, lowest bits first, in the cycle in which the flit is sent and the k - 1
// after it. The receiving router gets it when the last part has arrived. Valid bit, head mark, tail
// mark and virtual channel have separate wires, and go with the first part.

module slow_link #(
    parameter int VirtualChannels = 1,
    parameter int FlitBits = 64,
    /// Cycles of a part from end to end, and those of a credit back, at least 1.
    parameter int Delay = 1,
    /// k: cycles that a flit takes to enter, 2 to 64.
    parameter int Cycles = 2,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // at the router that sends
    input  logic                       flit_valid_i,
    input  logic [VcBits-1:0]          flit_vc_i,
    input  logic                       flit_head_i,
    input  logic                       flit_tail_i,
    input  logic [FlitBits-1:0]        flit_data_i,
    output logic [VirtualChannels-1:0] credit_o,
    // at the router that receives
    output logic                       flit_valid_o,
    output logic [VcBits-1:0]          flit_vc_o,
    output logic                       flit_head_o,
    output logic                       flit_tail_o,
    output logic [FlitBits-1:0]        flit_data_o,
    input  logic [VirtualChannels-1:0] credit_i
);

    localparam int PartBits = (FlitBits + Cycles - 1) / Cycles;
    localparam int RestBits = FlitBits - PartBits;
    localparam int CountBits = $clog2(Cycles);

    // ---- Sending end: the first part goes at once, the rest waits -------------------------------
    logic [RestBits-1:0] rest_q;
    logic [CountBits-1:0] left_q;  // parts that wait
    logic part_valid;
    logic [PartBits-1:0] part;

    assign part_valid = flit_valid_i || left_q != '0;
    assign part = flit_valid_i ? flit_data_i[PartBits-1:0] : PartBits'(rest_q);

    always_ff @(posedge clk_i) begin
        if (!rst_ni) left_q <= '0;
        else if (flit_valid_i) left_q <= CountBits'(Cycles - 1);
        else if (left_q != '0) left_q <= left_q - 1'b1;
    end
    always_ff @(posedge clk_i) begin
        rest_q <= flit_valid_i ? flit_data_i[FlitBits-1:PartBits] : rest_q >> PartBits;
    end

    // ---- The wires ------------------------------------------------------------------------------
    logic arrived, arrived_head, arrived_tail;
    logic [VcBits-1:0] arrived_vc;
    logic [PartBits-1:0] arrived_part;

    link #(.VirtualChannels(VirtualChannels), .FlitBits(PartBits), .Delay(Delay)) i_wires (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .flit_valid_i(part_valid), .flit_vc_i(flit_vc_i), .flit_head_i(flit_head_i),
        .flit_tail_i(flit_tail_i), .flit_data_i(part), .credit_o(credit_o),
        .flit_valid_o(arrived), .flit_vc_o(arrived_vc), .flit_head_o(arrived_head),
        .flit_tail_o(arrived_tail), .flit_data_o(arrived_part), .credit_i(credit_i)
    );

    // ---- Receiving end: the parts before the last one are kept ----------------------------------
    logic [(Cycles-1)*PartBits-1:0] parts_q;  // the one that came last has the highest bits
    logic [Cycles*PartBits-1:0] parts;
    logic [CountBits-1:0] count_q;  // of them
    logic [VcBits-1:0] vc_q;
    logic head_q, tail_q;

    assign parts = {arrived_part, parts_q};
    assign flit_valid_o = arrived && count_q == CountBits'(Cycles - 1);
    assign flit_data_o = parts[FlitBits-1:0];
    assign {flit_vc_o, flit_head_o, flit_tail_o} = {vc_q, head_q, tail_q};

    always_ff @(posedge clk_i) begin
        if (!rst_ni) count_q <= '0;
        else if (flit_valid_o) count_q <= '0;
        else if (arrived) count_q <= count_q + 1'b1;
    end
    always_ff @(posedge clk_i) begin
        if (arrived) parts_q <= parts[Cycles*PartBits-1:PartBits];
        if (arrived && count_q == '0) begin
            {vc_q, head_q, tail_q} <= {arrived_vc, arrived_head, arrived_tail};
        end
    end

    generate
        if (Cycles * PartBits > FlitBits) begin : gen_padding
            logic unused;
            assign unused = &{1'b0, parts[Cycles*PartBits-1:FlitBits]};
        end
    endgenerate

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            one_flit_at_a_time : assert (!flit_valid_i || left_q == '0)
                else $error("a flit before %0d parts of another one", left_q);
        end
    end
    generate
        if (Cycles < 2 || Cycles > 64) begin : gen_cycles_refused
            $error("slow_link: Cycles = %0d, 2 to 64", Cycles);
        end
    endgenerate
`endif

endmodule
