// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/measured_traffic.h"

#include <cmath>

namespace flitscope {

bool MeasuredTraffic::is_overloaded() const {
    if (!is_whole) return false;
    const std::int64_t grown = backlog_growth();
    return static_cast<double>(grown) > 3 * std::sqrt(generated.variance) && 4 * growth(1) >= grown;
}

double MeasuredTraffic::per_node(std::uint64_t flits, NodeId count) const {
    const double node_cycles = static_cast<double>(cycles) * count;
    return node_cycles == 0 ? 0 : static_cast<double>(flits) / node_cycles;
}

}  // namespace flitscope
