// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a sparse express mesh whose terminals are pairs of routers (Cheung and Lau 1995,
// Section 7, Figure 4(a)), for its builder and its routing.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// Router r * columns + c is at row r, column c: these numbers are also the places of the grid. At
/// a terminal (r and c multiples of `segment`) that router has the links of the row; its twin,
/// numbered after the grid, those of the column.
struct CompoundShape {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    std::uint32_t segment = 1;

    /// Link ports count from 0, after Graph::local_ports(). 0 to 3 are the ordinary links: row +,
    /// row -, column +, column -; at a terminal those of the router's line: ordinary +, ordinary -,
    /// express +, express -.
    static constexpr PortId kLinkPorts = 5;
    static constexpr PortId kInnerPort = 4;  ///< between the two routers of a terminal

    std::uint32_t places() const { return rows * columns; }
    std::uint32_t terminals_per_row() const { return (columns + segment - 1) / segment; }
    std::uint32_t routers() const {
        return places() + (rows + segment - 1) / segment * terminals_per_row();
    }
    bool is_terminal(std::uint32_t place) const {
        return place / columns % segment == 0 && place % columns % segment == 0;
    }
    /// The router with the column's links at a terminal.
    std::uint32_t twin(std::uint32_t place) const {
        return places() + place / columns / segment * terminals_per_row() +
               place % columns / segment;
    }
    bool is_twin(std::uint32_t router) const { return router >= places(); }
    std::uint32_t place(std::uint32_t router) const {
        if (!is_twin(router)) return router;
        const std::uint32_t terminal = router - places();
        return terminal / terminals_per_row() * segment * columns +
               terminal % terminals_per_row() * segment;
    }
    /// The router at that place which has the links of the column, or of the row.
    std::uint32_t end(std::uint32_t place, bool column) const {
        return column && is_terminal(place) ? twin(place) : place;
    }
    PortId port(std::uint32_t place, bool column, bool express, bool minus) const {
        const PortId pair = is_terminal(place) ? (express ? 1 : 0) : (column ? 1 : 0);
        return 2 * pair + (minus ? 1 : 0);
    }
};

}  // namespace flitscope
