// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Beats of messages that carry AXI4. A request is a beat of address and control, from its highest bit
// down {write, id, len, size, burst, cache, prot, address}, and those of the write channel after it,
// {strb, data}. A reply is the beats of a read, or the one that answers a write: {write, id, resp, data}.

package axi_pkg;

    localparam int LenBits = 8;
    localparam int SizeBits = 3;
    localparam int BurstBits = 2;
    localparam int CacheBits = 4;
    localparam int ProtBits = 3;
    localparam int RespBits = 2;
    localparam int ControlBits = LenBits + SizeBits + BurstBits + CacheBits + ProtBits;

    localparam logic [RespBits-1:0] RespDecErr = 2'b11;

endpackage
