// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machines that support nodes with a channel for every link (hw/TIMING.md, "Port models").
#pragma once

#include <optional>

#include "models/base/diagnostics.h"
#include "models/routing/routing.h"

namespace flitscope {

struct WorkloadConfig;

/// Why this machine cannot have nodes with a channel for every link; empty if it can, or has no
/// such nodes.
std::optional<Diagnostic> port_model_obstacle(const WorkloadConfig& config, const Routing& routing);

}  // namespace flitscope
