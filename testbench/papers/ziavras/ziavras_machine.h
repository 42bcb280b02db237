// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine on which the collectives of Ziavras et al. run, and how long a step takes on it.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/papers/ziavras/ziavras_formulas.h"

namespace flitscope {
class Graph;
}  // namespace flitscope

namespace flitscope::reproduce::how_networks {

// A message is m = kFlits flits, header included, and a flit one word; times in cycles.
inline constexpr std::uint64_t kFlits = 32;
inline constexpr std::uint64_t kStartup = 20;
inline constexpr std::uint64_t kReceive = 10;
inline constexpr std::uint64_t kHop = 3;  // injection, link, ejection

/// The network as fabric.topology has it.
std::string topology_of(const HowCase& how);
Graph graph_of(const std::string& topology);
/// Network and nodes of a configuration; `ports`: node.port_model.
std::string machine_text(const std::string& topology, const std::string& ports);

/// t_s + S m t_w + (S - 1) t_c, with t_s = startup + hop and t_c = startup + hop + receive.
std::uint64_t stored_cycles(std::uint64_t steps, std::uint64_t flits);

}  // namespace flitscope::reproduce::how_networks
