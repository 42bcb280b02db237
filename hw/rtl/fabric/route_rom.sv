// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of one router, as constants: per destination the output port and the virtual channels
// that a packet may be given there, for the pins of router_pkg::RoutingPins.

module route_rom #(
    /// Destinations, at least 2.
    parameter int Entries = 16,
    parameter int PortBits = 3,
    parameter int VirtualChannels = 1,
    /// Hexadecimal digits of a port, and of a set of virtual channels.
    localparam int PortDigits = (PortBits + 3) / 4,
    localparam int VcsDigits = (VirtualChannels + 3) / 4,
    localparam int EntryBits = 4 * (PortDigits + VcsDigits),
    localparam int AddressBits = $clog2(Entries),
    /// An entry has the digits of the port, then those of the virtual channels; destination 0 has the
    /// lowest bits. Zeros follow up to a power of two: words that are no heads lead there, too.
    parameter logic [(1<<AddressBits)*EntryBits-1:0] Contents = '0
) (
    input  logic [router_pkg::NodeBits-1:0] destination_i,
    output logic [PortBits-1:0]             port_o,
    output logic [VirtualChannels-1:0]      vcs_o
);

    logic [EntryBits-1:0] entry;
    assign entry = Contents[32'(destination_i[AddressBits-1:0])*EntryBits+:EntryBits];
    assign port_o = entry[4*VcsDigits+:PortBits];
    assign vcs_o = entry[VirtualChannels-1:0];

    logic unused;  // node numbers have more bits than there are nodes, digits more than numbers
    assign unused = &{1'b0, destination_i, entry};

endmodule
