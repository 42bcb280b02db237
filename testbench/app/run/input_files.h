// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The files that a configuration names, without which it is not the whole run.
#pragma once

#include <string>
#include <vector>

namespace flitscope {

struct WorkloadConfig;

/// The files that a configuration names: graph, program, matrix, trace and placement, and the
/// sources of its own routers with the files next to them.
std::vector<std::string> input_files(const WorkloadConfig& config);

/// Throws ConfigError, placed at the key that names it, if one of them is not there.
void require_input_files(const WorkloadConfig& config);

}  // namespace flitscope
