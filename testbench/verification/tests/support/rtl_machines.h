// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks that a given variant of the RTL router fits into.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hw/verilated/rtl_routers.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/router_choice.h"
#include "models/config/topology_config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"

namespace flitscope {

/// The built variants of our router.
inline std::vector<hw::RtlVariant> our_rtl_variants() {
    std::vector<hw::RtlVariant> variants;
    for (const std::string& name : hw::built_rtl_variants()) {
        const auto variant = hw::parse_rtl_variant(name);
        if (variant && variant->module == "router") variants.push_back(*variant);
    }
    return variants;
}

/// Those of them whose routers make up a mesh or a hypercube.
inline std::vector<hw::RtlVariant> grid_rtl_variants() {
    std::vector<hw::RtlVariant> variants = our_rtl_variants();
    const auto no_grid = [](const hw::RtlVariant& v) {
        return v.routing != hw::RtlRouting::kHypercube && v.ports % 2 == 0;
    };
    variants.erase(std::remove_if(variants.begin(), variants.end(), no_grid), variants.end());
    return variants;
}

/// Sides whose product is `routers` at most and that have a mesh of `dims` dimensions.
inline std::vector<std::uint32_t> random_sides(std::mt19937_64& random, std::uint32_t dims,
                                               std::uint32_t routers, bool powers_of_two) {
    for (;;) {
        std::vector<std::uint32_t> sides;
        std::uint32_t product = 1;
        bool all_powers = true;
        for (std::uint32_t k = 0; k < dims; ++k) {
            const std::uint32_t side = powers_of_two ? 1U << random() % 4 : 1 + random() % 7;
            all_powers = all_powers && (side & (side - 1)) == 0;
            sides.push_back(side);
            product *= side;
        }
        if (product >= 2 && product <= routers && all_powers == powers_of_two) return sides;
    }
}

/// Only the keys of the router.
inline Config router_config_for(const hw::RtlVariant& variant) {
    Config config;
    config.source = variant.name();
    config.fabric.router = RouterKind::kRtl;
    config.fabric.virtual_channels = variant.virtual_channels;
    if (variant.combined) config.fabric.allocation = Allocation::kCombined;
    if (variant.hold) config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    config.fabric.input_speedup = variant.input_speedup;
    if (variant.output_speedup > 1) {
        config.fabric.output_speedup = variant.output_speedup;
        config.fabric.output_queue = variant.output_queue;
    }
    for (std::uint32_t k = 0; variant.classes > 1 && k < variant.classes; ++k) {
        config.fabric.classes.push_back("c" + std::to_string(k));
    }
    for (const std::uint16_t word : variant.class_policy) {
        config.fabric.class_priorities.push_back(word >> 12);
        const std::uint32_t weight = word & 0xfff;
        if (weight != 0) config.fabric.class_weights.push_back(weight);
    }
    config.fabric.buffer_depth = variant.depth;
    config.fabric.flit_bits = variant.flit_bits;
    config.fabric.router_delay = variant.router_delay;
    return config;
}

/// A configuration whose RTL routers are of `variant`, one of grid_rtl_variants().
inline Config random_config_for(const hw::RtlVariant& variant, std::mt19937_64& random) {
    constexpr std::uint32_t kMostNodes = 32;
    Config config = router_config_for(variant);
    TopologyConfig& topology = config.fabric.topology;
    if (variant.routing == hw::RtlRouting::kHypercube) {
        topology.kind = "hypercube";
        topology.dimensions = variant.ports - 1;
        return config;
    }
    topology.kind = "mesh";
    const bool table = variant.routing == hw::RtlRouting::kTable;
    const bool pins = variant.routing == hw::RtlRouting::kPins;
    if (pins) config.fabric.routing = "o1turn";
    // A table fits networks of more than half as many nodes as it has entries: one per router.
    for (;;) {
        topology.dims = random_sides(random, (variant.ports - 1) / 2,
                                     table ? variant.table_entries : kMostNodes, !table && !pins);
        std::uint32_t nodes = 1;
        for (const std::uint32_t side : topology.dims) nodes *= side;
        if (!table || 2 * nodes > variant.table_entries) return config;
    }
}

inline Graph random_delays(Graph graph, std::mt19937_64& random) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        graph.set_delay(id, 1 + static_cast<std::uint32_t>(random() % 4));
    }
    return graph;
}

/// With slow links, at least one, if the routers of `variant` have them.
inline Graph random_rates(Graph graph, const hw::RtlVariant& variant, std::mt19937_64& random) {
    if (!variant.slow_links) return graph;
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        if (random() % 2 == 0) graph.set_rate(id, 1 + static_cast<std::uint32_t>(random() % 5));
    }
    graph.set_rate(static_cast<LinkId>(random() % graph.link_count()),
                   random() % 8 == 0 ? kMostRateCycles : 2);
    return graph;
}

}  // namespace flitscope
