// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The route of a head at an input of a router, if packets take one of two paths (hw/TIMING.md, "Two
// orders"): by a coin where a node injects them, after that by the virtual channel on which they came.

module coin_routes #(
    // As of route_rom; Second has the routes of the second path.
    parameter int Entries = 16,
    parameter int PortBits = 3,
    parameter int VirtualChannels = 2,
    localparam int EntryBits = 4 * ((PortBits + 3) / 4 + (VirtualChannels + 3) / 4),
    localparam int ContentBits = (1 << $clog2(Entries)) * EntryBits,
    parameter logic [ContentBits-1:0] First = '0,
    parameter logic [ContentBits-1:0] Second = '0,
    /// Virtual channels of a message class, and the first of these that is of second paths.
    parameter int PerClass = 2,
    parameter int SecondFrom = 1,
    /// A node is at this input, with this key of its coin.
    parameter bit IsInjection = 1'b0,
    parameter logic [31:0] Key = '0,
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1
) (
    input  logic [VcBits-1:0]          vc_i,
    input  logic [47:0]                header_i,  // destination, source, number of the packet
    output logic [PortBits-1:0]        port_o,
    output logic [VirtualChannels-1:0] vcs_o
);

    logic is_second;
    generate
        if (IsInjection) begin : gen_path
            packet_coin #(.Key(Key)) i_coin (.number_i(header_i[47:32]), .second_o(is_second));
        end else begin : gen_path
            assign is_second = 32'(vc_i) % PerClass >= SecondFrom;
        end
    endgenerate

    logic [PortBits-1:0] first_port, second_port;
    logic [VirtualChannels-1:0] first_vcs, second_vcs;
    route_rom #(
        .Entries(Entries), .PortBits(PortBits), .VirtualChannels(VirtualChannels), .Contents(First)
    ) i_first (
        .destination_i(header_i[router_pkg::NodeBits-1:0]), .port_o(first_port), .vcs_o(first_vcs)
    );
    route_rom #(
        .Entries(Entries), .PortBits(PortBits), .VirtualChannels(VirtualChannels), .Contents(Second)
    ) i_second (
        .destination_i(header_i[router_pkg::NodeBits-1:0]), .port_o(second_port), .vcs_o(second_vcs)
    );
    assign {port_o, vcs_o} = is_second ? {second_port, second_vcs} : {first_port, first_vcs};

    logic unused;
    assign unused = &{1'b0, vc_i, header_i};

endmodule
