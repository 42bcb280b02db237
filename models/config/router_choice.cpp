// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/router_choice.h"

namespace flitscope {

std::string name_of(RouterKind router) {
    switch (router) {
        case RouterKind::kSystemC:
            return "systemc";
        case RouterKind::kRtl:
            return "rtl";
    }
    return {};
}

std::string name_of(RtlProtocol protocol) {
    switch (protocol) {
        case RtlProtocol::kFlit:
            return "flit";
        case RtlProtocol::kValidReady:
            return "valid_ready";
    }
    return {};
}

std::string name_of(RtlRoutes routes) {
    switch (routes) {
        case RtlRoutes::kCoordinates:
            return "coordinates";
        case RtlRoutes::kTable:
            return "table";
    }
    return {};
}

std::string name_of(RouterPlace place) {
    switch (place) {
        case RouterPlace::kNode:
            return "node";
        case RouterPlace::kX:
            return "x";
        case RouterPlace::kY:
            return "y";
        case RouterPlace::kZ:
            return "z";
    }
    return {};
}

}  // namespace flitscope
