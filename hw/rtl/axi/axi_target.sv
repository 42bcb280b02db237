// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a transaction goes, by its address, and whether it keeps the order of its ID: replies of one
// target come in order, so it does if no other one of its ID is under way, or if those go there, too.

module axi_target #(
    parameter int AddressBits = 32,
    parameter int IdBits = 4,
    /// Transactions under way, at most.
    parameter int Outstanding = 4,
    /// Address ranges: first and last address, node.
    parameter int Ranges = 1,
    parameter logic [Ranges*AddressBits-1:0] First = '0,
    parameter logic [Ranges*AddressBits-1:0] Last = '0,
    parameter logic [Ranges*router_pkg::NodeBits-1:0] Nodes = '0
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [AddressBits-1:0]          address_i,
    input  logic [IdBits-1:0]               id_i,
    output logic                            known_o,     // the address is in a range
    output logic [router_pkg::NodeBits-1:0] node_o,
    output logic                            in_order_o,
    input  logic                            begins_i,    // this one
    input  logic                            ends_i,      // one
    input  logic [IdBits-1:0]               ended_id_i   // of this ID
);

    localparam int Ids = 1 << IdBits;
    localparam int CountBits = $clog2(Outstanding + 1);

    logic [CountBits-1:0] counts_q [Ids];            // under way
    logic [router_pkg::NodeBits-1:0] nodes_q [Ids];  // to here

    always_comb begin
        known_o = 1'b0;
        node_o = '0;
        for (int unsigned i = 0; i < Ranges; i++) begin
            if (address_i >= First[i*AddressBits+:AddressBits]
                && address_i <= Last[i*AddressBits+:AddressBits]) begin
                known_o = 1'b1;
                node_o = Nodes[i*router_pkg::NodeBits+:router_pkg::NodeBits];
            end
        end
    end

    assign in_order_o = counts_q[id_i] == '0 || nodes_q[id_i] == node_o;

    always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
            for (int i = 0; i < Ids; i++) counts_q[i] <= '0;
        end else begin
            for (int i = 0; i < Ids; i++) begin
                counts_q[i] <= counts_q[i] + CountBits'(begins_i && id_i == IdBits'(i))
                    - CountBits'(ends_i && ended_id_i == IdBits'(i));
            end
        end
    end
    always_ff @(posedge clk_i) begin
        if (begins_i) nodes_q[id_i] <= node_o;
    end

endmodule
