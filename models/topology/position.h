// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The position of a router (graph.h), in its drawing and on the chip.
#pragma once

#include <cmath>
#include <cstdint>

namespace flitscope {

/// The place of a router in rows and columns. The faster-varying half of the dimensions (the larger
/// half of an odd number) counts columns, the rest rows, both row-major; a network of one dimension
/// is a single row (collinear).
struct Position {
    std::uint32_t row = 0;
    std::uint32_t column = 0;

    /// Steps along rows and columns.
    friend std::uint32_t distance(const Position& a, const Position& b) {
        const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
        return apart(a.row, b.row) + apart(a.column, b.column);
    }
};

/// The place of a router on the chip, in tiles of a node: the plane in which wires are measured.
/// Routers without a tile may be between these.
struct Site {
    double row = 0;
    double column = 0;
};

/// The way of a wire along rows and columns.
inline Site run_between(const Site& a, const Site& b) {
    return {std::abs(a.row - b.row), std::abs(a.column - b.column)};
}

}  // namespace flitscope
