// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/node_config.h"

namespace flitscope {

std::string name_of(PortModel model) {
    switch (model) {
        case PortModel::kSingle:
            return "single";
        case PortModel::kOneOutput:
            return "one_output";
        case PortModel::kSameValue:
            return "same_value";
        case PortModel::kIndependent:
            return "independent";
    }
    return {};
}

}  // namespace flitscope
