// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants that the modules of the router share.

package router_pkg;

    /// Values of the parameter Routing: how a head finds its output port.
    localparam int RoutingMesh = 0;       // dimension order, sides are powers of two
    localparam int RoutingHypercube = 1;  // e-cube
    localparam int RoutingTable = 2;      // one table entry per destination
    localparam int RoutingPins = 3;       // looked up beside the router, at the pins with the head

    /// Added to these where links can take less than a flit per cycle. Not a parameter: another one
    /// would change the order in which yosys meets the cells of all other routers, and their areas.
    localparam int SlowLinks = 4;

    /// Bits of the parameter Classes: the number of message classes has the lowest 16; above these are
    /// 16 bits per class, of which the highest 4 are its rank, where higher ones go first, and the lowest
    /// 10 its weight. Not parameters of their own, for the same reason.
    localparam int ClassesBits = 16 + 16 * 16;

    /// Bits of a node number in the header flit (hw/common/flit.h).
    localparam int NodeBits = 16;

    /// Bits of the cycles that a link takes for a flit, less one: 1 to 64.
    localparam int RateBits = 6;

    /// Port of the only node of a router: injection and ejection. Routers with several have tables.
    localparam int LocalPort = 0;

endpackage
