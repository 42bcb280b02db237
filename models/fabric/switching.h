// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The switching methods (hw/TIMING.md, "Switching"): when a router passes a packet on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config_table.h"
#include "models/config/fabric_config.h"
#include "models/routing/routing.h"

namespace flitscope {

struct WorkloadConfig;

struct SwitchingKind {
    Switching method = Switching::kWormhole;
    std::string title;    ///< for reports
    std::string summary;  ///< for the list of all
};
/// The switching methods, in the order of the enumeration.
const std::vector<SwitchingKind>& switching_kinds();

/// "store and forward, combining delay 5".
std::string switching_text(const FabricConfig& fabric);

/// What is wrong, at fabric.buffer_depth, if packets are passed on as a whole and the first,
/// longest packet of a message of `bytes` does not fit into a FIFO; empty if it fits.
std::optional<Diagnostic> find_packet_without_room(const WorkloadConfig& config,
                                                   std::uint64_t bytes);
/// Throws it as a ConfigError. Call it for the longest message.
void require_room_for_packets(const WorkloadConfig& config, std::uint64_t bytes);

/// Reports virtual channels that cannot share the inputs of the switch evenly.
void check_input_speedup(RuleContext& context);
/// Reports more outputs of the switch per port than flits can come for, queues too short for what
/// enters in a cycle, and what output queues do not go with (hw/TIMING.md, "Switch outputs").
void check_output_speedup(RuleContext& context);

/// Throws ConfigError if circuits are configured and the rest of the configuration is for packets,
/// or the path of a message is not fixed.
void require_circuits(const WorkloadConfig& config, const Routing& routing);

}  // namespace flitscope
