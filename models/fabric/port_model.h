// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which machines can have nodes with a channel for every link (hw/TIMING.md, "Port models").
#pragma once

#include <optional>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/routing/routing.h"

namespace flitscope {

/// Why nodes with a channel for every link cannot be had on this machine; empty when they can, or
/// when nobody wants them.
std::optional<Diagnostic> port_model_obstacle(const Config& config, const Routing& routing);

}  // namespace flitscope
