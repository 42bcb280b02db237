// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/planes.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "models/base/diagnostics.h"
#include "models/config/traffic_config.h"
#include "models/config/workload_config.h"
#include "traffic/program/operations.h"
#include "traffic/program/program.h"

namespace flitscope {
namespace {

/// Why the steps of the program cannot take turns; empty if they can.
std::string obstacle_to_steps(const Program& program, const TrafficConfig& traffic) {
    if (program.ordering != Ordering::kSteps) return "the program has no steps";
    if (program.computation != nullptr) return "its steps combine what others have sent";
    if (traffic.handshake) return "a step waits for its handshakes, which are a step of their own";
    return "";
}

void put_by_steps(Program& program, std::uint32_t planes) {
    program.transfers.change_all([planes](Transfer& transfer) {
        transfer.plane = static_cast<std::uint8_t>(transfer.step % planes);
        transfer.step /= planes;
    });
}

/// Sends of operations have the numbers of their messages in the order listed.
void put_listed_in_turn(Program& program, std::uint32_t planes) {
    std::vector<std::uint32_t> sent(program.nodes);
    program.transfers.change_all([&](Transfer& transfer) {
        transfer.plane = static_cast<std::uint8_t>(sent[transfer.source]++ % planes);
    });
}

void put_by_messages(Program& program, std::uint32_t planes) {
    if (program.operations != nullptr) {
        put_listed_in_turn(program, planes);
        return;
    }
    const NodePrograms nodes(program);
    std::vector<std::uint8_t> plane_of(program.transfers.size());
    for (NodeId node = 0; node < program.nodes; ++node) {
        const std::uint32_t first = nodes.sends.first(node);
        for (std::uint32_t at = first; at < nodes.sends.first(node + 1); ++at) {
            plane_of[nodes.sends[at]] = static_cast<std::uint8_t>((at - first) % planes);
        }
    }
    for (MessageId id = 0; id < program.transfers.size(); ++id) {
        program.transfers.change(id, [&](Transfer& transfer) { transfer.plane = plane_of[id]; });
    }
}

}  // namespace

void put_on_planes(Program& program, const WorkloadConfig& config, bool are_independent) {
    const std::uint32_t planes = config.fabric.planes;
    if (planes == 1) return;
    const TrafficConfig& traffic = config.traffic;
    if (program.operations != nullptr &&
        program.operations->completion == SendCompletion::kInjected) {
        throw ConfigError(config.where("traffic.trace.send_completes"),
                          "on several planes sends are complete when they are buffered: what "
                          "follows an injection on one could come before what another one has "
                          "already taken",
                          "set traffic.trace.send_completes: buffered, or fabric.planes: 1");
    }
    if (program.names_planes) {
        if (traffic.planes == PlaneUse::kAuto) return;
        throw ConfigError(config.where("traffic.planes"),
                          "the file of the messages says which plane each one crosses",
                          "leave traffic.planes out, or the column `plane` (a trace in GOAL: "
                          "traffic.trace.interfaces)");
    }
    const std::string obstacle = obstacle_to_steps(program, traffic);
    if (traffic.planes == PlaneUse::kSteps && !obstacle.empty()) {
        throw ConfigError(config.where("traffic.planes"),
                          fmt::format("steps cannot take turns on planes: {}", obstacle),
                          "set traffic.planes: messages");
    }
    const bool by_steps =
        traffic.planes == PlaneUse::kSteps ||
        (traffic.planes == PlaneUse::kAuto && are_independent && obstacle.empty());
    if (by_steps) {
        put_by_steps(program, planes);
    } else {
        put_by_messages(program, planes);
    }
}

}  // namespace flitscope
