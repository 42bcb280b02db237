// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The position of a node (graph.h).
#pragma once

#include <cstdint>

namespace flitscope {

/// The place of a node in the machine: the plane in which wires are measured, in node pitches. The
/// faster-varying half of the dimensions (the larger half of an odd number) counts columns, the
/// rest rows, both row-major; a network of one dimension is a single row (collinear).
struct Position {
    std::uint32_t row = 0;
    std::uint32_t column = 0;

    /// Length of a wire that runs along rows and columns.
    friend std::uint32_t distance(const Position& a, const Position& b) {
        const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
        return apart(a.row, b.row) + apart(a.column, b.column);
    }
};

}  // namespace flitscope
