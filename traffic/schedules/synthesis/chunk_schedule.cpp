// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/chunk_schedule.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace flitscope::synthesis {
namespace {

/// The messages by which nodes got their parts of a chunk.
class ArrivalLog {
public:
    void add(NodeId node, std::uint64_t chunk, MessageId message) {
        messages_[{node, chunk}].push_back(message);
    }
    std::vector<MessageId> of(NodeId node, std::uint64_t chunk) const {
        const auto found = messages_.find({node, chunk});
        return found == messages_.end() ? std::vector<MessageId>() : found->second;
    }

private:
    std::map<std::pair<NodeId, std::uint64_t>, std::vector<MessageId>> messages_;
};

}  // namespace

std::uint64_t ChunkSchedule::moves() const {
    std::uint64_t count = 0;
    for (const std::vector<ChunkMove>& round : rounds) count += round.size();
    return count;
}

ChunkMove move_over(const NeighbourLink& link, std::uint64_t chunk, bool combines) {
    return {link.from, link.to, link.port, link.arrival, chunk, combines, link.rounds, 0};
}

std::vector<std::vector<ChunkMove>> reversed_in_time(std::vector<std::vector<ChunkMove>> rounds) {
    std::vector<std::vector<ChunkMove>> reversed(rounds.size());
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        for (const ChunkMove& move : rounds[round]) {
            reversed[rounds.size() - round - move.rounds].push_back(move);
        }
    }
    return reversed;
}

std::vector<std::vector<ChunkMove>> played_backwards(
    std::vector<std::vector<ChunkMove>> spreading) {
    spreading = reversed_in_time(std::move(spreading));
    for (std::vector<ChunkMove>& round : spreading) {
        for (ChunkMove& move : round) {
            std::swap(move.from, move.to);
            std::swap(move.port, move.arrival);
            move.combines = true;
        }
    }
    return spreading;
}

Program to_program(const ChunkSchedule& schedule, const std::string& name) {
    const Task& task = schedule.task;
    Program program = empty_program(name, task.nodes, schedule.moves());
    if (schedule.by_the_clock) program.ordering = Ordering::kTimed;
    ArrivalLog arrivals;
    std::vector<std::uint64_t> chunks;  // chunks of the messages of a round
    for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
        const std::size_t first = program.transfers.size();
        chunks.clear();
        const std::vector<ChunkMove>& moves = schedule.rounds[round];
        for (std::size_t m = 0; m < moves.size(); ++m) {
            const ChunkMove& move = moves[m];
            std::uint64_t bytes = task.chunk_bytes(move.chunk);
            while (schedule.merges && m + 1 < moves.size() && moves[m + 1].from == move.from &&
                   moves[m + 1].to == move.to) {
                bytes += task.chunk_bytes(moves[++m].chunk);
            }
            if (bytes == 0 && task.bytes != 0) continue;
            chunks.push_back(move.chunk);
            Transfer transfer{move.from, move.to, bytes, static_cast<StepId>(round)};
            transfer.port = static_cast<std::uint16_t>(move.port);
            if (schedule.by_the_clock) {
                transfer.time = move.begin;
                transfer.after = arrivals.of(move.from, move.chunk);
            }
            program.transfers.push_back(transfer);
        }
        if (!schedule.by_the_clock) continue;
        // Arrivals of a round can be forwarded in the next.
        for (std::size_t id = first; id < program.transfers.size(); ++id) {
            arrivals.add(program.transfers[id].destination, chunks[id - first],
                         static_cast<MessageId>(id));
        }
    }
    return program;
}

}  // namespace flitscope::synthesis
