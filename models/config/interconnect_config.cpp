// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/interconnect_config.h"

namespace flitscope {

std::string name_of(AccessTiming timing) {
    switch (timing) {
        case AccessTiming::kExact:
            return "exact";
        case AccessTiming::kAnnotated:
            return "annotated";
    }
    return {};
}

}  // namespace flitscope
