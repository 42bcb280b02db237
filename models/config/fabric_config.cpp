// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/fabric_config.h"

#include <algorithm>

#include "models/base/limits.h"

namespace flitscope {

std::string name_of(Switching switching) {
    switch (switching) {
        case Switching::kWormhole:
            return "wormhole";
        case Switching::kVirtualCutThrough:
            return "virtual_cut_through";
        case Switching::kStoreAndForward:
            return "store_and_forward";
        case Switching::kCircuit:
            return "circuit";
    }
    return {};
}

std::string name_of(SwitchArbitration arbitration) {
    switch (arbitration) {
        case SwitchArbitration::kRoundRobin:
            return "round_robin";
        case SwitchArbitration::kPerPacket:
            return "per_packet";
    }
    return {};
}

std::string name_of(Allocation allocation) {
    switch (allocation) {
        case Allocation::kSequential:
            return "sequential";
        case Allocation::kCombined:
            return "combined";
    }
    return {};
}

std::string name_of(LinkProtocol protocol) {
    switch (protocol) {
        case LinkProtocol::kCredits:
            return "credits";
        case LinkProtocol::kValidReady:
            return "valid_ready";
    }
    return {};
}

std::string name_of(Spread spread) {
    switch (spread) {
        case Spread::kNone:
            return "none";
        case Spread::kPorts:
            return "ports";
        case Spread::kFlow:
            return "flow";
        case Spread::kPaths:
            return "paths";
    }
    return {};
}

std::uint32_t FabricConfig::most_virtual_channels() const {
    return switches_circuits() ? 1 : kMaxVirtualChannels;
}

const RtlModule& FabricConfig::rtl_module() const {
    static const RtlModule kOurs;
    if (router.is_rtl()) return router.module;
    for (const RouterOverride& entry : router_overrides) {
        if (entry.router.is_rtl()) return entry.router.module;
    }
    return kOurs;
}

std::optional<MessageClass> FabricConfig::class_named(const std::string& name) const {
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end()) return std::nullopt;
    return static_cast<MessageClass>(found - classes.begin());
}

}  // namespace flitscope
