// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A run of the simulator, flit by flit, as test benches that repeat it read it. In simulation only.

package replay_types;

    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int WordBits = 64;
    /// Cycles after the last flit in which nothing may come but credits, and in which what is late is
    /// waited for.
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

    /// The bits of a wide flit: its word, then others derived from it.
    function automatic logic [FlitBits-1:0] widened(input logic [WordBits-1:0] word);
        for (int b = 0; b < FlitBits; b++) begin
            widened[b] = b < WordBits ? word[b] : ~word[(b-b/WordBits)%WordBits];
        end
    endfunction

endpackage
