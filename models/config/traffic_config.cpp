// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/traffic_config.h"

namespace flitscope {

std::string name_of(ArrivalKind arrivals) {
    switch (arrivals) {
        case ArrivalKind::kBernoulli:
            return "bernoulli";
        case ArrivalKind::kPeriodic:
            return "periodic";
        case ArrivalKind::kBursty:
            return "bursty";
    }
    return {};
}

std::string name_of(PlaneUse use) {
    switch (use) {
        case PlaneUse::kAuto:
            return "auto";
        case PlaneUse::kMessages:
            return "messages";
        case PlaneUse::kSteps:
            return "steps";
    }
    return {};
}

}  // namespace flitscope
