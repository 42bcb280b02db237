// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of an exported fabric, if its routers do not compute them: constants of the package,
// and beside every router what looks them up for the heads at its inputs.
#pragma once

#include <string>

#include "hw/verilated/rtl_variant.h"
#include "models/base/types.h"
#include "models/routing/turns.h"

namespace flitscope {

class Graph;
struct Machine;

/// "005" of router_005.
std::string router_digits(const Graph& graph, RouterId router);

/// The lines of the package; empty if routers compute their routes.
std::string route_constants(const Machine& machine, const hw::RtlVariant& variant);

/// The modules that look up the routes of a router, for those inputs that have a turn; empty
/// likewise.
std::string route_lookups(const Machine& machine, const hw::RtlVariant& variant, RouterId router,
                          const Turns& turns);

/// The connections of its pins with these.
std::string route_pins(const hw::RtlVariant& variant, const std::string& digits);

}  // namespace flitscope
