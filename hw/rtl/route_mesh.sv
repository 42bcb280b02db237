// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Dimension-order routing on a mesh (XY in two dimensions): the fastest-varying coordinate is
// corrected first. Node numbers are row-major, so if all sides are powers of two a coordinate is a
// field of bits, and fields are compared in place: no division, and one circuit for every shape.

module route_mesh #(
    parameter int Dimensions = 2,
    parameter int PortBits = 3
) (
    input  logic [router_pkg::NodeBits-1:0]            node_i,
    input  logic [Dimensions*router_pkg::NodeBits-1:0] fields_i,  // bits of each coordinate
    input  logic [router_pkg::NodeBits-1:0]            destination_i,
    output logic [PortBits-1:0]                        port_o
);

    localparam int NodeBits = router_pkg::NodeBits;

    logic [NodeBits-1:0] field, here, there;

    always_comb begin
        port_o = PortBits'(router_pkg::LocalPort);
        field = '0;
        here = '0;
        there = '0;
        // From the last dimension to the first, so that the first one that differs has its way.
        for (int unsigned k = Dimensions; k > 0; k--) begin
            field = fields_i[(k-1)*NodeBits+:NodeBits];
            here = node_i & field;
            there = destination_i & field;
            if (there > here) port_o = PortBits'(2 * k - 1);
            if (there < here) port_o = PortBits'(2 * k);
        end
    end

endmodule
