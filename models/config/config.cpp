// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/config.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flitscope {

std::uint32_t LinkDelayConfig::delay(std::uint32_t length, double clock_ns) const {
    switch (model) {
        case LinkDelayModel::kConstant:
            return cycles;
        case LinkDelayModel::kLinear:
            return length / reach + (length % reach != 0 ? 1 : 0);
        case LinkDelayModel::kPhysical:
            break;
    }
    constexpr double kRounding = 1e-9;  // of decimals that are whole cycles already
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    const double whole = std::ceil(ns(length) / clock_ns - kRounding);
    return static_cast<std::uint32_t>(std::clamp(whole, 1.0, kMost));
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

std::uint64_t FaultAmount::of(std::uint64_t all) const {
    if (!share) return count;
    return static_cast<std::uint64_t>(std::llround(*share * static_cast<double>(all)));
}

Location Config::where(const std::string& key) const {
    std::string path = key;
    while (!path.empty()) {
        const auto it = locations.find(path);
        if (it != locations.end()) return it->second;
        const std::size_t dot = path.rfind('.');
        path.resize(dot == std::string::npos ? 0 : dot);
    }
    return {source, 0, 0};
}

Diagnostic no_traffic(const Config& config) {
    return {config.where("traffic"),
            "no traffic: none of 'traffic.schedule', 'traffic.pattern', 'traffic.program', "
            "'traffic.trace.file' is set",
            "set exactly one of them"};
}

const std::vector<std::string>& traffic_sources() {
    static const std::vector<std::string> kSources = {"traffic.schedule", "traffic.pattern",
                                                      "traffic.program", "traffic.trace.file"};
    return kSources;
}

}  // namespace flitscope
