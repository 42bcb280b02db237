// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/run_keys.h"

#include <limits>

#include "models/config/key_kinds.h"

namespace flitscope {

ConfigKeys run_keys() {
    using namespace kinds;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
    ConfigKeys keys;
    keys.push_back(integer("limits.max_cycles", {1, kLongTime}, "cycles",
                           "a run that is not done by then stops with exit code 3",
                           at(&Config::limits, &LimitsConfig::max_cycles)));
    keys.push_back(real("clock_ns", {0.001, 1e6}, "ns", "clock period; 1 ps is the finest",
                        at(&Config::clock_ns)));
    keys.push_back(integer("seed", {0, kLargest}, "", "of every random stream", at(&Config::seed)));
    return keys;
}

}  // namespace flitscope
