// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes that wait for each other over messages: two that both receive first.
#pragma once

#include <optional>
#include <string>

#include "models/base/diagnostics.h"
#include "traffic/program/operations.h"
#include "traffic/program/transfers.h"

namespace flitscope {

/// Operations that wait for each other cyclically whatever the network does, and in whatever order
/// messages arrive: every receive is taken to be served by any message that it could match, also if
/// that serves others. So a cycle that is found is real, and one that depends on which of several
/// messages a receive gets is left to the run. Nothing for more than 2^20 operations, whose states
/// would take more memory than their run. For operations that validate() accepts; `source` names
/// the program.
std::optional<Diagnostic> find_waiting_cycle(const Operations& operations,
                                             const Transfers& messages, const std::string& source);

}  // namespace flitscope
