// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Complete exchanges for any network, as programs. Steps of a program count from 0; the papers, and
// flitscope's reports, print step + 1.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "traffic/program/program.h"

namespace flitscope {

// Complete exchange: every node sends one message of `bytes` to every other node. Sources: Thakur,
// Choudhary and Fox, "Complete exchange on a wormhole routed mesh" (1993), as corrected in the
// errata (000.2, 000.3) if noted. Each builder lists a step's transfers by rising source.

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
/// The order in which a node of the naive exchange sends.
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

}  // namespace flitscope
