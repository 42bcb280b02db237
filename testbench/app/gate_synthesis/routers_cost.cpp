// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/routers_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/routing/turns.h"

namespace flitscope {

RoutersCost cost_of(std::vector<RoutersCost::Kind> kinds) {
    RoutersCost cost;
    for (const auto& [count, one] : kinds) {
        cost.cells += count * one.cells;
        cost.flip_flops += count * one.flip_flops;
        cost.area_um2 += count * one.area_um2;
        cost.power_mw += count * one.power_mw;
        cost.largest_um2 = std::max(cost.largest_um2, one.area_um2);
        cost.min_period_ns = std::max(cost.min_period_ns, one.min_period_ns);
    }
    cost.kinds = std::move(kinds);
    return cost;
}

std::optional<RoutersCost> cached_cost(const hw::BuiltRouters& routers,
                                       const TechnologyConfig& technology) {
    std::vector<RoutersCost::Kind> kinds;
    for (const hw::BuiltRouter& kind : routers) {
        auto one = cached_synthesis(kind.variant, technology);
        if (!one) return std::nullopt;
        kinds.push_back({kind.count, *std::move(one)});
    }
    return cost_of(std::move(kinds));
}

std::string unsynthesized_router(const hw::BuiltRouters& routers,
                                 const TechnologyConfig& technology) {
    const auto missing = std::find_if(
        routers.begin(), routers.end(),
        [&](const hw::BuiltRouter& kind) { return !cached_synthesis(kind.variant, technology); });
    return missing == routers.end() ? "" : missing->variant.name();
}

std::string kinds_text(const RoutersCost& cost) {
    std::string text;
    for (const auto& [count, one] : cost.kinds) {
        add_kind_text(text, count, one.area_um2, one.variant);
    }
    return text;
}

void add_kind_text(std::string& text, std::uint32_t count, double area_um2,
                   const hw::RtlVariant& variant) {
    const bool is_first = text.empty();
    text +=
        fmt::format("{}{} x {:.3f}{} with {}{}", is_first ? "" : ", ", count, area_um2 / kUm2PerMm2,
                    is_first ? " mm2" : "", hw::used_ports(variant), is_first ? " ports" : "");
}

}  // namespace flitscope
