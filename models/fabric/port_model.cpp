// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/port_model.h"

#include <fmt/format.h>

#include "models/config/workload_config.h"

namespace flitscope {

std::optional<Diagnostic> port_model_obstacle(const WorkloadConfig& config,
                                              const Routing& routing) {
    if (!config.node.has_channels_per_link()) return std::nullopt;
    const auto finding = [&](const std::string& what, const std::string& remedy) {
        return Diagnostic{config.where("node.port_model"),
                          fmt::format("port_model {} {}", name_of(config.node.port_model), what),
                          remedy};
    };
    if (routing.path_choice() != PathChoice::kFixed) {
        return finding(fmt::format("needs to know the output link of a packet in advance, which "
                                   "routing {} does not determine",
                                   routing.name()),
                       "use fabric.routing: dimension_order, or set node.port_model: single");
    }
    if (config.fabric.has_classes()) {
        return finding("has one queue of messages per channel, not one per class",
                       "set node.port_model: single, or leave fabric.classes out");
    }
    if (!config.traffic.pattern.empty()) {
        return finding("is for programs: a pattern has one queue of messages at every node",
                       "set node.port_model: single, or use a schedule or a program");
    }
    return std::nullopt;
}

}  // namespace flitscope
