// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/planes.h"

#include <fmt/format.h>

#include "models/config/config.h"

namespace flitscope {
namespace {

constexpr const char* kKey = "fabric.planes";
constexpr const char* kOne = "set fabric.planes: 1";

}  // namespace

std::optional<Diagnostic> planes_obstacle(const Config& config) {
    if (config.fabric.planes == 1) return std::nullopt;
    const auto finding = [&](const std::string& what, const std::string& remedy) {
        return Diagnostic{config.where(kKey), what, fmt::format("{}, or {}", kOne, remedy)};
    };
    if (config.node.has_channels_per_link()) {
        return finding("nodes have one channel to each plane, and none to every link of it",
                       "node.port_model: single");
    }
    if (config.faults) {
        return finding("planes are all alike, and failed links or nodes would be those of all",
                       "remove the section faults");
    }
    if (config.node.retransmit) {
        return finding("packets are retransmitted on one plane only",
                       "remove the section node.retransmit");
    }
    if (config.interconnect) {
        return finding("an interconnect has one plane", "remove the section interconnect");
    }
    return std::nullopt;
}

void require_one_plane(const Config& config, const std::string& what) {
    if (config.fabric.planes == 1) return;
    throw ConfigError(
        config.where(kKey),
        fmt::format("{} supports one plane, and there are {}", what, config.fabric.planes), kOne);
}

}  // namespace flitscope
