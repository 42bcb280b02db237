// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The findings with which something is refused, as text.
#pragma once

#include <string>

#include "models/base/diagnostics.h"

namespace flitscope {

/// All findings of the ConfigError that `act` throws; empty if it throws none.
template <class Act>
std::string refused_with(Act act) {
    try {
        act();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

}  // namespace flitscope
