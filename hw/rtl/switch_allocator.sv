// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides who sends: each switch input proposes one of its ready virtual channels, each switch output
// accepts one proposal, both round robin. Only an accepted proposal moves pointers, that of its
// switch input and that of its switch output. With Hold an input virtual channel that streams keeps
// both ends: whoever would need one of them does not ask (hw/TIMING.md, step 3). With Combined
// whoever would need its output asks in vain, which takes no time to find out ("Combined
// allocation"). If classes go before others, both choose among the ones that class_arbiter leaves.

module switch_allocator #(
    parameter int Ports = 5,
    /// More than 1; with one virtual channel an output has one holder, and nothing competes.
    parameter int VirtualChannels = 2,
    /// Switch inputs per port, which share its virtual channels evenly, neighbours together.
    parameter int InputSpeedup = 1,
    /// Switch outputs per port; the proposals of input port p come to number p % OutputSpeedup. Above
    /// 1 neither Hold nor Combined.
    parameter int OutputSpeedup = 1,
    parameter bit Hold = 1'b0,
    parameter bit Combined = 1'b0,
    /// As of the router.
    parameter logic [router_pkg::ClassesBits-1:0] Classes = 1,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int SwitchInputs = Ports * InputSpeedup,
    localparam int SwitchOutputs = Ports * OutputSpeedup,
    localparam int Channels = VirtualChannels / InputSpeedup,
    localparam bit Prefers = Classes[router_pkg::ClassesBits-1:16] != '0
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic [Inputs-1:0]       ready_i,     // input virtual channels
    input  logic [Inputs-1:0]       goes_on_i,   // ready, of those that hold an output; early
    input  logic [Inputs-1:0]       tail_i,      // the flit at their front is a tail
    input  logic [Ports*Inputs-1:0] target_i,    // per output, the requesting inputs
    output logic [Inputs-1:0]       proposal_o,  // per switch input one-hot or 0
    output logic [SwitchOutputs*SwitchInputs-1:0] accepted_o,  // [switch output][switch input]
    output logic [Inputs-1:0]       send_o
);

    logic [Inputs-1:0] asking;         // ready, and not kept out
    logic [Inputs-1:0] kept;           // with Hold: sent in the last cycle, and do so in this one
    logic [SwitchInputs-1:0] sends;

    generate
        if (Hold) begin : gen_hold
            logic [Inputs-1:0] streaming_q;  // sent a flit other than a tail in the last cycle
            logic [Inputs-1:0] blocked;      // one end of the switch is that of one of these

            assign kept = goes_on_i & streaming_q;
            assign asking = ready_i & (kept | ~blocked);

            always_comb begin
                blocked = '0;
                for (int unsigned s = 0; s < SwitchInputs; s++) begin
                    if (kept[s*Channels+:Channels] != '0) blocked[s*Channels+:Channels] = '1;
                end
                if (!Combined) begin
                    for (int unsigned o = 0; o < Ports; o++) begin
                        if ((kept & target_i[o*Inputs+:Inputs]) != '0) begin
                            blocked = blocked | target_i[o*Inputs+:Inputs];
                        end
                    end
                end
            end

            always_ff @(posedge clk_i) begin
                if (!rst_ni) streaming_q <= '0;
                else streaming_q <= send_o & ~tail_i;
            end

`ifndef SYNTHESIS
            always_ff @(posedge clk_i) begin
                if (rst_ni) begin
                    streams_go_on : assert ((kept & ~send_o) == '0)
                        else $error("a packet that could go on was interrupted");
                end
            end
`endif
        end else begin : gen_hold
            assign asking = ready_i;
            assign kept = '0;
            logic unused;
            assign unused = &{1'b0, tail_i, goes_on_i};
        end

        for (genvar s = 0; s < SwitchInputs; s++) begin : gen_input
            logic [SwitchOutputs-1:0] by_output;

            if (Prefers) begin : gen_arbiter
                logic [Channels-1:0] preferred;
                class_arbiter #(
                    .Requests(Channels), .VirtualChannels(VirtualChannels), .First(s * Channels),
                    .Classes(Classes)
                ) i_classes (
                    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(asking[s*Channels+:Channels]),
                    .vcs_i(asking[s*Channels+:Channels]), .sent_i(send_o[s*Channels+:Channels]),
                    .preferred_o(preferred)
                );
                round_robin_arbiter #(.Requests(Channels)) i_arbiter (
                    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(preferred), .advance_i(sends[s]),
                    .grant_o(proposal_o[s*Channels+:Channels])
                );
            end else begin : gen_arbiter
                round_robin_arbiter #(
                    .Requests(Channels)
                ) i_arbiter (
                    .clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .request_i(asking[s*Channels+:Channels]),
                    .advance_i(sends[s]),
                    .grant_o(proposal_o[s*Channels+:Channels])
                );
            end

            for (genvar o = 0; o < SwitchOutputs; o++) begin : gen_by_output
                assign by_output[o] = accepted_o[o*SwitchInputs+s];
            end
            assign sends[s] = by_output != '0;
            assign send_o[s*Channels+:Channels] =
                sends[s] ? proposal_o[s*Channels+:Channels] : '0;
        end

        for (genvar o = 0; o < SwitchOutputs; o++) begin : gen_output
            localparam int P = o / OutputSpeedup;
            logic [Inputs-1:0] proposed, streams;
            logic [SwitchInputs-1:0] request;
            assign streams = kept & target_i[P*Inputs+:Inputs];
            assign proposed =
                Combined && Hold && streams != '0 ? streams : proposal_o & target_i[P*Inputs+:Inputs];
            for (genvar s = 0; s < SwitchInputs; s++) begin : gen_request
                if (s / InputSpeedup % OutputSpeedup == o % OutputSpeedup) begin : gen_here
                    assign request[s] = proposed[s*Channels+:Channels] != '0;
                end else begin : gen_here
                    assign request[s] = 1'b0;
                    logic unused;
                    assign unused = &{1'b0, proposed[s*Channels+:Channels]};
                end
            end

            if (Prefers) begin : gen_arbiter
                logic [SwitchInputs-1:0] preferred;
                class_arbiter #(
                    .Requests(SwitchInputs), .Channels(Channels), .VirtualChannels(VirtualChannels),
                    .Classes(Classes)
                ) i_classes (
                    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request), .vcs_i(proposed),
                    .sent_i(accepted_o[o*SwitchInputs+:SwitchInputs]), .preferred_o(preferred)
                );
                round_robin_arbiter #(.Requests(SwitchInputs)) i_arbiter (
                    .clk_i(clk_i), .rst_ni(rst_ni), .request_i(preferred), .advance_i(1'b1),
                    .grant_o(accepted_o[o*SwitchInputs+:SwitchInputs])
                );
            end else begin : gen_arbiter
                round_robin_arbiter #(
                    .Requests(SwitchInputs)
                ) i_arbiter (
                    .clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .request_i(request),
                    .advance_i(1'b1),  // an accepted proposal is sent
                    .grant_o(accepted_o[o*SwitchInputs+:SwitchInputs])
                );
            end
        end
    endgenerate

endmodule
