// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/router_table.h"

namespace flitscope {

const char* routing_name(hw::RtlRouting routing) {
    switch (routing) {
        case hw::RtlRouting::kMesh:
            return "mesh";
        case hw::RtlRouting::kHypercube:
            return "hypercube";
        case hw::RtlRouting::kTable:
            return "table";
        case hw::RtlRouting::kPins:
            return "pins";
    }
    return "";
}

}  // namespace flitscope
