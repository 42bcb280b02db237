// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/dead_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/topology/faults/faults.h"
#include "models/topology/graph.h"
#include "traffic/program/operations.h"

namespace flitscope {
namespace {

bool is_dropped(const Transfer& transfer, const Graph& graph) {
    return !graph.is_alive(transfer.source) || !graph.is_alive(transfer.destination);
}

/// The first dead node that has a rank, or sends or receives, in the order of the messages.
std::optional<NodeId> dead_party(const Program& program, const Graph& graph) {
    if (graph.working_node_count() == graph.node_count()) return std::nullopt;
    if (program.operations != nullptr) {
        for (NodeId node = 0; node < program.operations->nodes(); ++node) {
            if (program.operations->rank(node) != kNoRank && !graph.is_alive(node)) return node;
        }
    }
    for (const Transfer& transfer : program.transfers) {
        if (!graph.is_alive(transfer.source)) return transfer.source;
        if (!graph.is_alive(transfer.destination)) return transfer.destination;
    }
    return std::nullopt;
}

/// Why messages cannot be left out; empty if they can.
std::string drop_obstacle(const Program& program, const Graph& graph) {
    if (program.computation != nullptr) return "nodes compute with what they receive";
    if (program.operations != nullptr) return "its ranks wait for what others send";
    for (std::size_t id = 0; id < program.transfers.size(); ++id) {
        const Transfer& transfer = program.transfers[id];
        if (!transfer.streams || is_dropped(transfer, graph)) continue;
        for (const MessageId followed : transfer.after) {
            if (!is_dropped(program.transfers[followed], graph)) continue;
            return fmt::format("message {} streams the flits of message {}, which node {} sends",
                               program.number(static_cast<MessageId>(id)), program.number(followed),
                               program.transfers[followed].source);
        }
    }
    return "";
}

Program without_dead_nodes(const Program& program, const Graph& graph) {
    Program left = program;
    left.transfers.clear();
    left.numbers.clear();
    std::vector<MessageId> renumbered(program.transfers.size(), kNoMessage);
    bool has_value = false;  // the last message that was not a copy, or a copy of it, is present
    for (std::size_t i = 0; i < program.transfers.size(); ++i) {
        const auto id = static_cast<MessageId>(i);
        Transfer transfer = program.transfers[id];
        if (!transfer.is_copy) has_value = false;
        if (is_dropped(transfer, graph)) {
            ++left.dropped_dead;
            continue;
        }
        transfer.is_copy = transfer.is_copy && has_value;
        has_value = true;
        renumbered[id] = static_cast<MessageId>(left.transfers.size());
        left.numbers.push_back(program.number(id));
        left.transfers.push_back(std::move(transfer));
    }
    // Messages may wait for those listed after them.
    left.transfers.change_all([&](Transfer& transfer) {
        std::vector<MessageId>& after = transfer.after;
        for (MessageId& awaited : after) awaited = renumbered[awaited];
        after.erase(std::remove(after.begin(), after.end(), kNoMessage), after.end());
    });
    return left;
}

}  // namespace

Program on_working_nodes(Program program, const HardwareConfig& config, const Graph& graph,
                         const Location& where, std::string obstacle) {
    const std::optional<NodeId> dead = dead_party(program, graph);
    if (!dead) return program;
    const std::string what = fmt::format("node {} of {}", *dead, program.name);
    if (!config.faults->drops_messages) throw dead_node_error(where, what);
    const bool has_dependants = program.computation != nullptr || program.operations != nullptr;
    if (obstacle.empty() || has_dependants) obstacle = drop_obstacle(program, graph);
    if (!obstacle.empty()) {
        throw ConfigError(
            where,
            fmt::format("{} has failed (section faults), and its messages cannot be dropped: {}",
                        what, obstacle),
            "let it live, or send what does not depend on it");
    }
    return without_dead_nodes(program, graph);
}

}  // namespace flitscope
