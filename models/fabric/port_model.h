// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a node may send at a time (hw/TIMING.md, "Port models"; the communication models of Ziavras
// et al., Section 4), and which machines can be built that way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/routing/routing.h"

namespace flitscope {

enum class PortModel : std::uint8_t {
    kSingle = 0,       ///< one channel to the router, one from it
    kOneOutput = 1,    ///< over one channel (model 1 of the paper)
    kSameValue = 2,    ///< over several channels, the same value (model 2)
    kIndependent = 3,  ///< over all channels, different values (model 3)
};

PortModel port_model_of(const NodeConfig& node);

/// The values of node.port_model, in the order of PortModel.
const std::vector<std::string>& port_model_names();

/// Why nodes with a channel for every link cannot be had on this machine; empty when they can, or
/// when nobody wants them.
std::optional<Diagnostic> port_model_obstacle(const Config& config, const Routing& routing);

}  // namespace flitscope
