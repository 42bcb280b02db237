// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The packages of hw/rtl with headers of 6 bits in place of 64, so that proofs of network interfaces
// have fewer registers to look at. Nothing in the modules depends on these widths.

package router_pkg;
    localparam int NodeBits = 1;
    localparam int ClassesBits = 272;
endpackage

package node_pkg;
    localparam int SequenceBits = 3;
    localparam int HeaderBits = 6;
    localparam int LengthBits = 3;
endpackage
