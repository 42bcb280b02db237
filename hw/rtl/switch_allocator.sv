// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides who sends: each input port proposes one of its ready virtual channels, each output port
// accepts one proposal, both round robin. Only an accepted proposal moves pointers, that of its
// input port and that of its output port (hw/TIMING.md, step 3).

module switch_allocator #(
    parameter int unsigned Ports = 5,
    /// More than 1; with one virtual channel an output has one holder, and nobody competes.
    parameter int unsigned VirtualChannels = 2
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    input  logic [Ports*VirtualChannels-1:0]       ready_i,   // input virtual channels
    input  logic [Ports*VirtualChannels*Ports-1:0] target_i,  // of each, its output port, one-hot
    output logic [Ports*VirtualChannels-1:0]       send_o
);

    logic [Ports*VirtualChannels-1:0] proposal;  // per input port one-hot or 0
    logic [Ports*Ports-1:0] wanted;              // [input][output]
    logic [Ports*Ports-1:0] accepted;            // [output][input]
    logic [Ports-1:0] sends;                     // input ports

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_input
            logic [Ports-1:0] target, by_output;

            round_robin_arbiter #(
                .Requests(VirtualChannels)
            ) i_arbiter (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(ready_i[p*VirtualChannels+:VirtualChannels]),
                .advance_i(sends[p]),
                .grant_o(proposal[p*VirtualChannels+:VirtualChannels])
            );

            always_comb begin
                target = '0;
                for (int unsigned v = 0; v < VirtualChannels; v++) begin
                    if (proposal[p*VirtualChannels+v]) begin
                        target = target | target_i[(p*VirtualChannels+v)*Ports+:Ports];
                    end
                end
            end
            assign wanted[p*Ports+:Ports] = target;

            for (genvar o = 0; o < Ports; o++) begin : gen_by_output
                assign by_output[o] = accepted[o*Ports+p];
            end
            assign sends[p] = by_output != '0;
            assign send_o[p*VirtualChannels+:VirtualChannels] =
                sends[p] ? proposal[p*VirtualChannels+:VirtualChannels] : '0;
        end

        for (genvar o = 0; o < Ports; o++) begin : gen_output
            logic [Ports-1:0] request;
            for (genvar p = 0; p < Ports; p++) begin : gen_request
                assign request[p] = wanted[p*Ports+o];
            end

            round_robin_arbiter #(
                .Requests(Ports)
            ) i_arbiter (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(request),
                .advance_i(1'b1),  // an accepted proposal is sent
                .grant_o(accepted[o*Ports+:Ports])
            );
        end
    endgenerate

endmodule
