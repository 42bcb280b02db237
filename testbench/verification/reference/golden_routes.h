// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of tables, found anew from models/routing/README.md without sight of models/routing:
// slowly, with one loop per sentence.
#pragma once

#include <memory>

#include "models/routing/routing.h"

namespace flitscope {

class Graph;
struct Config;

/// The routing that the configuration asks for, if it is a table, or `auto` compares tables, or if
/// it goes by queues; nullptr otherwise: then the golden model asks the product.
std::unique_ptr<Routing> golden_routes(const Config& config, const Graph& graph);

}  // namespace flitscope
