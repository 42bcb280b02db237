// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/explained_fabric.h"

#include <fmt/format.h>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/fabric/planes.h"

namespace flitscope {

void require_explained_fabric(const Config& config, const std::string& what) {
    require_one_plane(config, what);
    if (config.traffic.trace.receives_transfer) {
        throw ConfigError(
            config.where("traffic.trace.receive_time"),
            fmt::format("{} takes receives to begin once their whole message is there, and knows "
                        "no time that they spend with the rest of it",
                        what),
            "set traffic.trace.receive_time: overhead");
    }
    if (!config.fabric.has_output_queues()) return;
    throw ConfigError(config.where("fabric.output_speedup"),
                      fmt::format("{} knows no queues between the switch of a router and its links "
                                  "(fabric.output_speedup: {})",
                                  what, config.fabric.output_speedup),
                      "set fabric.output_speedup: 1");
}

}  // namespace flitscope
