// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/engine/fabric.h"

#include <memory>

#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "tlm/engine/limitations.h"

namespace flitscope {

TlmFabric::TlmFabric(sc_core::sc_module_name name, const WorkloadConfig& config, const Graph& graph,
                     const Routing& routing, ChannelObserver* channels, PacketObserver* packets,
                     burst::ChannelListener* listener)
    : sc_module(name),
      scheduler_("scheduler", sc_core::sc_time(config.clock_ns, sc_core::SC_NS)),
      context_{scheduler_, channels, listener == nullptr} {
    if (const auto refusal = first_refusal(tlm_limitations(), config, graph, routing)) {
        throw ConfigError({refusal->diagnostic(config)});
    }
    network_ =
        std::make_unique<burst::Network>(config, graph, routing, context_, packets, listener);
}

}  // namespace flitscope
