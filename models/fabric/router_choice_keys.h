// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys that say which router the nodes have: flitscope's, in SystemC or RTL, or the user's own.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

/// fabric.router, fabric.router_overrides, fabric.router_parameters.
ConfigKeys router_choice_keys();

/// A fabric has RTL routers of one kind: one library is loaded for it. Only one of the user's own
/// has parameters.
void check_routers(RuleContext& context);

}  // namespace flitscope
