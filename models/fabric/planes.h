// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What supports several planes (hw/TIMING.md, "Planes").
#pragma once

#include <optional>
#include <string>

#include "models/base/diagnostics.h"

namespace flitscope {

struct Config;

/// Why this machine cannot have several planes; nothing if it can, or has one.
std::optional<Diagnostic> planes_obstacle(const Config& config);

/// Throws ConfigError, of `fabric.planes`, for several: "explain supports one plane".
void require_one_plane(const Config& config, const std::string& what);

}  // namespace flitscope
