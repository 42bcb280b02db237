// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Environment variables; an empty one counts as unset.
#pragma once

#include <string>

namespace flitscope {

/// The value of a variable; empty if it is not set.
std::string environment(const char* name);

}  // namespace flitscope
