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
    input  logic [Ports*Ports*VirtualChannels-1:0] target_i,  // per output, who wants to go there
    output logic [Ports*VirtualChannels-1:0]       send_o
);

    logic [Ports*VirtualChannels-1:0] proposal;  // per input port one-hot or 0
    logic [Ports*Ports-1:0] accepted;            // [output][input]
    logic [Ports-1:0] sends;                     // input ports

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_input
            logic [Ports-1:0] by_output;

            round_robin_arbiter #(
                .Requests(VirtualChannels)
            ) i_arbiter (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(ready_i[p*VirtualChannels+:VirtualChannels]),
                .advance_i(sends[p]),
                .grant_o(proposal[p*VirtualChannels+:VirtualChannels])
            );

            for (genvar o = 0; o < Ports; o++) begin : gen_by_output
                assign by_output[o] = accepted[o*Ports+p];
            end
            assign sends[p] = by_output != '0;
            assign send_o[p*VirtualChannels+:VirtualChannels] =
                sends[p] ? proposal[p*VirtualChannels+:VirtualChannels] : '0;
        end

        for (genvar o = 0; o < Ports; o++) begin : gen_output
            logic [Ports*VirtualChannels-1:0] proposed;
            logic [Ports-1:0] request;
            assign proposed =
                proposal & target_i[o*Ports*VirtualChannels+:Ports*VirtualChannels];
            for (genvar p = 0; p < Ports; p++) begin : gen_request
                assign request[p] = proposed[p*VirtualChannels+:VirtualChannels] != '0;
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
