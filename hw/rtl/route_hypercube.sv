// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// E-cube routing on a binary hypercube: the lowest bit in which the node numbers differ is
// corrected first. Port 1 + k crosses bit k.

module route_hypercube #(
    parameter int Dimensions = 6,
    parameter int PortBits = 3
) (
    input  logic [router_pkg::NodeBits-1:0] node_i,
    input  logic [router_pkg::NodeBits-1:0] destination_i,
    output logic [PortBits-1:0]             port_o
);

    logic [router_pkg::NodeBits-1:0] differing;
    assign differing = node_i ^ destination_i;

    always_comb begin
        port_o = PortBits'(router_pkg::LocalPort);
        for (int unsigned k = Dimensions; k > 0; k--) begin
            if (differing[k-1]) port_o = PortBits'(k);
        end
    end

    logic unused;  // the bits above the last dimension never differ
    assign unused = &{1'b0, differing};

endmodule
