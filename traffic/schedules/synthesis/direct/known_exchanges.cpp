// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct/known_exchanges.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/config/workload_config.h"
#include "models/topology/graph.h"
#include "traffic/program/program.h"
#include "traffic/schedules/exchange/exchange_schedules.h"
#include "traffic/schedules/kinds/requirements.h"

namespace flitscope::synthesis {
namespace {

/// The number of every block of an exchange by its ends.
std::map<std::pair<NodeId, NodeId>, std::uint64_t> blocks_by_ends(const Task& task) {
    std::map<std::pair<NodeId, NodeId>, std::uint64_t> blocks;
    for (std::uint64_t block = 0; block < task.blocks(); ++block) {
        const std::uint64_t chunk = block * task.chunks;
        blocks[{task.origin(chunk), task.destination(chunk)}] = block;
    }
    return blocks;
}

MessageRounds rounds_of(const Program& program, const Task& task,
                        const std::map<std::pair<NodeId, NodeId>, std::uint64_t>& blocks) {
    MessageRounds rounds(std::size_t{program.step_count()} * task.chunks);
    for (const MessageId id : step_order(program)) {
        const Transfer transfer = program.transfers[id];
        const auto block = blocks.find({transfer.source, transfer.destination});
        if (block == blocks.end()) continue;
        for (std::uint32_t c = 0; c < task.chunks; ++c) {
            rounds[std::size_t{transfer.step} * task.chunks + c].push_back(
                static_cast<std::uint32_t>(block->second * task.chunks + c));
        }
    }
    return rounds;
}

/// Messages one after the other, in the link of each round that has most.
std::uint64_t messages_in_a_row(const Task& task, const Graph& graph, const Routing& routing,
                                const MessageRounds& rounds) {
    std::vector<std::uint64_t> carried(graph.link_count());
    std::vector<LinkId> used;
    std::uint64_t all = 0;
    for (const std::vector<std::uint32_t>& round : rounds) {
        std::uint64_t most = round.empty() ? 0 : 1;
        for (const std::uint32_t chunk : round) {
            const std::vector<LinkId> route =
                route_links(graph, routing, task.origin(chunk), task.destination(chunk));
            for (const LinkId link : route) most = std::max(most, ++carried[link]);
            used.insert(used.end(), route.begin(), route.end());
        }
        for (const LinkId link : used) carried[link] = 0;
        used.clear();
        all += most;
    }
    return all;
}

}  // namespace

std::vector<MessageRounds> known_exchanges(const Task& task, const HardwareConfig& config,
                                           const Graph& graph, const Routing& routing) {
    const auto blocks = blocks_by_ends(task);
    WorkloadConfig asked;
    static_cast<HardwareConfig&>(asked) = config;
    std::vector<MessageRounds> known;
    std::vector<std::pair<std::uint64_t, std::size_t>> order;  // messages in a row, which
    for (const ScheduleKind& schedule : exchange_schedules()) {
        for (const AlgorithmKind& algorithm : schedule.algorithms) {
            if (!algorithm.is_direct) continue;
            if (!unmet_requirements({asked, graph, schedule, algorithm}).empty()) continue;
            const Program program = algorithm.build(graph, asked);
            if (program.step_count() < 2) continue;
            MessageRounds rounds = rounds_of(program, task, blocks);
            // Some coincide for this number of nodes.
            if (std::find(known.begin(), known.end(), rounds) != known.end()) continue;
            order.emplace_back(messages_in_a_row(task, graph, routing, rounds), known.size());
            known.push_back(std::move(rounds));
        }
    }
    std::sort(order.begin(), order.end());
    std::vector<MessageRounds> sorted;
    for (const auto& [messages, number] : order) sorted.push_back(std::move(known[number]));
    return sorted;
}

}  // namespace flitscope::synthesis
