// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/cli/explainable.h"

#include "models/base/diagnostics.h"

namespace flitscope::cli {
namespace {

void require_one_class(const Machine& machine) {
    if (!machine.config.fabric.has_classes()) return;
    throw ConfigError(machine.config.where("fabric.classes"),
                      "what messages of several classes wait for is not explained: a node sends "
                      "them by turns and priorities, not in their order",
                      "flitscope run gives the latency of each class");
}

void require_no_full_nodes(const Machine& machine) {
    if (machine.config.traffic.reply_queue == 0) return;
    throw ConfigError(machine.config.where("traffic.reply_queue"),
                      "what waits for a node that is full is not explained", "set it to 0");
}

void require_no_losses(const Machine& machine) {
    if (machine.later == nullptr && !machine.config.node.retransmit) return;
    throw ConfigError(
        machine.config.where(machine.later != nullptr ? "faults.at" : "node.retransmit"),
        "where packets are lost or sent again it is not explained what waited for what: events are "
        "missing from the chain",
        machine.later != nullptr ? "set faults.at: 0" : "remove the section node.retransmit");
}

}  // namespace

void require_explained_events(const Machine& machine) {
    require_traffic(machine);
    require_one_class(machine);
    require_no_full_nodes(machine);
    require_no_losses(machine);
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
           machine.later == nullptr && !machine.config.node.retransmit;
}

}  // namespace flitscope::cli
