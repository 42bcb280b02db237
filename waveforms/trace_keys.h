// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `trace`: the contents of a waveform.
#pragma once

#include "models/config/config_table.h"

namespace flitscope {

ConfigKeys trace_keys();

/// Checks that nodes and dimensions exist, and that the trace ends after its start. Must come after
/// the rule of topologies.
void check_trace(RuleContext& context);

}  // namespace flitscope
