// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/chunk_schedule.h"

namespace flitscope::synthesis {

std::uint64_t ChunkSchedule::moves() const {
    std::uint64_t count = 0;
    for (const std::vector<ChunkMove>& round : rounds) count += round.size();
    return count;
}

Program to_program(const ChunkSchedule& schedule, const std::string& name) {
    const Task& task = schedule.task;
    Program program = empty_program(name, task.nodes, schedule.moves());
    if (schedule.period != 0) program.ordering = Ordering::kTimed;
    for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
        for (const ChunkMove& move : schedule.rounds[round]) {
            const std::uint64_t bytes = task.chunk_bytes(move.chunk);
            if (bytes == 0 && task.bytes != 0) continue;
            program.send(move.from, move.to, bytes, static_cast<StepId>(round));
            program.transfers.back().port = static_cast<std::uint16_t>(move.port);
            program.transfers.back().time = round * schedule.period;
        }
    }
    return program;
}

}  // namespace flitscope::synthesis
