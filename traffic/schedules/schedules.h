// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Builders of the communication schedules that flitscope knows by name: complete exchange,
// broadcast, allgather and scatter, as programs. Steps of a program count from 0; the papers, and
// flitscope's reports, print step + 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/config/schedule_catalogue.h"
#include "models/topology/graph.h"
#include "traffic/program/program.h"

namespace flitscope {

/// A larger program is refused: beyond this it would not fit the memory of a workstation. 2^26
/// transfers are a complete exchange among 8192 nodes.
inline constexpr std::uint64_t kMaxTransfers = 1ULL << 26;

/// Messages of a complete exchange: one for every ordered pair of different nodes.
constexpr std::uint64_t complete_exchange_size(NodeId nodes) {
    return nodes == 0 ? 0 : std::uint64_t{nodes} * (nodes - 1);
}

/// Largest `traffic.message_bytes` of a schedule (1 TiB).
inline constexpr std::uint64_t kMaxBlockBytes = 1ULL << 40;

/// The schedule that `config.traffic` names. Throws ConfigError when the schedule, its algorithm
/// or its root does not fit the network.
Program build_schedule(const Config& config, const Graph& graph);

/// The schedule or the program file of `config.traffic`, validated, with its barrier. A barrier in
/// the configuration replaces the one of a program file. Throws ConfigError with every finding.
Program build_program(const Config& config, const Graph& graph);

// Complete exchange: every node sends one message of `bytes` to every other node. Sources: Thakur,
// Choudhary and Fox, "Complete exchange on a wormhole routed mesh" (1993), as corrected in the
// errata (000.2, 000.3) where noted. Each builder lists a step's transfers by rising source.

/// Pairwise exchange (Sec. 3.1): in step i, n exchanges with n XOR (i + 1). Throws
/// std::invalid_argument unless `nodes` is a power of two.
Program pex(NodeId nodes, std::uint64_t bytes);
/// PEX for any node count (Sec. 3.2): the PEX of the next power of two q, partners that do not
/// exist left out; q - 1 steps.
Program pex_gen(NodeId nodes, std::uint64_t bytes);
/// PEX-GEN with the nodes in the middle of the virtual ones (Sec. 3.3, Fig. 4). Erratum 000.3: the
/// printed `mod p` of the virtual number breaks the mutual exchange and is dropped.
Program pex_gen_shift(NodeId nodes, std::uint64_t bytes);
/// General algorithm (Sec. 3.4): in step i, n sends to n + i + 1 and receives from n - i - 1,
/// modulo the node count.
Program gen(NodeId nodes, std::uint64_t bytes);
/// In which order a node of the naive exchange sends.
enum class NaiveOrder : std::uint8_t {
    kFromNext,  ///< n + 1, n + 2, ... modulo the node count (errata, section A)
    kFromZero,  ///< 0, 1, 2, ...: all nodes begin with the same destinations
};

/// Node n sends to all others without waiting: one step (the naive algorithm of Bokhari and Nicol
/// 1996, Section 6, which leaves the order open).
Program naive(NodeId nodes, std::uint64_t bytes, NaiveOrder order = NaiveOrder::kFromNext);

/// Recursive doubling: in step k, n sends to n XOR 2^k in one message all nodes / 2 blocks, its own
/// and those it was sent, whose destination differs from n in bit k; lg nodes steps. For small
/// messages, whose startup costs more than carrying every block over lg nodes / 2 nodes. Throws
/// std::invalid_argument unless `nodes` is a power of two.
Program recursive_exchange(NodeId nodes, std::uint64_t bytes);

// Broadcast of `bytes` from `root` to all; a node sends at most one message per step, and sends
// only what it received in an earlier step.

/// Binomial tree over (n - root) mod nodes: in step k the first 2^k nodes inform the next 2^k;
/// ceil(lg nodes) steps.
Program broadcast_binomial(NodeId nodes, NodeId root, std::uint64_t bytes);
/// Along one dimension after the other, the first-routed (fastest-varying) one first. On a line,
/// the holder of an interval sends to the nearest node of the half that it is not in; both halves
/// then go on alike. Messages of a step share no link on meshes and hypercubes;
/// sum over dimensions of ceil(lg side) steps.
Program broadcast_dimension_order(const Graph& graph, NodeId root, std::uint64_t bytes);

// Allgather: every node's block of `bytes` reaches every node.

/// In step k every node sends to its successor the block it received in step k - 1 (its own in
/// step 0); nodes - 1 steps.
Program allgather_ring(NodeId nodes, std::uint64_t bytes);
/// In step k, n exchanges all 2^k blocks it has with n XOR 2^k. Throws std::invalid_argument unless
/// `nodes` is a power of two.
Program allgather_recursive_doubling(NodeId nodes, std::uint64_t bytes);

// Scatter: the root holds a block of `bytes` for each other node.

/// The root sends to root + 1, root + 2, ... (modulo the node count), one per step.
Program scatter_direct(NodeId nodes, NodeId root, std::uint64_t bytes);
/// Halving tree over (n - root) mod nodes: the holder of s blocks keeps the first ceil(s/2) and
/// sends the others in one message to their first node; ceil(lg nodes) steps.
Program scatter_binomial(NodeId nodes, NodeId root, std::uint64_t bytes);

}  // namespace flitscope
