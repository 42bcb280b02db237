// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/explainable.h"

#include <optional>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/build/machine.h"

namespace flitscope::cli {
namespace {

/// Why the dependencies of the machine's traffic are not known; nothing if they are.
std::optional<ConfigError> unexplained(const Machine& machine) {
    const Config& config = machine.config;
    if (config.fabric.has_classes() && machine.pattern == nullptr) {
        return ConfigError(config.where("fabric.classes"),
                           "explain does not support programs with message classes: nodes send "
                           "by priority, not in program order",
                           "flitscope run gives the latency of each class");
    }
    if (config.traffic.reply_queue != 0) {
        return ConfigError(config.where("traffic.reply_queue"),
                           "explain does not support waiting for a node with a full queue",
                           "set it to 0");
    }
    const bool comes_later = machine.later != nullptr;
    if (comes_later || config.node.retransmit) {
        return ConfigError(config.where(comes_later ? "faults.at" : "node.retransmit"),
                           "explain does not support lost or retransmitted packets: events are "
                           "missing from the chain",
                           comes_later ? "set faults.at: 0" : "remove the section node.retransmit");
    }
    return std::nullopt;
}

}  // namespace

void require_explained_events(const Machine& machine) {
    require_traffic(machine);
    if (const std::optional<ConfigError> problem = unexplained(machine)) throw *problem;
}

void require_program(const Machine& machine) {
    require_explained_events(machine);
    if (has_explained_program(machine)) return;
    throw ConfigError(machine.config.where("traffic.pattern"),
                      "a pattern has no makespan to explain",
                      "flitscope explain says where its packets spend their cycles");
}

bool has_explained_pattern(const Machine& machine) {
    return machine.pattern != nullptr && !machine.config.fabric.switches_circuits() &&
           !unexplained(machine);
}

bool has_explained_program(const Machine& machine) {
    return machine.program != nullptr && !unexplained(machine);
}

}  // namespace flitscope::cli
