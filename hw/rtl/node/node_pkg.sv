// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What network interfaces know of a packet. A header flit is, from its highest bit down: another
// packet of the same message follows; number of the packet at its source; source; destination
// (hw/common/flit.h). Routers read the destination only.

package node_pkg;

    /// Bits of a packet's number, which begins at 0 and starts over after the last one.
    localparam int SequenceBits = 31;

    /// Bits of all of these; in a wider flit the others are 0. (yosys 0.23 reads no package in a package.)
    localparam int HeaderBits = 64;

    /// Bits of the number of beats of a message.
    localparam int LengthBits = 32;

endpackage
