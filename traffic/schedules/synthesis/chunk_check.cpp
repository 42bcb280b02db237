// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/chunk_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/performance/zero_load_paths.h"
#include "models/topology/graph.h"
#include "traffic/schedules/synthesis/time_contention.h"

namespace flitscope::synthesis {
namespace {

constexpr std::size_t kMostFindings = 10;

/// What the times of moves are.
enum class Unit { kRounds, kCycles };

/// A move and when it happens: from 0, in rounds or in cycles.
struct TimedMove {
    std::uint64_t chunk = 0;
    std::size_t begin = 0;
    std::size_t last = 0;  // in which it arrives
    const ChunkMove* move = nullptr;
};

/// Follows one chunk at a time: every node has the set of the members whose parts it holds. Without
/// combining the set is that of the origin, or empty.
class ChunkFollower {
public:
    ChunkFollower(const Task& task, Unit unit, std::vector<std::string>& findings)
        : task_(task),
          unit_(unit),
          findings_(findings),
          words_((task.nodes + 63) / 64),
          parts_(std::size_t{task.nodes} * words_) {}

    void begin(std::uint64_t chunk) {
        std::fill(parts_.begin(), parts_.end(), 0);
        chunk_ = chunk;
        if (reduces(task_.collective)) {
            for (const NodeId node : task_.members) add(node, node);
        } else {
            add(task_.origin(chunk), task_.origin(chunk));
        }
    }

    /// A move, after those that begin before it: it sends data that arrived before its begin.
    void play(const TimedMove& m) {
        arrive_before(m.begin);
        const std::uint64_t* held = of(m.move->from);
        if (is_empty(held)) {
            report(m, "does not have it");
            return;
        }
        arriving_.emplace(m.last, Arrival{&m, std::vector<std::uint64_t>(held, held + words_)});
    }

    void end() {
        arrive_before(SIZE_MAX);
        const NodeId only = task_.destination(chunk_);
        for (const NodeId node : task_.members) {
            if (only != Task::kEverybody && only != node) continue;
            const std::uint64_t missing = task_.members.size() - count(node);
            if (reduces(task_.collective) ? missing != 0 : is_empty(of(node))) {
                add_finding(reduces(task_.collective)
                                ? fmt::format("node {} ends without {} of {} parts of chunk {}",
                                              node, missing, task_.members.size(), chunk_)
                                : fmt::format("node {} ends without chunk {}", node, chunk_));
            }
        }
    }

private:
    std::uint64_t* of(NodeId node) { return &parts_[std::size_t{node} * words_]; }
    void add(NodeId node, NodeId part) { of(node)[part / 64] |= std::uint64_t{1} << part % 64; }
    bool is_empty(const std::uint64_t* set) const {
        return std::all_of(set, set + words_, [](std::uint64_t word) { return word == 0; });
    }
    std::uint64_t count(NodeId node) {
        std::uint64_t sum = 0;
        for (std::size_t w = 0; w < words_; ++w) sum += __builtin_popcountll(of(node)[w]);
        return sum;
    }

    struct Arrival {
        const TimedMove* move = nullptr;
        std::vector<std::uint64_t> parts;
    };

    void arrive_before(std::size_t time) {
        while (!arriving_.empty() && arriving_.begin()->first < time) {
            const Arrival next = std::move(arriving_.begin()->second);
            arriving_.erase(arriving_.begin());
            arrive(*next.move, next.parts);
        }
    }
    void arrive(const TimedMove& m, const std::vector<std::uint64_t>& parts) {
        std::uint64_t* held = of(m.move->to);
        for (std::size_t w = 0; w < words_; ++w) {
            if (!m.move->combines) continue;
            if ((held[w] & parts[w]) != 0) {
                report(m, "combines parts that are there already");
                return;
            }
        }
        for (std::size_t w = 0; w < words_; ++w) {
            held[w] = m.move->combines ? held[w] | parts[w] : parts[w];
        }
    }

    void report(const TimedMove& m, const char* what) {
        const std::string when = unit_ == Unit::kRounds ? fmt::format("round {}", m.begin + 1)
                                                        : fmt::format("cycle {}", m.begin);
        add_finding(fmt::format("{}: node {} sends chunk {} to node {} and {}", when, m.move->from,
                                m.chunk, m.move->to, what));
    }
    void add_finding(std::string text) {
        if (findings_.size() < kMostFindings) findings_.push_back(std::move(text));
    }

    const Task& task_;
    Unit unit_;
    std::vector<std::string>& findings_;
    std::size_t words_;
    std::uint64_t chunk_ = 0;
    std::vector<std::uint64_t> parts_;
    std::multimap<std::size_t, Arrival> arriving_;  // by their last round, or cycle
};

/// Follows all chunks over the moves.
void follow(const Task& task, std::vector<TimedMove> moves, Unit unit,
            std::vector<std::string>& findings) {
    std::stable_sort(moves.begin(), moves.end(), [](const TimedMove& a, const TimedMove& b) {
        return std::tie(a.chunk, a.begin) < std::tie(b.chunk, b.begin);
    });
    ChunkFollower follower(task, unit, findings);
    const TimedMove* next = moves.data();
    const TimedMove* const end = next + moves.size();
    for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
        follower.begin(chunk);
        for (; next != end && next->chunk == chunk; ++next) follower.play(*next);
        follower.end();
    }
}

bool is_member(const Task& task, NodeId node) {
    return std::binary_search(task.members.begin(), task.members.end(), node);
}

/// The links of a move: the one at its port, then over switches as the routing continues from
/// there; empty if that does not reach its destination.
std::vector<LinkId> links_of(const ChunkMove& move, const Graph& graph, const Routing& routing) {
    if (move.port == kLocalPort) return route_links(graph, routing, move.from, move.to);
    std::vector<LinkId> links;
    PortId port = move.port;
    for (RouterId at = graph.router_of(move.from); at != graph.router_of(move.to);) {
        const LinkId link = port < graph.port_count() ? graph.out_link(at, port) : kNoLink;
        if (link == kNoLink || links.size() > graph.router_count()) return {};
        links.push_back(link);
        at = graph.link(link).to;
        if (at == graph.router_of(move.to)) break;
        if (!graph.nodes_at(at).empty()) return {};
        port = routing.route(at, move.to).port;
    }
    return links;
}

/// Rounds that a chunk takes on its way: a link carries it in as many as it has cycles for a flit.
/// Without a clock a round lasts until all has arrived.
std::size_t rounds_on(const std::vector<LinkId>& way, const ChunkSchedule& schedule,
                      const Graph& graph) {
    std::size_t rounds = 1;
    for (const LinkId link : way) {
        if (!schedule.by_the_clock) break;
        rounds = std::max<std::size_t>(rounds, graph.link(link).rate_cycles);
    }
    return rounds;
}

/// Empty when the move can be made at all.
std::string move_obstacle(const ChunkMove& move, const Task& task, const Graph& graph,
                          const Routing& routing) {
    if (move.chunk >= task.chunk_count()) return "does not exist";
    if (!is_member(task, move.from) || !is_member(task, move.to)) return "they do not take part";
    if (move.from == move.to) return "that is itself";
    if (move.port == kLocalPort) return "";
    return links_of(move, graph, routing).empty() ? "its port leads elsewhere" : "";
}

RoundContention contention_of_rounds(const ChunkSchedule& schedule, const Graph& graph,
                                     const Routing& routing) {
    using Channels = std::map<std::pair<NodeId, PortId>, std::vector<Stay>>;
    std::vector<std::vector<Stay>> links(graph.link_count());
    Channels sends;
    Channels receives;
    for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
        std::set<std::pair<NodeId, NodeId>> messages;
        for (const ChunkMove& move : schedule.rounds[round]) {
            if (schedule.merges && !messages.emplace(move.from, move.to).second) continue;
            const std::vector<LinkId> route = links_of(move, graph, routing);
            const Stay stay{round, round + rounds_on(route, schedule, graph)};
            for (const LinkId link : route) links[link].push_back(stay);
            // By the link at the node if it has a channel for each, else its only one.
            PortId first = kLocalPort;
            PortId last = kLocalPort;
            if (graph.has_per_link_endpoints()) {
                first = graph.link(route.front()).from_port;
                last = graph.link(route.back()).to_port;
            }
            sends[{move.from, first}].push_back(stay);
            receives[{move.to, last}].push_back(stay);
        }
    }
    RoundContention most;
    for (const auto& stays : links) most.link = std::max(most.link, most_at_a_time(stays));
    for (const auto& [channel, stays] : sends) {
        most.send = std::max(most.send, most_at_a_time(stays));
    }
    for (const auto& [channel, stays] : receives) {
        most.receive = std::max(most.receive, most_at_a_time(stays));
    }
    return most;
}

}  // namespace

std::vector<std::string> check_completeness(const ChunkSchedule& schedule, const Graph& graph,
                                            const Routing& routing) {
    std::vector<std::string> findings;
    std::vector<TimedMove> moves;
    moves.reserve(schedule.moves());
    for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
        for (const ChunkMove& move : schedule.rounds[round]) {
            const std::string obstacle = move_obstacle(move, schedule.task, graph, routing);
            if (!obstacle.empty()) {
                if (findings.size() == kMostFindings) return findings;
                findings.push_back(fmt::format("round {}: node {} sends chunk {} to node {}: {}",
                                               round + 1, move.from, move.chunk, move.to,
                                               obstacle));
                continue;
            }
            const std::size_t rounds = rounds_on(links_of(move, graph, routing), schedule, graph);
            moves.push_back({move.chunk, round, round + rounds - 1, &move});
        }
    }
    follow(schedule.task, std::move(moves), Unit::kRounds, findings);
    return findings;
}

std::vector<std::string> check_begins(const ChunkSchedule& schedule, const HardwareConfig& config,
                                      const Graph& graph, const Routing& routing) {
    std::vector<std::string> findings;
    if (!schedule.has_own_begins()) return findings;
    const ZeroLoadMessage idle(config);
    ZeroLoadPaths paths(config, graph, routing);
    std::vector<TimedMove> moves;
    moves.reserve(schedule.moves());
    for (const std::vector<ChunkMove>& round : schedule.rounds) {
        for (const ChunkMove& move : round) {
            const LinkId first = move.port == kLocalPort
                                     ? kNoLink
                                     : graph.out_link(graph.router_of(move.from), move.port);
            const std::uint64_t flits =
                config.packet_format().message_flits(schedule.task.chunk_bytes(move.chunk));
            const Cycle takes = idle.delivered(flits, paths.path(move.from, move.to, first));
            moves.push_back(
                {move.chunk, move.begin, move.begin + takes + config.node.recv_overhead, &move});
        }
    }
    follow(schedule.task, std::move(moves), Unit::kCycles, findings);
    return findings;
}

RoundContention contention(const ChunkSchedule& schedule, const HardwareConfig& config,
                           const Graph& graph, const Routing& routing) {
    if (!schedule.has_own_begins()) return contention_of_rounds(schedule, graph, routing);
    TimeContention counted(config, graph, routing);
    for (const std::vector<ChunkMove>& round : schedule.rounds) {
        for (const ChunkMove& move : round) {
            counted.add(move.from, move.to, links_of(move, graph, routing),
                        schedule.task.chunk_bytes(move.chunk), move.begin);
        }
    }
    return counted.most();
}

}  // namespace flitscope::synthesis
