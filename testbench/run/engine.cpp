// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/run/engine.h"

#include <fmt/format.h>

#include "models/fabric/channel_timing.h"
#include "models/tlm/engine/fabric.h"

namespace flitscope {
EngineChoice choose_engine(const Machine& machine, const std::string& requested) {
    const std::optional<Diagnostic> obstacle = tlm_obstacle(machine.config, *machine.routing);
    if (requested == "tlm" && obstacle) throw ConfigError({*obstacle});
    if (requested != "auto") return {requested, {}};
    if (obstacle) return {"cycle", obstacle->what};
    const std::uint32_t needed =
        ChannelTimings(machine.config.fabric).streaming_depth(machine.graph);
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
