// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The output ports of a router: the crossbar, with several switch outputs per port the queues behind
// it, and the credits of the FIFOs at the other ends.

module router_outputs #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    parameter int InputSpeedup = 1,
    parameter int OutputSpeedup = 1,
    parameter int OutputQueue = 8,
    parameter bit SlowLinks = 1'b0,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int SwitchInputs = Ports * InputSpeedup,
    localparam int SwitchOutputs = Ports * OutputSpeedup,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int CycleBits = SlowLinks ? Ports * router_pkg::RateBits : 1
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    // as in crossbar
    input  logic [Inputs-1:0]                     proposal_i,
    input  logic [Inputs-1:0]                     head_i,
    input  logic [Inputs-1:0]                     tail_i,
    input  logic [Inputs*FlitBits-1:0]            data_i,
    input  logic [VirtualChannels*Inputs-1:0]     target_vc_i,
    input  logic [SwitchOutputs*SwitchInputs-1:0] accepted_i,
    // as in output_credits
    input  logic [Inputs-1:0]                     credit_i,
    input  logic [CycleBits-1:0]                  link_cycles_i,
    // per output port
    output logic [Ports-1:0]                      flit_valid_o,
    output logic [Ports*VcBits-1:0]               flit_vc_o,
    output logic [Ports-1:0]                      flit_head_o,
    output logic [Ports-1:0]                      flit_tail_o,
    output logic [Ports*FlitBits-1:0]             flit_data_o,
    // per output virtual channel: a flit passes the switch to it, a tail; its credits
    output logic [Inputs-1:0]                     sent_o,
    output logic [Inputs-1:0]                     sent_tail_o,
    output logic [Inputs-1:0]                     available_o,
    output logic [Inputs-1:0]                     several_o,
    output logic [Inputs-1:0]                     kept_o
);

    // What passes the switch, per switch output.
    logic [SwitchOutputs-1:0] passed, passed_head, passed_tail;
    logic [SwitchOutputs*VcBits-1:0] passed_vc;
    logic [SwitchOutputs*FlitBits-1:0] passed_data;
    logic [Inputs-1:0] available;

    crossbar #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .InputSpeedup(InputSpeedup),
        .OutputSpeedup(OutputSpeedup), .FlitBits(FlitBits)
    ) i_crossbar (
        .proposal_i(proposal_i), .head_i(head_i), .tail_i(tail_i), .data_i(data_i),
        .target_vc_i(target_vc_i), .accepted_i(accepted_i), .flit_valid_o(passed),
        .flit_vc_o(passed_vc), .flit_head_o(passed_head), .flit_tail_o(passed_tail),
        .flit_data_o(passed_data), .sent_o(sent_o), .sent_tail_o(sent_tail_o)
    );

    // Without queues, what passes the switch leaves, and credits count when the link takes a flit.
    output_credits #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth),
        .SlowLinks(SlowLinks && OutputSpeedup == 1)
    ) i_credits (
        .clk_i(clk_i), .rst_ni(rst_ni), .credit_i(credit_i), .sent_i(sent_o),
        .link_cycles_i(link_cycles_i[(SlowLinks && OutputSpeedup == 1 ? CycleBits : 1)-1:0]),
        .port_sent_i(flit_valid_o), .available_o(available), .several_o(several_o), .kept_o(kept_o)
    );

    generate
        if (OutputSpeedup == 1) begin : gen_queues
            assign flit_valid_o = passed;
            assign flit_vc_o = passed_vc;
            assign flit_head_o = passed_head;
            assign flit_tail_o = passed_tail;
            assign flit_data_o = passed_data;
            assign available_o = available;
        end else begin : gen_queues
            localparam int Bits = VcBits + 2 + FlitBits;

            for (genvar p = 0; p < Ports; p++) begin : gen_port
                logic [OutputSpeedup*Bits-1:0] flits;
                logic room, free;

                for (genvar k = 0; k < OutputSpeedup; k++) begin : gen_flit
                    localparam int O = p * OutputSpeedup + k;
                    assign flits[k*Bits+:Bits] = {passed_vc[O*VcBits+:VcBits], passed_head[O],
                                                  passed_tail[O], passed_data[O*FlitBits+:FlitBits]};
                end

                output_queue #(.Pushes(OutputSpeedup), .Depth(OutputQueue), .Bits(Bits)) i_queue (
                    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(passed[p*OutputSpeedup+:OutputSpeedup]),
                    .flits_i(flits), .pop_i(free), .room_o(room), .valid_o(flit_valid_o[p]),
                    .flit_o({flit_vc_o[p*VcBits+:VcBits], flit_head_o[p], flit_tail_o[p],
                             flit_data_o[p*FlitBits+:FlitBits]})
                );
                assign available_o[p*VirtualChannels+:VirtualChannels] =
                    room ? available[p*VirtualChannels+:VirtualChannels] : '0;

                if (SlowLinks) begin : gen_rate
                    logic free_after, free_soon, unused;
                    link_rate i_rate (
                        .clk_i(clk_i), .rst_ni(rst_ni),
                        .cycles_i(link_cycles_i[p*router_pkg::RateBits+:router_pkg::RateBits]),
                        .sent_i(flit_valid_o[p]), .free_o(free), .free_after_o(free_after),
                        .free_soon_o(free_soon)
                    );
                    assign unused = &{1'b0, free_after, free_soon};
                end else begin : gen_rate
                    assign free = 1'b1;
                end
            end
        end

`ifdef SYNTHESIS
        // router_checker is not synthesized; a module that does not exist stops every tool.
        if (Ports < 2 || VirtualChannels < 1 || VirtualChannels > 16 || Depth < 1) begin : gen_refused
            router_has_a_parameter_out_of_range refused ();
        end
`endif
    endgenerate

endmodule
