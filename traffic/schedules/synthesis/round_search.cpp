// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/round_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/performance/bisection.h"
#include "models/performance/bounds.h"
#include "models/performance/distances.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/graph.h"
#include "traffic/schedules/synthesis/chunk_trees.h"
#include "traffic/schedules/synthesis/matching.h"
#include "traffic/schedules/synthesis/packed_trees.h"
#include "traffic/schedules/synthesis/reduction_trees.h"
#include "traffic/schedules/synthesis/relay.h"
#include "traffic/schedules/synthesis/timed_rounds.h"

namespace flitscope::synthesis {
namespace {

/// Links of shortest paths, summed over all ordered pairs of members.
std::uint64_t total_distance(const Graph& graph, const std::vector<NodeId>& members) {
    DistanceSearch search(graph, Way::kFrom);
    std::uint64_t sum = 0;
    for (const NodeId from : members) {
        const std::vector<std::uint32_t>& distances = search.distances(graph.router_of(from));
        for (const NodeId to : members) {
            const std::uint32_t distance = distances[graph.router_of(to)];
            sum += distance == UINT32_MAX ? 0 : distance;
        }
    }
    return sum;
}

}  // namespace

Cycle relaying_period(const ChunkSchedule& schedule, const HardwareConfig& config,
                      const Graph& graph) {
    std::uint32_t delay = 0;
    for (const Link& link : graph.links()) delay = std::max(delay, link.delay);
    const std::uint64_t flits = config.packet_format().message_flits(schedule.task.chunk_bytes(0));
    const Cycle hop = 2 * Cycle{config.fabric.router_delay} + delay;
    return std::max(flits + hop + config.node.recv_overhead + config.node.send_overhead,
                    source_cycles(config, flits));
}

ChunkSchedule RoundSearch::best(Method method, std::uint32_t chunks) {
    begin(method, chunks);
    ChunkSchedule found;
    found.task = task_;
    std::uint32_t left = attempts() - 1;  // after the first
    improve(found, [&] { return left-- != 0 && has_time(); });
    return found;
}

double RoundSearch::least_cycles(Method method, std::uint32_t chunks) {
    begin(method, chunks);
    const std::uint64_t shortest = task_.chunk_bytes(task_.chunk_count() - 1);
    return static_cast<double>(least_) *
           static_cast<double>(config_.packet_format().message_flits(shortest));
}

void RoundSearch::go_on(ChunkSchedule& found, Method method) {
    begin(method, found.task.chunks);
    attempt_ = attempts();
    improve(found, request_.goes_on);
}

bool RoundSearch::is_worth_a_try(Method other, const ChunkSchedule& found) {
    constexpr double kNoGain = 1.01;
    constexpr double kTooMuchPacking = 1e9;  // half a minute
    const double least = bound_of_task(found.task).share.value() *
                         static_cast<double>(chunks_of_share(found.task) * bound_->period);
    if (static_cast<double>(found.rounds.size()) <= kNoGain * least) return false;
    // A started method runs to its end, so a timed search starts nothing long.
    const double most = request_.goes_on ? kMostPacking : kTooMuchPacking;
    return other != Method::kTrees || packing_work() <= most;
}

void RoundSearch::begin(Method method, std::uint32_t chunks) {
    SynthesisRequest cut = request_;
    cut.chunks = chunks;
    task_ = task_of(cut, graph_);
    method_ = method;
    attempt_ = 0;
    const bool takes_bound = method == Method::kTrees || network_.has_slow_links;
    least_ = takes_bound ? rounds_of_bound(task_) : least_rounds();
}

void RoundSearch::improve(ChunkSchedule& found, const std::function<bool()>& goes_on) {
    while (found.method.empty() || (found.rounds.size() > least_ && goes_on())) {
        std::string name;
        auto rounds = try_once(attempt_++, name);
        if (!found.method.empty() && rounds.size() >= found.rounds.size()) continue;
        found.rounds = std::move(rounds);
        found.method = std::move(name);
    }
    const Cycle period = relaying_period(found, config_, graph_);
    found.by_the_clock = false;
    found.period = found.cycles = found.expected = 0;
    // With one channel nodes that continued on their own would obstruct each other. A step of a
    // program would last as long as its slowest message.
    if (!network_.has_channels_per_link || network_.has_slow_links) {
        found.by_the_clock = true;
        found.period = period;
        for (std::size_t round = 0; round < found.rounds.size(); ++round) {
            for (ChunkMove& move : found.rounds[round]) move.begin = round * found.period;
        }
    }
    if (!network_.has_channels_per_link) return;
    begin_by_the_clock(found, found.rounds.size() * period, config_, graph_, routing_);
}

const CollectiveBound& RoundSearch::bound_of_task(const Task& task) {
    if (!bound_) bound_ = bound_of(task, config_, graph_);
    return *bound_;
}

std::uint64_t RoundSearch::chunks_of_share(const Task& task) {
    return task.collective == Collective::kAllReduce ? task.chunk_count() : task.chunks;
}

std::uint64_t RoundSearch::rounds_of_bound(const Task& task) {
    const CollectiveBound& bound = bound_of_task(task);
    return bound.share.times(chunks_of_share(task) * bound.period);
}

std::uint64_t RoundSearch::least_rounds() const {
    const auto channels = [&](std::size_t links) {
        return std::max<std::uint64_t>(network_.has_channels_per_link ? links : 1, 1);
    };
    const auto over = [&](std::uint64_t chunks, std::size_t links) {
        return (chunks + channels(links) - 1) / channels(links);
    };
    const std::uint64_t all = task_.chunk_count();
    std::uint64_t least = task_.collective == Collective::kAllToAll ? least_rounds_over_links() : 0;
    for (const NodeId node : task_.members) {
        const std::size_t in = network_.in[node].size();
        const std::size_t out = network_.out[node].size();
        switch (task_.collective) {
            case Collective::kAllToAll:
                least = std::max(least, over(all / task_.members.size(), std::min(in, out)));
                break;
            case Collective::kAllGather:
                least = std::max(least, over(all - task_.chunks, in));
                break;
            case Collective::kReduceScatter:
                least = std::max(least, over(all - task_.chunks, out));
                break;
            case Collective::kAllReduce:
                least =
                    std::max(least, over(all - task_.chunks, in) + over(all - task_.chunks, out));
                break;
            case Collective::kBroadcast:
                if (node != task_.root) least = std::max(least, over(all, in));
                break;
            case Collective::kScatter:
                if (node == task_.root) least = std::max(least, over(all, out));
                break;
        }
    }
    return least;
}

std::uint64_t RoundSearch::least_rounds_over_links() const {
    const NodeCut middle = middle_cut(graph_);
    std::uint64_t upper = 0;
    for (const NodeId node : task_.members) upper += middle.upper[node] ? 1 : 0;
    const std::uint64_t crossing = middle.up;
    const std::uint64_t links = graph_.link_count();
    const std::uint64_t pairs = upper * (task_.members.size() - upper) * task_.chunks;
    const std::uint64_t hops = total_distance(graph_, task_.members) * task_.chunks;
    return std::max(crossing == 0 ? 0 : (pairs + crossing - 1) / crossing,
                    links == 0 ? 0 : (hops + links - 1) / links);
}

std::uint32_t RoundSearch::attempts() const {
    const double members = static_cast<double>(task_.members.size());
    const double moves = static_cast<double>(task_.chunk_count()) * members;
    if (method_ != Method::kTrees) {
        constexpr double kWork = 4e6;
        constexpr double kMost = 16;
        return static_cast<std::uint32_t>(std::clamp(kWork / moves, 1.0, kMost));
    }
    constexpr double kMost = 4;
    constexpr double kMoves = 3e5;
    return static_cast<std::uint32_t>(
        std::clamp(std::min(kMoves / moves, kMostPacking / packing_work()), 1.0, kMost));
}

double RoundSearch::packing_work() const {
    if (task_.collective == Collective::kAllReduce) return 1;
    const double members = static_cast<double>(task_.members.size());
    const double roots = has_root(task_.collective) ? 1 : members;
    return roots * members * static_cast<double>(network_.links.size());
}

std::vector<std::vector<ChunkMove>> RoundSearch::try_once(std::uint64_t attempt,
                                                          std::string& name) {
    const std::uint64_t seed = request_.seed + attempt;
    if (method_ == Method::kTrees) {
        name = "trees";
        return over_trees(attempt, seed);
    }
    if (has_one_destination(task_.collective)) {
        name = "flow, relayed";
        const ChunkPaths paths =
            balanced_paths(task_, network_, graph_, routing_, least_, seed, request_.goes_on);
        return relay_rounds(paths, network_, seed);
    }
    name = "matching";
    return spread(seed);
}

std::vector<std::vector<ChunkMove>> RoundSearch::over_trees(std::uint64_t attempt,
                                                            std::uint64_t seed) const {
    // Which suits depends on the network and on the number of chunks.
    constexpr std::array<double, 3> kReaches = {0.8, 0.25, 2.5};
    constexpr std::array<double, 4> kStaggers = {0.1, 0.25, 0.5, 1};
    const std::vector<ChunkTrees> trees =
        task_.collective == Collective::kAllReduce
            ? reduction_trees(task_, network_, backwards_, least_,
                              kReaches[attempt % kReaches.size()], seed)
            : packed_trees(task_, network_, backwards_, least_, seed);
    std::vector<std::vector<ChunkMove>> best;
    for (const double stagger : kStaggers) {
        for (const bool is_backwards : {false, true}) {
            auto rounds = tree_rounds(trees, network_, stagger, is_backwards, seed);
            if (best.empty() || rounds.size() < best.size()) best = std::move(rounds);
        }
    }
    return best;
}

std::vector<std::vector<ChunkMove>> RoundSearch::spread(std::uint64_t seed) const {
    const auto over = [&](const Neighbours& network, Collective collective) {
        Task task = task_;
        task.collective = collective;
        return spread_by_matching(task, network, seed, SIZE_MAX).value();
    };
    if (task_.collective == Collective::kBroadcast) return over(network_, task_.collective);
    std::vector<std::vector<ChunkMove>> rounds;
    if (reduces(task_.collective)) {
        // Over the links backwards, which are those that it is played over.
        rounds = played_backwards(over(backwards_, Collective::kAllGather));
    }
    if (task_.collective == Collective::kReduceScatter) return rounds;
    for (auto& round : over(network_, Collective::kAllGather)) {
        rounds.push_back(std::move(round));
    }
    return rounds;
}

}  // namespace flitscope::synthesis
