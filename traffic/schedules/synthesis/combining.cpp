// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/combining.h"

#include <algorithm>
#include <utility>

namespace flitscope::synthesis {
namespace {

using Shape = CombiningShape;
using Places = CombiningPlaces;

}  // namespace

Combining::Combining(const Task& task, const HardwareConfig& config, const Graph& graph,
                     const Routing& routing, Rehearsal& rehearsal,
                     const std::function<bool()>& goes_on, Cycle latest)
    : task_(task) {
    if (task.members.size() < 2) return;
    if (has_root(task.collective)) {
        const auto root = std::lower_bound(task.members.begin(), task.members.end(), task.root);
        first_ = static_cast<std::uint64_t>(root - task.members.begin());
    }
    found_ = CombiningSearch(task, first_, config, graph, routing, rehearsal).best(goes_on, latest);
}

ChunkSchedule Combining::schedule() const {
    ChunkSchedule schedule;
    schedule.task = task_;
    schedule.method = "combining";
    schedule.merges = true;
    schedule.expected = found_.cycles;
    switch (task_.collective) {
        case Collective::kAllToAll:
            schedule.rounds = exchange();
            break;
        case Collective::kAllGather:
            schedule.rounds = gather();
            break;
        case Collective::kReduceScatter:
            schedule.rounds = played_backwards(gather());
            break;
        case Collective::kAllReduce:
            if (found_.shape == Shape::kReduce) {
                schedule.rounds = reduce();
                break;
            }
            schedule.rounds = played_backwards(gather());
            for (std::vector<ChunkMove>& round : gather()) {
                schedule.rounds.push_back(std::move(round));
            }
            break;
        case Collective::kBroadcast:
        case Collective::kScatter:
            schedule.rounds = tree();
            break;
    }
    return schedule;
}

NodeId Combining::member(std::uint64_t place) const {
    return task_.members[(place + first_) % task_.members.size()];
}

void Combining::add_message(std::uint64_t from, std::uint64_t to,
                            const std::vector<std::uint64_t>& blocks,
                            std::vector<ChunkMove>& round) const {
    for (const std::uint64_t block : blocks) {
        ChunkMove move;
        move.from = member(from);
        move.to = member(to);
        move.chunk = block;
        round.push_back(move);
    }
}

Combining::Rounds Combining::exchange() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, found_.shape);
    std::vector<std::vector<std::uint64_t>> held(members);  // blocks, by place
    for (std::uint64_t block = 0; block < task_.blocks(); ++block) {
        held[block / (members - 1)].push_back(block);
    }
    const auto number_of = [&](std::uint64_t block) {
        const std::uint64_t source = block / (members - 1);
        const std::uint64_t place = block % (members - 1);
        return places.number(source, place < source ? place : place + 1);
    };
    Rounds rounds;
    for (const CombiningPhase& phase : found_.phases) {
        rounds.emplace_back();
        std::vector<std::vector<std::uint64_t>> next(members);
        for (std::uint64_t place = 0; place < members; ++place) {
            std::vector<std::vector<std::uint64_t>> messages(phase.radix);
            for (const std::uint64_t block : held[place]) {
                const std::uint64_t digit = places.digit(number_of(block), phase);
                const std::uint64_t old = places.by_distance() ? 0 : places.digit(place, phase);
                messages[(digit + phase.radix - old) % phase.radix].push_back(block);
            }
            for (std::uint64_t c = 0; c < phase.radix; ++c) {
                const std::uint64_t to = c == 0 ? place : places.partner(place, phase, c);
                next[to].insert(next[to].end(), messages[c].begin(), messages[c].end());
                if (c != 0) add_message(place, to, messages[c], rounds.back());
            }
        }
        held = std::move(next);
    }
    return rounds;
}

Combining::Rounds Combining::gather() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, found_.shape);
    std::vector<std::vector<std::uint64_t>> held(members);  // by distance: nearest before it first
    for (std::uint64_t place = 0; place < members; ++place) held[place].push_back(place);
    Rounds rounds;
    for (const CombiningPhase& phase : found_.phases) {
        rounds.emplace_back();
        std::vector<std::vector<std::uint64_t>> next = held;
        for (std::uint64_t c = 1; c < phase.radix; ++c) {
            const std::uint64_t most = places.blocks(phase, c);
            for (std::uint64_t place = 0; place < members && most != 0; ++place) {
                std::vector<std::uint64_t> message = held[place];
                message.resize(most);
                const std::uint64_t to = places.partner(place, phase, c);
                next[to].insert(next[to].end(), message.begin(), message.end());
                add_message(place, to, message, rounds.back());
            }
        }
        held = std::move(next);
    }
    return rounds;
}

Combining::Rounds Combining::reduce() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, found_.shape);
    std::vector<std::uint64_t> vector(task_.blocks());
    for (std::uint64_t block = 0; block < vector.size(); ++block) vector[block] = block;
    Rounds rounds;
    for (const CombiningPhase& phase : found_.phases) {
        rounds.emplace_back();
        for (std::uint64_t place = 0; place < members; ++place) {
            for (std::uint64_t c = 1; c < phase.radix; ++c) {
                add_message(place, places.partner(place, phase, c), vector, rounds.back());
            }
        }
        for (ChunkMove& move : rounds.back()) move.combines = true;
    }
    return rounds;
}

Combining::Rounds Combining::tree() const {
    const std::uint64_t members = task_.members.size();
    const Places places(members, found_.shape);
    // In a scatter block b is for the b-th member except the root.
    const auto block_of = [&](std::uint64_t place) {
        const std::uint64_t number = (place + first_) % members;
        return number < first_ ? number : number - 1;
    };
    Rounds rounds;
    for (auto phase = found_.phases.rbegin(); phase != found_.phases.rend(); ++phase) {
        rounds.emplace_back();
        for (std::uint64_t place = 0; place < members; place += phase->weight * phase->radix) {
            for (std::uint64_t c = 1; c < phase->radix; ++c) {
                const std::uint64_t to = places.partner(place, *phase, c);
                if (to == place) continue;
                std::vector<std::uint64_t> message{0};
                if (found_.shape == Shape::kTreeOfBlocks) {
                    message.clear();
                    const std::uint64_t end = std::min(to + phase->weight, members);
                    for (std::uint64_t below = to; below < end; ++below) {
                        message.push_back(block_of(below));
                    }
                }
                add_message(place, to, message, rounds.back());
            }
        }
    }
    return rounds;
}

}  // namespace flitscope::synthesis
