// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/ziavras/ziavras_machine.h"

#include <fmt/format.h>

#include "models/config/config.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope::reproduce::how_networks {

std::string topology_of(const HowCase& how) {
    const std::string dims =
        how.dimensions == 2 ? fmt::format("{0}, {0}", how.side) : std::to_string(how.side);
    return fmt::format("{{kind: how, dims: [{}], window: {}}}", dims, how.window);
}

Graph graph_of(const std::string& topology) {
    return build_topology(parse_config("fabric: {topology: " + topology + "}", "ziavras"));
}

std::string machine_text(const std::string& topology, const std::string& ports) {
    return fmt::format(
        "fabric: {{topology: {}}}\n"
        "node: {{port_model: {}, send_startup: {}, recv_overhead: {}}}\n",
        topology, ports, kStartup, kReceive);
}

std::uint64_t stored_cycles(std::uint64_t steps, std::uint64_t flits) {
    if (steps == 0) return 0;
    return kStartup + kHop + steps * flits + (steps - 1) * (kStartup + kHop + kReceive);
}

}  // namespace flitscope::reproduce::how_networks
