// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The credits of all output virtual channels. Where links can be slow those of a port count only in
// cycles in which its link takes a flit (hw/TIMING.md, "Slow links"), so whoever decides by credits
// waits for links as well.

module output_credits #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    parameter int Depth = 8,
    parameter bit SlowLinks = 1'b0,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int RateBits = router_pkg::RateBits,
    localparam int CycleBits = SlowLinks ? Ports * RateBits : 1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    // per output port
    input  logic [CycleBits-1:0]      link_cycles_i,  // SlowLinks: of a flit, less one; constant
    input  logic [Ports-1:0]          port_sent_i,    // a flit leaves there
    // per output virtual channel, as in credit_counter
    input  logic [Inputs-1:0]         credit_i,
    input  logic [Inputs-1:0]         sent_i,
    output logic [Inputs-1:0]         available_o,
    output logic [Inputs-1:0]         several_o,
    output logic [Inputs-1:0]         kept_o
);

    generate
        if (!SlowLinks) begin : gen_unused
            logic unused;
            assign unused = &{1'b0, link_cycles_i};
        end
        for (genvar o = 0; o < Ports; o++) begin : gen_output
            logic free, free_after, free_soon, free_next;

            if (SlowLinks) begin : gen_rate
                link_rate i_rate (
                    .clk_i(clk_i), .rst_ni(rst_ni), .cycles_i(link_cycles_i[o*RateBits+:RateBits]),
                    .sent_i(port_sent_i[o]), .free_o(free), .free_after_o(free_after),
                    .free_soon_o(free_soon)
                );
            end else begin : gen_rate
                assign {free, free_after, free_soon} = '1;
            end
            // Another virtual channel of the port may send.
            assign free_next = port_sent_i[o] ? free_after : free_soon;

            for (genvar w = 0; w < VirtualChannels; w++) begin : gen_vc
                localparam int C = o * VirtualChannels + w;
                logic available, several, kept;

                credit_counter #(.Depth(Depth)) i_counter (
                    .clk_i(clk_i), .rst_ni(rst_ni), .credit_i(credit_i[C]), .take_i(sent_i[C]),
                    .available_o(available), .several_o(several), .kept_o(kept)
                );
                assign available_o[C] = available && free;
                assign several_o[C] = several && free_after;
                assign kept_o[C] = kept && free_next;
            end
        end
    endgenerate

endmodule
