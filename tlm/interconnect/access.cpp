// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/access.h"

namespace flitscope {

const char* AccessRequest::command_name() const {
    switch (command) {
        case tlm::TLM_READ_COMMAND:
            return "read";
        case tlm::TLM_WRITE_COMMAND:
            return "write";
        case tlm::TLM_IGNORE_COMMAND:
            break;
    }
    return "transaction";
}

}  // namespace flitscope
