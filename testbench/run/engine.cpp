// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/run/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/engine/fabric.h"

namespace flitscope {
namespace {

/// The most flits that any channel needs in its FIFO for a worm to stream: c + d.
std::uint32_t streaming_depth(const Machine& machine) {
    const std::uint32_t router_delay = machine.config.fabric.router_delay;
    std::uint32_t depth = router_delay + 1;  // injection
    for (const Link& link : machine.graph.links()) {
        depth = std::max(depth, router_delay + 2 * link.delay);
    }
    return depth;
}

}  // namespace

EngineChoice choose_engine(const Machine& machine, const std::string& requested) {
    const std::optional<Diagnostic> obstacle = tlm_obstacle(machine.config, *machine.routing);
    if (requested == "tlm" && obstacle) throw ConfigError({*obstacle});
    if (requested != "auto") return {requested, {}};
    if (obstacle) return {"cycle", obstacle->what};
    const std::uint32_t needed = streaming_depth(machine);
    const std::uint32_t depth = machine.config.fabric.buffer_depth;
    if (depth < needed) {
        return {"cycle",
                fmt::format("fabric.buffer_depth {} < c + d = {}: worms stop every few flits, "
                            "and the TLM engine gains nothing",
                            depth, needed)};
    }
    return {"tlm", fmt::format("exact, and worms stream: fabric.buffer_depth {} >= c + d = {}",
                               depth, needed)};
}

}  // namespace flitscope
