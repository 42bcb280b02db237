// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The floorplan of a network: routers at their sites (Graph::site), wires between these, and the
// chip around the tiles of all nodes.
#pragma once

namespace flitscope {

class Graph;
struct LinkDelayConfig;

struct ChipSize {
    double width_mm = 0;
    double height_mm = 0;

    double mm2() const { return width_mm * height_mm; }
};

/// The rectangle around all tiles and all routers, if wires are physical. Routers whose nodes are
/// all in addition to those of the network, or that have none, have no tile.
ChipSize chip_size(const Graph& graph, const LinkDelayConfig& model);

}  // namespace flitscope
