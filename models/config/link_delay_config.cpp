// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/link_delay_config.h"

#include <algorithm>
#include <limits>

#include "models/config/unit_values.h"

namespace flitscope {

std::string name_of(LinkDelayModel model) {
    switch (model) {
        case LinkDelayModel::kConstant:
            return "constant";
        case LinkDelayModel::kLinear:
            return "linear";
        case LinkDelayModel::kPhysical:
            return "physical";
    }
    return {};
}

double LinkDelayConfig::mm(double rows, double columns) const {
    if (!is_physical()) return 0;
    if (rows == 0 && columns == 0) return pitch_mm;
    return (columns + rows * (row_mm() / pitch_mm)) * pitch_mm;
}

std::uint32_t LinkDelayConfig::delay(std::uint32_t length, double mm, double clock_ns) const {
    switch (model) {
        case LinkDelayModel::kConstant:
            return cycles;
        case LinkDelayModel::kLinear:
            return length / reach + (length % reach != 0 ? 1 : 0);
        case LinkDelayModel::kPhysical:
            break;
    }
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    const double whole = whole_cycles(ns(mm), clock_ns);
    return static_cast<std::uint32_t>(std::clamp(whole, 1.0, kMost));
}

}  // namespace flitscope
