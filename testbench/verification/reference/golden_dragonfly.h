// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing by queues, written from hw/TIMING.md without sight of models/routing: whole routes, link
// by link, of which only the first one is asked for.
#pragma once

#include <memory>

#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct Config;

/// The routing of the configuration if it goes by queues, else nullptr. `graph` must outlive it.
std::unique_ptr<Routing> golden_dragonfly(const Config& config, const Graph& graph);

}  // namespace flitscope
