// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives the virtual channels of one output port to the heads that request it. They are taken in
// turn, 0 first; each free one goes, round robin with its own pointer, to one of the heads that may
// use it and have not been given another in this cycle (hw/TIMING.md, step 2).

module output_vc_allocator #(
    /// Input virtual channels of the router.
    parameter int Inputs = 5,
    parameter int VirtualChannels = 1
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic [Inputs-1:0]                 request_i,  // heads that ask for this port
    input  logic [VirtualChannels*Inputs-1:0] allowed_i,  // per virtual channel, who may have it
    input  logic [VirtualChannels-1:0]        taken_i,    // belongs to a packet already
    output logic [VirtualChannels*Inputs-1:0] grant_o     // per virtual channel, one-hot or 0
);

    // served[w]: heads that have been given a virtual channel below w
    logic [(VirtualChannels+1)*Inputs-1:0] served /* verilator split_var */;
    assign served[Inputs-1:0] = '0;

    generate
        for (genvar w = 0; w < VirtualChannels; w++) begin : gen_vc
            logic [Inputs-1:0] candidates, grant;

            assign candidates = taken_i[w]
                ? '0 : request_i & allowed_i[w*Inputs+:Inputs] & ~served[w*Inputs+:Inputs];

            round_robin_arbiter #(
                .Requests(Inputs)
            ) i_arbiter (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(candidates),
                .advance_i(1'b1),  // whoever is granted takes it
                .grant_o(grant)
            );

            assign grant_o[w*Inputs+:Inputs] = grant;
            assign served[(w+1)*Inputs+:Inputs] = served[w*Inputs+:Inputs] | grant;
        end
    endgenerate

    logic unused;
    assign unused = &{1'b0, served[VirtualChannels*Inputs+:Inputs]};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                heads_compete :
                    cover (!taken_i[w] && $countones(request_i & allowed_i[w*Inputs+:Inputs]) > 1);
                head_waits_for_a_channel :
                    cover (taken_i[w] && (request_i & allowed_i[w*Inputs+:Inputs]) != '0);
            end
        end
    end
`endif

endmodule
