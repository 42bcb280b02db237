// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a k-ary n-tree (Petrini and Vanneschi 1997), for its builder and its routing.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// k^n nodes, the leaves, below n stages of k^(n-1) switches. Stage 0 is next to the nodes, stage
/// n - 1 are the roots. A node's number has n digits to the base k, the place of a switch in its
/// stage n - 1 of them. A switch of stage s is above all nodes whose digits from s + 1 on are the
/// digits of its place from s on.
struct FatTreeShape {
    std::uint32_t arity = 2;   ///< k: links of a switch to either side
    std::uint32_t height = 1;  ///< n: stages of switches

    static std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
        std::uint32_t result = 1;
        while (exponent-- > 0) result *= base;
        return result;
    }

    NodeId leaves() const { return power(arity, height); }
    NodeId switches_per_stage() const { return power(arity, height - 1); }
    NodeId nodes() const { return leaves() + height * switches_per_stage(); }
    /// Node number of a switch. Switches are numbered after the leaves, stage by stage from the
    /// leaves on.
    NodeId switch_at(std::uint32_t stage, NodeId place) const {
        return leaves() + stage * switches_per_stage() + place;
    }
    bool is_leaf(NodeId node) const { return node < leaves(); }
    std::uint32_t stage(NodeId node) const { return (node - leaves()) / switches_per_stage(); }
    NodeId place(NodeId node) const { return (node - leaves()) % switches_per_stage(); }
    std::uint32_t digit(NodeId number, std::uint32_t i) const {
        return number / power(arity, i) % arity;
    }

    /// Port 0 is local; a leaf has only port 1. In a switch, port 1 + j leads down to the node or
    /// switch with digit j, and port arity + 1 + j up to the switch with digit j. A single stage
    /// has no ports that lead up.
    PortId port_count() const { return 1 + (height > 1 ? 2 : 1) * arity; }
    static PortId down_port(std::uint32_t digit) { return 1 + digit; }
    PortId up_port(std::uint32_t digit) const { return 1 + arity + digit; }
    static constexpr PortId kLeafPort = 1;
};

}  // namespace flitscope
