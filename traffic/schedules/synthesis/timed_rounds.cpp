// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/timed_rounds.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/config/hardware_config.h"
#include "models/performance/bounds.h"
#include "models/performance/channel_pace.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/graph.h"

namespace flitscope::synthesis {
namespace {

/// A link between two nodes, or a way over switches, as moves use it.
struct Way {
    Cycle busy = 0;    ///< from the begin of a move to that of the next
    Cycle travel = 0;  ///< from the begin of a move to that of one that passes its chunk on
    Cycle end = 0;     ///< from the begin of a move to the end of its delivery
};

/// A move over its way.
struct TimedTask {
    ChunkMove* move = nullptr;
    std::uint32_t way = 0;
};

/// All moves of a schedule, which of them wait for which, and how long each takes.
class TimedTasks {
public:
    TimedTasks(ChunkSchedule& schedule, const HardwareConfig& config, const Graph& graph,
               const Routing& routing)
        : config_(config),
          graph_(graph),
          idle_(config),
          pace_(config.fabric),
          paths_(config, graph, routing),
          flits_(config.packet_format().message_flits(schedule.task.chunk_bytes(0))) {
        std::map<std::tuple<NodeId, NodeId, PortId>, std::uint32_t> numbers;
        for (std::vector<ChunkMove>& round : schedule.rounds) {
            for (ChunkMove& move : round) {
                const auto number = static_cast<std::uint32_t>(ways.size());
                const auto [known, is_new] =
                    numbers.try_emplace({move.from, move.to, move.port}, number);
                if (is_new) ways.push_back(way_of(move));
                tasks.push_back({&move, known->second});
            }
        }
        order(schedule);
    }

    std::vector<Way> ways;
    std::vector<TimedTask> tasks;                                 ///< in the order of the rounds
    std::vector<std::pair<std::uint32_t, std::uint32_t>> orders;  ///< the first before the second
    bool is_exact = true;  ///< moves take the time that is planned

private:
    Way way_of(const ChunkMove& move) {
        const LinkId first = graph_.out_link(graph_.router_of(move.from), move.port);
        const ZeroLoadPath path = paths_.path(move.from, move.to, first);
        const Cycle depth = config_.fabric.buffer_depth;
        const Cycle startup = config_.node.send_overhead;
        // From the first flit to the end, at the pace of the slowest channel; then slots of a
        // shallow FIFO have to come back.
        Cycle busy = idle_.passed(flits_, path.loop, 0, path.rate_cycles) + 1 - startup;
        busy += path.rate_cycles - 1;
        if (path.loop > depth) busy += path.loop - depth;
        Way way;
        way.busy = std::max(busy, source_cycles(config_, flits_));
        way.end = idle_.delivered(flits_, path) + 1;
        way.travel = way.end + config_.node.recv_overhead;
        is_exact = is_exact && idle_.is_exact(flits_, path) && path.loop <= depth;
        return way;
    }

    /// A node sends what it had before the round: what arrived in earlier ones.
    void order(const ChunkSchedule& schedule) {
        std::vector<std::vector<std::uint32_t>> of_chunk(schedule.task.chunk_count());
        std::vector<std::size_t> round_of;
        round_of.reserve(tasks.size());
        for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
            for (const ChunkMove& move : schedule.rounds[round]) {
                of_chunk[move.chunk].push_back(static_cast<std::uint32_t>(round_of.size()));
                round_of.push_back(round);
            }
        }
        std::vector<std::vector<std::uint32_t>> arrivals(schedule.task.nodes);
        for (const std::vector<std::uint32_t>& moves : of_chunk) {
            for (const std::uint32_t t : moves) {
                for (const std::uint32_t before : arrivals[tasks[t].move->from]) {
                    if (round_of[before] < round_of[t]) orders.emplace_back(before, t);
                }
                arrivals[tasks[t].move->to].push_back(t);
            }
            for (const std::uint32_t t : moves) arrivals[tasks[t].move->to].clear();
        }
    }

    const HardwareConfig& config_;
    const Graph& graph_;
    const ZeroLoadMessage idle_;
    const ChannelPace pace_;
    ZeroLoadPaths paths_;
    std::uint64_t flits_;
};

/// Begins of all tasks by list scheduling, in time or from the end backwards.
class ClockScheduler {
public:
    ClockScheduler(const TimedTasks& all, bool is_backwards)
        : all_(all), is_backwards_(is_backwards), first_(all.tasks.size() + 1) {
        for (const auto& [before, after] : all.orders) {
            ++first_[(is_backwards ? after : before) + 1];
        }
        for (std::size_t t = 1; t < first_.size(); ++t) first_[t] += first_[t - 1];
        behind_.resize(all.orders.size());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (const auto& [before, after] : all.orders) {
            behind_[next[is_backwards ? after : before]++] = is_backwards ? before : after;
        }
    }

    /// A way waits for up to `patience` cycles for a task of an earlier round, rather than to take
    /// another one.
    std::vector<Cycle> begins(Cycle patience) {
        const std::size_t count = all_.tasks.size();
        waits_for_.assign(count, 0);
        for (const std::uint32_t task : behind_) ++waits_for_[task];
        ready_.assign(count, 0);
        begins_.assign(count, 0);
        free_.assign(all_.ways.size(), 0);
        open_.assign(all_.ways.size(), {});
        for (std::uint32_t t = 0; t < count; ++t) {
            if (waits_for_[t] == 0) open_[all_.tasks[t].way].insert(rank(t));
        }
        for (std::uint32_t way = 0; way < open_.size(); ++way) look_at(way, 0);
        while (!looks_.empty()) {
            const auto [now, way] = looks_.top();
            looks_.pop();
            take(way, now, patience);
        }
        return is_backwards_ ? mirrored() : begins_;
    }

private:
    /// Tasks of earlier rounds come first, from the end those of later ones.
    std::uint32_t rank(std::uint32_t t) const {
        return is_backwards_ ? static_cast<std::uint32_t>(all_.tasks.size()) - 1 - t : t;
    }
    std::uint32_t ranked(std::uint32_t rank) const {
        return is_backwards_ ? static_cast<std::uint32_t>(all_.tasks.size()) - 1 - rank : rank;
    }

    void look_at(std::uint32_t way, Cycle time) {
        if (!open_[way].empty()) looks_.emplace(std::max(time, free_[way]), way);
    }

    void take(std::uint32_t way, Cycle now, Cycle patience) {
        if (free_[way] > now) return;
        Cycle soonest = kNever;
        for (const std::uint32_t r : open_[way]) {
            const std::uint32_t t = ranked(r);
            soonest = std::min(soonest, ready_[t]);
            if (ready_[t] > now + patience) continue;
            if (ready_[t] > now) break;  // worth the wait
            begin(t, now);
            open_[way].erase(r);
            look_at(way, now);
            return;
        }
        if (soonest != kNever) looks_.emplace(soonest, way);
    }

    void begin(std::uint32_t t, Cycle now) {
        const Way& way = all_.ways[all_.tasks[t].way];
        begins_[t] = now;
        free_[all_.tasks[t].way] = now + way.busy;
        for (std::uint32_t i = first_[t]; i < first_[t + 1]; ++i) {
            const std::uint32_t next = behind_[i];
            ready_[next] = std::max(ready_[next], now + way.travel);
            if (--waits_for_[next] != 0) continue;
            open_[all_.tasks[next].way].insert(rank(next));
            look_at(all_.tasks[next].way, ready_[next]);
        }
    }

    /// Backwards a task begins when its chunk could be passed on.
    std::vector<Cycle> mirrored() const {
        Cycle end = 0;
        const auto done = [&](std::uint32_t t) {
            return begins_[t] + all_.ways[all_.tasks[t].way].travel;
        };
        for (std::uint32_t t = 0; t < begins_.size(); ++t) end = std::max(end, done(t));
        std::vector<Cycle> begins(begins_.size());
        for (std::uint32_t t = 0; t < begins_.size(); ++t) begins[t] = end - done(t);
        return begins;
    }

    using Look = std::pair<Cycle, std::uint32_t>;  // when, and at which way

    const TimedTasks& all_;
    bool is_backwards_;
    std::vector<std::uint32_t> first_;   // range of a task in behind_
    std::vector<std::uint32_t> behind_;  // tasks that wait for it
    std::vector<std::uint32_t> waits_for_;
    std::vector<Cycle> ready_;
    std::vector<Cycle> begins_;
    std::vector<Cycle> free_;                    // per way: from when
    std::vector<std::set<std::uint32_t>> open_;  // per way: ranks, once it is known when ready
    std::priority_queue<Look, std::vector<Look>, std::greater<>> looks_;
};

Cycle end_of(const std::vector<Cycle>& begins, const TimedTasks& all) {
    Cycle end = 0;
    for (std::uint32_t t = 0; t < begins.size(); ++t) {
        end = std::max(end, begins[t] + all.ways[all.tasks[t].way].end);
    }
    return end;
}

}  // namespace

void begin_by_the_clock(ChunkSchedule& schedule, Cycle latest, const HardwareConfig& config,
                        const Graph& graph, const Routing& routing) {
    constexpr std::uint64_t kMost = 2'000'000;     // moves
    constexpr std::uint64_t kMostTwice = 100'000;  // that are tried in several ways
    const Task& task = schedule.task;
    const std::uint64_t moves = schedule.moves();
    if (moves == 0 || moves > kMost || !graph.has_per_link_endpoints() ||
        config.node.serialize_overhead || config.node.injection_bandwidth.is_slow() ||
        config.fabric.switches_circuits() || task.chunk_bytes(task.chunk_count() - 1) == 0) {
        return;
    }
    const TimedTasks all(schedule, config, graph, routing);
    Cycle hop = 0;
    for (const Way& way : all.ways) {
        hop = std::max(hop, way.travel - std::min(way.travel, way.busy));
    }
    std::vector<Cycle> best;
    Cycle end = kNever;
    for (const bool is_backwards : {false, true}) {
        ClockScheduler scheduler(all, is_backwards);
        for (const Cycle patience : {hop, Cycle{0}}) {
            std::vector<Cycle> begins = scheduler.begins(patience);
            const Cycle now = end_of(begins, all);
            if (now < end) {
                end = now;
                best = std::move(begins);
            }
            if (moves > kMostTwice) break;
        }
        if (moves > kMostTwice) break;
    }
    if (end >= latest) return;
    for (std::size_t t = 0; t < best.size(); ++t) all.tasks[t].move->begin = best[t];
    schedule.by_the_clock = true;
    schedule.period = 0;
    (all.is_exact ? schedule.cycles : schedule.expected) = end;
}

}  // namespace flitscope::synthesis
