// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes that a user has written: a table from a CSV file (models/routing/README.md, "Your own
// routes").
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/base/diagnostics.h"
#include "models/routing/routing.h"

namespace flitscope {

class Graph;

/// The name of such a routing in reports.
inline constexpr const char* kRoutesFromFile = "file";

/// The table in `path`, which the user named at `named_at`. Every working node that sends and
/// receives has a route to every other one. Throws ConfigError with all findings if the file cannot
/// be read, a line cannot be understood, or a route is missing or does not arrive.
std::unique_ptr<Routing> load_routes(const std::string& path, const Graph& graph,
                                     std::uint32_t virtual_channels, const Location& named_at);

}  // namespace flitscope
