// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/direct.h"

#include "models/performance/bounds.h"

#include <algorithm>
#include <random>
#include <utility>

namespace flitscope::synthesis {
namespace {

/// Messages and what they occupy: the links of their routes, then their source, then their
/// destination.
class DirectRounds {
public:
    DirectRounds(const Task& task, const Graph& graph, const Routing& routing, std::uint64_t seed)
        : task_(task),
          random_(seed),
          to_carry_(graph.link_count() + 2 * std::size_t{graph.node_count()}),
          taken_in_(to_carry_.size()) {
        first_.push_back(0);
        for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
            const NodeId from = task.origin(chunk);
            const NodeId to = task.destination(chunk);
            for (const LinkId link : route_links(graph, routing, from, to)) occupy(link);
            occupy(graph.link_count() + from);
            occupy(graph.link_count() + graph.node_count() + to);
            first_.push_back(used_.size());
            waiting_.push_back({0, chunk});
        }
    }

    std::vector<std::vector<ChunkMove>> rounds() {
        std::vector<std::vector<ChunkMove>> rounds;
        while (!waiting_.empty()) {
            ++round_;
            for (auto& [rank, chunk] : waiting_) rank = urgency(chunk);
            std::sort(waiting_.begin(), waiting_.end(), std::greater<>());
            std::vector<ChunkMove> moves;
            std::size_t kept = 0;
            for (const auto& entry : waiting_) {
                if (!take(entry.second)) {
                    waiting_[kept++] = entry;
                    continue;
                }
                const std::uint64_t chunk = entry.second;
                moves.push_back(
                    {task_.origin(chunk), task_.destination(chunk), 0, 0, chunk, false});
            }
            waiting_.resize(kept);
            rounds.push_back(std::move(moves));
        }
        return rounds;
    }

private:
    void occupy(std::size_t resource) {
        used_.push_back(static_cast<std::uint32_t>(resource));
        ++to_carry_[resource];
    }

    /// A message is urgent where what it occupies has much before it; exponentially, so that the
    /// fullest counts most. Random digits behind that.
    double urgency(std::uint64_t chunk) {
        double sum = 0;
        for (std::size_t i = first_[chunk]; i < first_[chunk + 1]; ++i) {
            const auto load = static_cast<double>(to_carry_[used_[i]]);
            sum += load * load * load;
        }
        return sum * (1 + 1e-3 * static_cast<double>(random_() >> 11) / 9007199254740992.0);
    }

    bool take(std::uint64_t chunk) {
        for (std::size_t i = first_[chunk]; i < first_[chunk + 1]; ++i) {
            if (taken_in_[used_[i]] == round_) return false;
        }
        for (std::size_t i = first_[chunk]; i < first_[chunk + 1]; ++i) {
            taken_in_[used_[i]] = round_;
            --to_carry_[used_[i]];
        }
        return true;
    }

    const Task& task_;
    std::mt19937_64 random_;
    std::vector<std::uint64_t> to_carry_;  // of each resource, from now on
    std::vector<std::uint64_t> taken_in_;  // the last round in which it was
    std::uint64_t round_ = 0;
    std::vector<std::size_t> first_;   // range of a chunk in used_
    std::vector<std::uint32_t> used_;  // resources
    std::vector<std::pair<double, std::uint64_t>> waiting_;
};

}  // namespace

std::vector<std::vector<ChunkMove>> direct_rounds(const Task& task, const Graph& graph,
                                                  const Routing& routing, std::uint64_t seed) {
    return DirectRounds(task, graph, routing, seed).rounds();
}

Cycle clear_period(const ChunkSchedule& schedule, const Config& config, const Graph& graph,
                   const Routing& routing) {
    const std::uint64_t flits = config.packet_format().message_flits(schedule.task.chunk_bytes(0));
    // Of every link, and of every node's ejection: when the head of the round before comes to it.
    std::vector<Cycle> before(graph.link_count() + std::size_t{graph.node_count()});
    std::vector<Cycle> now(before.size());
    Cycle lag = 0;
    for (const std::vector<ChunkMove>& round : schedule.rounds) {
        for (const ChunkMove& move : round) {
            Cycle cycles = config.fabric.router_delay;
            const auto come_to = [&](std::size_t channel) {
                now[channel] = cycles;
                if (before[channel] > cycles) lag = std::max(lag, before[channel] - cycles);
            };
            for (const LinkId link : route_links(graph, routing, move.from, move.to)) {
                come_to(link);
                cycles += config.fabric.router_delay + graph.link(link).delay;
            }
            come_to(graph.link_count() + move.to);
        }
        before.swap(now);
        std::fill(now.begin(), now.end(), 0);
    }
    // A tail frees a virtual channel from the cycle after it on.
    return std::max(flits + lag + 1, source_cycles(config, flits));
}

}  // namespace flitscope::synthesis
