// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of this test bench share: the messages of a run of the simulator, beat by beat, and the
// widths of the streams. In simulation only.

package stream_types;

    localparam int Nodes = fabric_pkg::Nodes;
    localparam int Vcs = fabric_pkg::VirtualChannels;
    localparam int Classes = fabric_pkg::Classes;
    localparam int VcBits = fabric_pkg::VcBits;
    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int NodeBits = router_pkg::NodeBits;
    localparam int LengthBits = node_pkg::LengthBits;
    localparam int SequenceBits = node_pkg::SequenceBits;
    /// Streams into the network, and out of it.
    localparam int Queues = Nodes * Classes;
    localparam int Streams = Nodes * Vcs;

    /// A beat of a message. Sorted by stream, which is node * Classes + class, then in order.
    typedef struct packed {
        logic [31:0] begins;       // cycle from which on its message may leave
        logic [31:0] stream;
        logic [31:0] length;       // beats of its message
        logic [15:0] destination;
        logic [3:0]  marks;        // 2: no payload, 1: last of its message
        logic [replay_types::WordBits-1:0] word;
    } beat_t;

endpackage
