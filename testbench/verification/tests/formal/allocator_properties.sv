// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What hw/rtl/output_vc_allocator.sv and hw/rtl/switch_allocator.sv must never do, whatever stands in
// the registers of their arbiters: give something to two, or to somebody who did not ask.

module allocator_properties #(
    parameter int Ports = 3,
    parameter int VirtualChannels = 2,
    parameter int InputSpeedup = 1,
    parameter int OutputSpeedup = 1,
    parameter bit Hold = 1'b0,
    parameter bit Combined = 1'b0,
    parameter logic [271:0] Classes = 1,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int SwitchInputs = Ports * InputSpeedup,
    localparam int SwitchOutputs = Ports * OutputSpeedup,
    localparam int Channels = VirtualChannels / InputSpeedup
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic [Inputs-1:0]                 request_i,
    input logic [VirtualChannels*Inputs-1:0] allowed_i,
    input logic [VirtualChannels-1:0]        taken_i,
    input logic [Inputs-1:0]                 ready_i,
    input logic [Inputs-1:0]                 holding_i,
    input logic [Inputs-1:0]                 tail_i,
    input logic [Inputs-1:0]                 to_i  // the output port is this one, else the other
);

    // ---- Virtual channels of one output
    logic [VirtualChannels*Inputs-1:0] grant;
    output_vc_allocator #(.Inputs(Inputs), .VirtualChannels(VirtualChannels)) i_vcs (
        .clk_i(clk_i), .rst_ni(rst_ni), .request_i(request_i), .allowed_i(allowed_i),
        .taken_i(taken_i), .grant_o(grant)
    );
    logic [Inputs-1:0] given, served;
    logic none_twice;
    always_comb begin
        served = '0;
        none_twice = 1'b1;
        given = '0;
        for (int unsigned w = 0; w < VirtualChannels; w++) begin
            given = grant[w*Inputs+:Inputs];
            if (rst_ni) begin
                assert ((given & (given - 1'b1)) == '0);
                assert ((given & ~(request_i & allowed_i[w*Inputs+:Inputs])) == '0);
                assert (!taken_i[w] || given == '0);
                // A free one is given away where somebody is left who may have it.
                assert (taken_i[w] || given != '0 ||
                        (request_i & allowed_i[w*Inputs+:Inputs] & ~served) == '0);
            end
            if ((given & served) != '0) none_twice = 1'b0;
            served = served | given;
        end
        assert (!rst_ni || none_twice);
    end

    // ---- The switch
    logic [Ports*Inputs-1:0] target;
    always_comb begin
        target = '0;
        target[Inputs-1:0] = to_i;
        target[Inputs+:Inputs] = to_i ^ {Inputs{1'b1}};
    end
    logic [Inputs-1:0] proposal, send;
    logic [SwitchOutputs*SwitchInputs-1:0] accepted;
    switch_allocator #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .InputSpeedup(InputSpeedup),
        .OutputSpeedup(OutputSpeedup), .Hold(Hold), .Combined(Combined), .Classes(Classes)
    ) i_switch (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready_i), .goes_on_i(ready_i & holding_i),
        .tail_i(tail_i), .target_i(target),
        .proposal_o(proposal), .accepted_o(accepted), .send_o(send)
    );
    logic [Channels-1:0] proposed;
    logic [SwitchInputs-1:0] by_one, taken, to_two;
    logic [Inputs-1:0] to_port;
    always_comb begin
        assert ((send & ~ready_i) == '0);
        assert ((send & ~proposal) == '0);
        if (!Hold) assert (ready_i == '0 || send != '0);  // nobody idles while somebody could send
        taken = '0;
        to_two = '0;
        proposed = '0;
        by_one = '0;
        to_port = '0;
        for (int unsigned o = 0; o < SwitchOutputs; o++) begin
            by_one = accepted[o*SwitchInputs+:SwitchInputs];
            to_port = target[o/OutputSpeedup*Inputs+:Inputs];
            assert ((by_one & (by_one - 1'b1)) == '0);
            // from the input ports that it is for, of those with a proposal to its port
            for (int unsigned s = 0; s < SwitchInputs; s++) begin
                if (by_one[s]) begin
                    assert (s / InputSpeedup % OutputSpeedup == o % OutputSpeedup);
                    assert ((proposal[s*Channels+:Channels] & to_port[s*Channels+:Channels]) != '0);
                end
            end
            to_two = to_two | (taken & by_one);
            taken = taken | by_one;
        end
        assert (to_two == '0);
        for (int unsigned s = 0; s < SwitchInputs; s++) begin
            proposed = proposal[s*Channels+:Channels];
            assert ((proposed & (proposed - 1'b1)) == '0);
            assert (taken[s] == (send[s*Channels+:Channels] != '0));
        end
    end

endmodule
