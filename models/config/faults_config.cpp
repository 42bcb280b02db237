// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/faults_config.h"

#include <cmath>

namespace flitscope {

std::uint64_t FaultAmount::of(std::uint64_t all) const {
    if (!share) return count;
    return static_cast<std::uint64_t>(std::llround(*share * static_cast<double>(all)));
}

}  // namespace flitscope
