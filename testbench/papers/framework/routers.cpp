// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/routers.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "models/config/config.h"
#include "models/performance/wire_budget.h"
#include "models/routing/routing_factory.h"
#include "models/routing/turns.h"
#include "models/topology/graph.h"
#include "testbench/app/gate_synthesis/router_of.h"

namespace flitscope::reproduce {

/// Made by CMake from the file that is kept.
extern const char* const kKeptRouters;

namespace {

NetworkRouter parsed_row(const std::string& line) {
    std::istringstream in(line);
    const auto cell = [&in] {
        std::string text;
        std::getline(in, text, ',');
        return text;
    };
    NetworkRouter router;
    router.network = cell();
    router.experiment = cell();
    router.variant = cell();
    router.period_ns = std::stod(cell());
    router.area_um2 = std::stod(cell());
    return router;
}

const NetworkRouter& kept_router(const std::string& network) {
    const auto& all = kept_routers();
    const auto it = std::find_if(all.begin(), all.end(), [&](const NetworkRouter& router) {
        return router.network == network;
    });
    if (it == all.end()) {
        throw std::out_of_range("kept/routers.csv has no " + network +
                                ": testbench/papers/README.md says how to add it");
    }
    return *it;
}

hw::RtlVariant variant_of(const std::string& network) {
    return hw::parse_rtl_variant(kept_router(network).variant).value();
}

}  // namespace

const std::vector<NetworkRouter>& kept_routers() {
    static const std::vector<NetworkRouter> kAll = [] {
        std::vector<NetworkRouter> routers;
        std::istringstream in(kKeptRouters);
        std::string line;
        std::getline(in, line);  // the names of the columns
        while (std::getline(in, line)) routers.push_back(parsed_row(line));
        return routers;
    }();
    return kAll;
}

hw::RtlVariant router_with_most_turns(Config config) {
    config.fabric.buffer_depth = kPhysicalDepth;
    config.fabric.link_delay = {};
    const Graph graph = build_budgeted_topology(config);
    const std::unique_ptr<Routing> routing = make_routing(config, graph);
    hw::RtlVariant variant = hw::rtl_variant(config, graph, *routing);
    if (variant.routing == hw::RtlRouting::kTable) {
        variant.routing = hw::RtlRouting::kMesh;
        variant.table_entries = 0;
    }
    const std::vector<Turns> turns = turns_taken(graph, *routing);
    const auto most =
        std::max_element(turns.begin(), turns.end(),
                         [](const Turns& a, const Turns& b) { return a.count() < b.count(); });
    variant.turns = most->hex();
    return variant;
}

double router_clock_ns(const std::string& network) {
    return synthesized_clock_ns(kept_router(network).period_ns);
}

std::string router_name(const std::string& network) {
    hw::RtlVariant variant = variant_of(network);
    variant.turns.clear();
    return variant.name();
}

std::string router_turns(const std::string& network) {
    const hw::RtlVariant variant = variant_of(network);
    return fmt::format("{} of {}", turns_of_hex(variant.ports, variant.turns).count(),
                       variant.ports * variant.ports);
}

std::string pitch_key(int pitch_mm) { return fmt::format("/physical-{}mm", pitch_mm); }

std::string physical_wires(int pitch_mm) {
    return fmt::format("{{model: physical, pitch_mm: {}}}", pitch_mm);
}

}  // namespace flitscope::reproduce
