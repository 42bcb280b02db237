// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by table, for any topology and any nodes on routers: per destination node an output port,
// its own local port if it is here, and the virtual channels that a packet may be given there. All
// input ports read it at once. It is loaded through a write port before traffic starts and keeps
// its contents over a reset.

module route_table #(
    /// One per destination, a power of two, at least 2.
    parameter int Entries = 64,
    /// Lookups per cycle.
    parameter int Readers = 5,
    parameter int PortBits = 3,
    parameter int VirtualChannels = 1
) (
    input  logic                                    clk_i,
    input  logic                                    write_i,
    input  logic [router_pkg::NodeBits-1:0]         address_i,
    input  logic [PortBits-1:0]                     port_i,
    input  logic [VirtualChannels-1:0]              vcs_i,
    input  logic [Readers*router_pkg::NodeBits-1:0] destination_i,
    output logic [Readers*PortBits-1:0]             port_o,
    output logic [Readers*VirtualChannels-1:0]      vcs_o
);

    localparam int NodeBits = router_pkg::NodeBits;
    localparam int AddressBits = $clog2(Entries);

    logic [PortBits+VirtualChannels-1:0] entries_q [Entries];

    always_ff @(posedge clk_i) begin
        if (write_i) entries_q[address_i[AddressBits-1:0]] <= {port_i, vcs_i};
    end

    generate
        for (genvar r = 0; r < Readers; r++) begin : gen_reader
            logic [PortBits+VirtualChannels-1:0] entry;
            assign entry = entries_q[destination_i[r*NodeBits+:AddressBits]];
            assign port_o[r*PortBits+:PortBits] = entry[VirtualChannels+:PortBits];
            assign vcs_o[r*VirtualChannels+:VirtualChannels] = entry[VirtualChannels-1:0];
        end
    endgenerate

    logic unused;  // node numbers have more bits than the table has entries
    assign unused = &{1'b0, address_i, destination_i};

endmodule
