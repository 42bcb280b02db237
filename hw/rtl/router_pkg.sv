// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants that the modules of the router share.

package router_pkg;

    /// Values of the parameter Routing: how a head finds its output port.
    localparam int RoutingMesh = 0;       // dimension order, sides are powers of two
    localparam int RoutingHypercube = 1;  // e-cube
    localparam int RoutingTable = 2;      // one table entry per destination

    /// Bits of a node number in the header flit (hw/common/flit.h).
    localparam int NodeBits = 16;

    /// Port of the only node of a router: injection and ejection. Routers with several have tables.
    localparam int LocalPort = 0;

endpackage
