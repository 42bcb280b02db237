// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a k-ary n-tree (Petrini and Vanneschi 1997), for its builder and its routing.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace flitscope {

/// k^n nodes, the leaves, on the lowest of n stages of k^(n-1) routers. Stage 0 has the nodes,
/// stage n - 1 are the roots. A leaf's number has n digits to the base k, the place of a router in
/// its stage n - 1 of them: leaf l is attached to the router of stage 0 at place l / k. A router of
/// stage s is above all leaves whose digits from s + 1 on are the digits of its place from s on.
struct FatTreeShape {
    std::uint32_t arity = 2;   ///< k: links of a router to either side; of stage 0: nodes below
    std::uint32_t height = 1;  ///< n: stages of routers

    static std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
        std::uint32_t result = 1;
        while (exponent-- > 0) result *= base;
        return result;
    }

    NodeId leaves() const { return power(arity, height); }
    std::uint32_t switches_per_stage() const { return power(arity, height - 1); }
    std::uint32_t routers() const { return height * switches_per_stage(); }
    /// Routers are numbered stage by stage from the nodes on.
    RouterId router_at(std::uint32_t stage, std::uint32_t place) const {
        return RouterId(stage * switches_per_stage() + place);
    }
    std::uint32_t stage(RouterId router) const { return router / switches_per_stage(); }
    std::uint32_t place(RouterId router) const { return router % switches_per_stage(); }
    std::uint32_t digit(std::uint32_t number, std::uint32_t i) const {
        return number / power(arity, i) % arity;
    }

    /// Link ports count from 0, after Graph::local_ports(): port j leads down to the router with
    /// digit j, and port arity + j up to the router with digit j. Those that lead down are
    /// unconnected in stage 0, those that lead up in the roots. A single stage has no links.
    PortId link_ports() const { return height > 1 ? 2 * arity : 0; }
    static PortId down_port(std::uint32_t digit) { return digit; }
    PortId up_port(std::uint32_t digit) const { return arity + digit; }
};

}  // namespace flitscope
