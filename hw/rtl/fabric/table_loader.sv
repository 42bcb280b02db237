// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the routing tables of all routers, one destination per cycle, and holds the routers in reset
// until that is done (hw/rtl/README.md, "The pin protocol"). The entries come from a route_rom next
// to each router.

module table_loader #(
    /// Destinations, at least 2: nodes 0 to Entries - 1.
    parameter int Entries = 16
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,          // synchronous, low for 4 cycles
    output logic                            routers_rst_no,  // reset of routers and links
    output logic                            write_o,
    output logic [router_pkg::NodeBits-1:0] address_o
);

    localparam int Bits = $clog2(Entries);

    logic [Bits-1:0] address_q;
    logic writing_q, done_q;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            address_q <= '0;
            writing_q <= 1'b1;
            done_q <= 1'b0;
        end else if (writing_q) begin
            address_q <= address_q + 1'b1;
            writing_q <= address_q != Bits'(Entries - 1);
            done_q <= address_q == Bits'(Entries - 1);
        end
    end

    assign routers_rst_no = done_q;
    assign write_o = rst_ni && writing_q;
    assign address_o = router_pkg::NodeBits'(address_q);

endmodule
