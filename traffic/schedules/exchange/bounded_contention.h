// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete exchange on meshes and tori of any dimension in steps of bounded link contention
// (BOUNDED_CONTENTION.md).
#pragma once

#include <cstdint>

#include "traffic/program/program.h"

namespace flitscope {

class Graph;

/// Every ordered pair of nodes exchanges one message of `bytes`. The phases, in each of which no
/// two messages share a directed link or an end under dimension-order routing, are Scott's for
/// `contention` 1; a larger value puts that many phases in a step, as Bokhari and Nicol's ordering
/// allows: link contention at most `contention` in every step, and while it is at most M every node
/// sends and receives at most once per step, with M = ceil(longest side / 4), on tori ceil(/ 8). On
/// a square mesh whose side n is a multiple of 4 these are n^3 / (4 contention) steps for every
/// divisor of n, and for 1 if n > 2 is any even number, which is the bisection bound; on such a
/// torus n^3 / 8 for 1, and half as many as on the mesh for every divisor if n is a multiple of 8.
///
/// Throws std::invalid_argument unless `graph` is a mesh, or a torus of even sides, and
/// `contention` >= 1.
Program bounded_contention(const Graph& graph, std::uint64_t bytes, std::uint32_t contention);

}  // namespace flitscope
