// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of this test bench share: a run of the simulator, flit by flit and beat by beat, and
// the widths of the streams. In simulation only.

package stream_types;

    localparam int Nodes = fabric_pkg::Nodes;
    localparam int Vcs = fabric_pkg::VirtualChannels;
    localparam int Classes = fabric_pkg::Classes;
    localparam int VcBits = fabric_pkg::VcBits;
    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int NodeBits = router_pkg::NodeBits;
    localparam int LengthBits = node_pkg::LengthBits;
    localparam int SequenceBits = node_pkg::SequenceBits;
    localparam int WordBits = 64;
    /// Streams into the network, and out of it.
    localparam int Queues = Nodes * Classes;
    localparam int Streams = Nodes * Vcs;
    /// Cycles after the last flit in which nothing may come, and without a beat after which none comes
    /// any more.
    localparam int Settling = 1000;

    /// A flit, and when and where it is injected, or leaves its last router. Sorted by cycle, then node.
    typedef struct packed {
        logic [31:0] cycle;
        logic [15:0] node;
        logic [15:0] source;
        logic [31:0] packet;    // of this source, counted from 0
        logic [31:0] position;  // in the packet; 0 is the head
        logic [3:0]  vc;
        logic [3:0]  marks;     // 4: its message goes on in another packet, 2: head, 1: tail
        logic [WordBits-1:0] word;
    } flit_t;

    /// A beat of a message. Sorted by stream, which is node * Classes + class, then in order.
    typedef struct packed {
        logic [31:0] begins;       // cycle from which on its message may leave
        logic [31:0] stream;
        logic [31:0] length;       // beats of its message
        logic [15:0] destination;
        logic [3:0]  marks;        // 2: no payload, 1: last of its message
        logic [WordBits-1:0] word;
    } beat_t;

    /// The bits of a wide beat: its word, then others derived from it.
    function automatic logic [FlitBits-1:0] widened(input logic [WordBits-1:0] word);
        for (int b = 0; b < FlitBits; b++) begin
            widened[b] = b < WordBits ? word[b] : ~word[(b-b/WordBits)%WordBits];
        end
    endfunction

endpackage
