// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `traffic.trace`: the trace of an application, and how it is read and played.
#pragma once

#include <string>
#include <vector>

#include "models/config/config_table.h"

namespace flitscope {

/// The keys that an override of this traffic source replaces, whichever the file has; with the file
/// of a trace also the settings of the trace.
std::vector<std::string> other_traffic_than(const std::string& source);

ConfigKeys application_trace_keys();

}  // namespace flitscope
