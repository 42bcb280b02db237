// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/direct_schedule.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "models/config/hardware_config.h"
#include "traffic/schedules/synthesis/direct/known_exchanges.h"
#include "traffic/schedules/synthesis/direct/round_chain.h"
#include "traffic/schedules/synthesis/direct/timetable_search.h"

namespace flitscope::synthesis {
namespace {

/// The timetable as moves, in the order of their starts.
ChunkSchedule to_schedule(const Task& task, const HardwareConfig& config,
                          const TimetableSearch& found) {
    const std::vector<Cycle>& begins = found.begins();
    std::vector<std::size_t> order(begins.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return begins[a] < begins[b]; });
    ChunkSchedule schedule;
    schedule.task = task;
    schedule.method = "flow, direct";
    schedule.by_the_clock = true;
    schedule.cycles = found.end();
    if (begins.empty()) return schedule;
    const Cycle flits = config.packet_format().message_flits(task.chunk_bytes(0));
    schedule.rounds.resize((found.end() + flits - 1) / flits);
    for (const std::size_t chunk : order) {
        ChunkMove move;
        move.from = task.origin(chunk);
        move.to = task.destination(chunk);
        move.chunk = chunk;
        move.begin = begins[chunk];
        schedule.rounds[move.begin / flits].push_back(move);
    }
    return schedule;
}

}  // namespace

ChunkSchedule direct_schedule(const Task& task, const HardwareConfig& config, const Graph& graph,
                              const Routing& routing, std::uint64_t seed,
                              const std::function<bool()>& goes_on, Cycle latest) {
    const MessageRoutes ways(task, config, graph, routing);
    if (ways.least_end() > latest) return {};
    TimetableSearch search(ways, seed, latest);
    if (task.collective == Collective::kAllToAll) {
        for (const MessageRounds& rounds : known_exchanges(task, config, graph, routing)) {
            if (search.offer(rounds)) search.offer(chained_rounds(ways, rounds, seed));
        }
    }
    // If a known order is close to the optimum, a search for rounds finds no better.
    constexpr double kClose = 1.05;
    constexpr std::uint64_t kAttempts = 4;
    for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
        const bool is_found = search.end() != kNever;
        if (is_found &&
            static_cast<double>(search.end()) <= kClose * static_cast<double>(ways.least_end())) {
            break;
        }
        if (is_found && goes_on && !goes_on()) break;
        search.offer(direct_rounds(ways, seed + attempt));
    }
    if (search.end() == kNever) return {};
    search.improve(goes_on);
    return to_schedule(task, config, search);
}

}  // namespace flitscope::synthesis
