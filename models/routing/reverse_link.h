// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether links lead both ways, through whichever ports, as up*/down* routing requires.
#pragma once

#include "models/base/types.h"

namespace flitscope {

class Graph;

/// A link between two routers without a link back, or kNoLink.
LinkId one_way_link(const Graph& graph);

}  // namespace flitscope
