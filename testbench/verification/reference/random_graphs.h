// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The graphs of random machines: trees and more with parallel links, links with delays and rates of
// their own.
#pragma once

#include <cstdint>

#include "testbench/verification/reference/random_machine.h"

namespace flitscope {

class Graph;

/// Draws of parallel links.
inline constexpr std::uint64_t kParallelStream = 0x5851f42d4c957f2dU;

/// Draws of the link rates.
inline constexpr std::uint64_t kRateStream = 0xd1b54a32d192ed03U;

/// The graph of a case of kind "custom": routers with channels between them in either direction.
Graph random_graph(const RandomCase& random);
bool has_parallel_links(const Graph& graph);
/// Whether random_case_graph() gives links different delays.
bool has_uneven_delays(const RandomCase& random);

}  // namespace flitscope
