// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of one router, as constants: per destination the output port and the virtual channels
// that a packet may be given there.

module route_rom #(
    /// Destinations.
    parameter int Entries = 16,
    parameter int PortBits = 3,
    parameter int VirtualChannels = 1,
    /// Hexadecimal digits of a port, and of a set of virtual channels.
    localparam int PortDigits = (PortBits + 3) / 4,
    localparam int VcsDigits = (VirtualChannels + 3) / 4,
    localparam int EntryBits = 4 * (PortDigits + VcsDigits),
    /// An entry has the digits of the port, then those of the virtual channels; destination 0 has the
    /// lowest bits.
    parameter logic [Entries*EntryBits-1:0] Contents = '0
) (
    input  logic [router_pkg::NodeBits-1:0] address_i,
    output logic [PortBits-1:0]             port_o,
    output logic [VirtualChannels-1:0]      vcs_o
);

    always_comb begin
        port_o = '0;
        vcs_o = '0;
        for (int unsigned i = 0; i < Entries; i++) begin
            if (address_i == router_pkg::NodeBits'(i)) begin
                port_o = Contents[i*EntryBits+4*VcsDigits+:PortBits];
                vcs_o = Contents[i*EntryBits+:VirtualChannels];
            end
        end
    end

endmodule
