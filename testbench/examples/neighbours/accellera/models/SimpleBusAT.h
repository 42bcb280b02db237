// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Found in place of Accellera's header of this name: their bus is a mesh.
#pragma once

#include "mesh_bus.h"

template <int initiators, int targets>
using SimpleBusAT = MeshBus<initiators, targets>;
