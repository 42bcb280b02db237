// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/topology_config.h"

namespace flitscope {

std::string name_of(ExpressLayout layout) {
    switch (layout) {
        case ExpressLayout::kFull:
            return "full";
        case ExpressLayout::kSparse:
            return "sparse";
        case ExpressLayout::kShifted:
            return "shifted";
        case ExpressLayout::kCompound:
            return "compound";
        case ExpressLayout::kHierarchy:
            return "hierarchy";
    }
    return {};
}

}  // namespace flitscope
