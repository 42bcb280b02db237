// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/cli/explainable.h"

#include <optional>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "testbench/app/build/machine.h"

namespace flitscope::cli {
namespace {

/// Why it is not known of the machine's traffic what waits for what; nothing where it is.
std::optional<ConfigError> unexplained(const Machine& machine) {
    const Config& config = machine.config;
    if (config.fabric.has_classes()) {
        return ConfigError(config.where("fabric.classes"),
                           "what messages of several classes wait for is not explained: a node "
                           "sends them by turns and priorities, not in their order",
                           "flitscope run gives the latency of each class");
    }
    if (config.traffic.reply_queue != 0) {
        return ConfigError(config.where("traffic.reply_queue"),
                           "what waits for a node that is full is not explained", "set it to 0");
    }
    const bool comes_later = machine.later != nullptr;
    if (comes_later || config.node.retransmit) {
        return ConfigError(config.where(comes_later ? "faults.at" : "node.retransmit"),
                           "where packets are lost or sent again it is not explained what waited "
                           "for what: events are missing from the chain",
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
    if (machine.program) {
        throw ConfigError(machine.config.where("traffic"),
                          "the makespan of operations is not explained: nodes compute between "
                          "what they send and receive",
                          "flitscope run says when each rank has finished");
    }
    throw ConfigError(machine.config.where("traffic.pattern"),
                      "a pattern has no makespan to be explained",
                      "flitscope explain says where its packets spend their cycles");
}

bool has_explained_program(const Machine& machine) {
    return machine.program != nullptr && machine.program->operations == nullptr &&
           !unexplained(machine);
}

}  // namespace flitscope::cli
