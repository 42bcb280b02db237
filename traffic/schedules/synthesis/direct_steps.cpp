// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct_steps.h"

#include <utility>
#include <vector>

#include "traffic/schedules/synthesis/direct/known_exchanges.h"

namespace flitscope::synthesis {
namespace {

ChunkSchedule schedule_of(const Task& task, const MessageRounds& rounds) {
    ChunkSchedule schedule;
    schedule.task = task;
    schedule.method = "flow, in steps";
    schedule.merges = true;  // one message between two nodes; its sender continues
    for (const std::vector<std::uint32_t>& round : rounds) {
        schedule.rounds.emplace_back();
        for (const std::uint32_t chunk : round) {
            ChunkMove move;
            move.from = task.origin(chunk);
            move.to = task.destination(chunk);
            move.chunk = chunk;
            schedule.rounds.back().push_back(move);
        }
    }
    return schedule;
}

}  // namespace

std::optional<ChunkSchedule> best_direct_steps(const Task& task, const HardwareConfig& config,
                                               const Graph& graph, const Routing& routing,
                                               Rehearsal& rehearsal,
                                               const std::function<bool()>& goes_on, Cycle latest) {
    std::optional<ChunkSchedule> best;
    for (const MessageRounds& rounds : known_exchanges(task, config, graph, routing)) {
        if (!rehearsal.has_work() || (goes_on && !goes_on())) break;
        ChunkSchedule schedule = schedule_of(task, rounds);
        const auto cycles = rehearsal.cycles_of(to_program(schedule, "steps"), latest);
        if (!cycles) continue;
        schedule.expected = *cycles;
        latest = *cycles - 1;
        best = std::move(schedule);
    }
    return best;
}

}  // namespace flitscope::synthesis
