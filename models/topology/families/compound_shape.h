// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a sparse express mesh whose terminals are pairs of nodes (Cheung and Lau 1995,
// Section 7, Figure 4(a)), for its builder and its routing.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// Node r * columns + c is at row r, column c. At a terminal (r and c multiples of `segment`) that
/// node has the links of the row; its twin, numbered after the grid, those of the column.
struct CompoundShape {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    std::uint32_t segment = 1;

    /// Port 0 is local. Elsewhere 1 to 4 are the ordinary links: row +, row -, column +, column -;
    /// at a terminal those of the node's line: ordinary +, ordinary -, express +, express -.
    static constexpr PortId kPorts = 6;
    static constexpr PortId kInnerPort = 5;  ///< between the two nodes of a terminal

    NodeId grid_nodes() const { return rows * columns; }
    std::uint32_t terminals_per_row() const { return (columns + segment - 1) / segment; }
    NodeId nodes() const {
        return grid_nodes() + (rows + segment - 1) / segment * terminals_per_row();
    }
    bool is_terminal(NodeId grid_node) const {
        return grid_node / columns % segment == 0 && grid_node % columns % segment == 0;
    }
    /// The node with the column's links at the terminal whose row's links `grid_node` has.
    NodeId twin(NodeId grid_node) const {
        return grid_nodes() + grid_node / columns / segment * terminals_per_row() +
               grid_node % columns / segment;
    }
    bool is_twin(NodeId node) const { return node >= grid_nodes(); }
    /// The node of the grid at the place of `node`.
    NodeId place(NodeId node) const {
        if (!is_twin(node)) return node;
        const NodeId terminal = node - grid_nodes();
        return terminal / terminals_per_row() * segment * columns +
               terminal % terminals_per_row() * segment;
    }
    /// The node at that place which has the links of the column, or of the row.
    NodeId end(NodeId grid_node, bool column) const {
        return column && is_terminal(grid_node) ? twin(grid_node) : grid_node;
    }
    PortId port(NodeId grid_node, bool column, bool express, bool minus) const {
        const PortId pair = is_terminal(grid_node) ? (express ? 1 : 0) : (column ? 1 : 0);
        return 1 + 2 * pair + (minus ? 1 : 0);
    }
};

}  // namespace flitscope
