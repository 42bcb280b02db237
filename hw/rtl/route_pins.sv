// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing at the pins, for any topology: what is beside the router looks up the route of the head at an
// input, in the same cycle. The route takes as many stages as its head, to the FIFO that stores both.

module route_pins #(
    parameter int Ports = 5,
    parameter int PortBits = 3,
    parameter int VirtualChannels = 1,
    /// Cycles from the pins to the FIFOs.
    parameter int Stages = 0
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    // per input port
    input  logic [Ports-1:0]                 head_i,
    input  logic [Ports*PortBits-1:0]        port_i,
    input  logic [Ports*VirtualChannels-1:0] vcs_i,
    output logic [Ports*PortBits-1:0]        port_o,
    output logic [Ports*VirtualChannels-1:0] vcs_o
);

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            logic unused;
            delay_line #(
                .Width(PortBits + VirtualChannels),
                .Stages(Stages)
            ) i_delay (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .valid_i(head_i[p]),
                .data_i({port_i[p*PortBits+:PortBits], vcs_i[p*VirtualChannels+:VirtualChannels]}),
                .valid_o(unused),
                .data_o({port_o[p*PortBits+:PortBits], vcs_o[p*VirtualChannels+:VirtualChannels]})
            );

`ifndef SYNTHESIS
            logic [PortBits-1:0] last_q;  // of the head before
            always_ff @(posedge clk_i) begin
                if (head_i[p]) last_q <= port_i[p*PortBits+:PortBits];
                if (rst_ni) begin
                    route_changes : cover (head_i[p] && port_i[p*PortBits+:PortBits] != last_q);
                end
            end
`endif
        end
    endgenerate

endmodule
