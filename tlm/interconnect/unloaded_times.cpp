// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/unloaded_times.h"

#include "models/config/hardware_config.h"

namespace flitscope {

UnloadedTimes::UnloadedTimes(const HardwareConfig& config, const Graph& graph,
                             const Routing& routing, Cycle queueing)
    : paths_(config, graph, routing),
      message_(config),
      format_(config.packet_format()),
      queueing_(queueing) {}

Cycle UnloadedTimes::of(NodeId from, NodeId to, std::uint64_t bytes) {
    const auto [known, is_new] = known_.try_emplace(std::uint64_t{from} << 32 | to);
    if (is_new) known->second = paths_.shortest(from, to);
    return message_.delivered(format_.message_flits(bytes), known->second) + queueing_;
}

}  // namespace flitscope
