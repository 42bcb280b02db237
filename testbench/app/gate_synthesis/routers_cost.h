// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The total cost of all routers of a network, each as it is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/verilated/built_routers.h"
#include "testbench/app/gate_synthesis/synthesis.h"

namespace flitscope {

struct RoutersCost {
    struct Kind {
        std::uint32_t count;
        SynthesisResult one;  ///< the figures of each
    };
    std::vector<Kind> kinds;  ///< as in BuiltRouters

    std::uint64_t cells = 0;       ///< of all
    std::uint64_t flip_flops = 0;  ///< of all
    double area_um2 = 0;           ///< of all
    double largest_um2 = 0;        ///< area of the largest one
    double min_period_ns = 0;      ///< of the slowest one
    double power_mw = 0;           ///< of all, each at its power_period_ns
};

RoutersCost cost_of(std::vector<RoutersCost::Kind> kinds);

/// The cost, if all kinds are in the cache. Throws as cached_synthesis() does.
std::optional<RoutersCost> cached_cost(const hw::BuiltRouters& routers,
                                       const TechnologyConfig& technology);

/// The name of one that is not in the cache; empty if all are. Throws as cached_synthesis() does.
std::string unsynthesized_router(const hw::BuiltRouters& routers,
                                 const TechnologyConfig& technology);

/// "4 x 0.328 mm2 with 5 ports, 8 x 0.256 with 4, 4 x 0.182 with 3": the kinds, each with its area
/// and the number of its ports.
std::string kinds_text(const RoutersCost& cost);
/// Adds a kind to such a text.
void add_kind_text(std::string& text, std::uint32_t count, double area_um2,
                   const hw::RtlVariant& variant);

}  // namespace flitscope
