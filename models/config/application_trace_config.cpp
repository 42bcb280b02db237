// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/application_trace_config.h"

namespace flitscope {

std::string name_of(TraceFormat format) {
    switch (format) {
        case TraceFormat::kGoal:
            return "goal";
        case TraceFormat::kCsv:
            return "csv";
        case TraceFormat::kChakra:
            return "chakra";
    }
    return {};
}

std::string name_of(RankPlacement placement) {
    switch (placement) {
        case RankPlacement::kLinear:
            return "linear";
        case RankPlacement::kRandom:
            return "random";
        case RankPlacement::kFile:
            return "file";
        case RankPlacement::kVolume:
            return "volume";
    }
    return {};
}

std::string name_of(ControlDependencies dependencies) {
    switch (dependencies) {
        case ControlDependencies::kAuto:
            return "auto";
        case ControlDependencies::kAwaited:
            return "awaited";
        case ControlDependencies::kIgnored:
            return "ignored";
    }
    return {};
}

std::string name_of(TraceInterfaces interfaces) {
    switch (interfaces) {
        case TraceInterfaces::kShared:
            return "shared";
        case TraceInterfaces::kPlanes:
            return "planes";
        case TraceInterfaces::kRefused:
            return "refused";
    }
    return {};
}

}  // namespace flitscope
