// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/synthesizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/performance/bounds.h"
#include "models/performance/distances.h"
#include "traffic/synthesis/direct.h"
#include "traffic/synthesis/matching.h"
#include "traffic/synthesis/neighbours.h"
#include "traffic/synthesis/relay.h"

namespace flitscope::synthesis {
namespace {

bool has_one_destination(Collective c) {
    return c == Collective::kAllToAll || c == Collective::kScatter;
}

/// Links of shortest paths, summed over all ordered pairs of members.
std::uint64_t total_distance(const Graph& graph, const std::vector<NodeId>& members) {
    DistanceSearch search(graph, DistanceSearch::Way::kFrom);
    std::uint64_t sum = 0;
    for (const NodeId from : members) {
        const std::vector<std::uint32_t>& distances = search.distances(from);
        for (const NodeId to : members) sum += distances[to] == UINT32_MAX ? 0 : distances[to];
    }
    return sum;
}

/// From the begin of a round to the begin of the next, by when what was received can be sent on.
Cycle relaying_period(const ChunkSchedule& schedule, const Config& config, const Graph& graph) {
    std::uint32_t delay = 0;
    for (const Link& link : graph.links()) delay = std::max(delay, link.delay);
    const std::uint64_t flits = config.packet_format().message_flits(schedule.task.chunk_bytes(0));
    const Cycle hop = 2 * Cycle{config.fabric.router_delay} + delay;
    return std::max(flits + hop + config.node.recv_overhead + config.node.send_startup,
                    source_cycles(config, flits));
}

/// The nodes that `from` reaches over links to neighbours, itself included.
std::size_t reached(const Neighbours& network, NodeId from) {
    std::vector<bool> seen(network.nodes);
    std::vector<NodeId> open{from};
    seen[from] = true;
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const std::uint32_t l : network.out[open[i]]) {
            const NodeId next = network.links[l].to;
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return open.size();
}

/// One attempt after the other, with seeds that follow from that of the request.
class Search {
public:
    Search(const SynthesisRequest& request, const Config& config, const Graph& graph,
           const Routing& routing)
        : request_(request),
          config_(config),
          graph_(graph),
          routing_(routing),
          network_(graph, routing),
          backwards_(network_.backwards()) {}

    ChunkSchedule best(std::uint32_t chunks) {
        SynthesisRequest cut = request_;
        cut.chunks = chunks;
        ChunkSchedule found;
        found.task = task_of(cut, graph_);
        task_ = found.task;
        least_ = least_rounds();
        std::uint32_t left = attempts();
        for (std::uint64_t attempt = 0;; ++attempt) {
            auto rounds = try_once(request_.seed + attempt, found);
            if (attempt == 0 || rounds.size() < found.rounds.size()) {
                found.rounds = std::move(rounds);
            }
            if (found.rounds.size() <= least_) break;
            if (request_.goes_on ? !request_.goes_on() : --left == 0) break;
        }
        // With one channel nodes that went on by themselves would get into each other's way.
        if (!network_.has_channels_per_link) {
            found.period = has_one_destination(task_.collective)
                               ? clear_period(found, config_, graph_, routing_)
                               : relaying_period(found, config_, graph_);
        }
        return found;
    }

private:
    /// What no schedule can do better than, by what goes in and out of single nodes.
    std::uint64_t least_rounds() const {
        const auto channels = [&](std::size_t links) {
            return std::max<std::uint64_t>(network_.has_channels_per_link ? links : 1, 1);
        };
        const auto over = [&](std::uint64_t chunks, std::size_t links) {
            return (chunks + channels(links) - 1) / channels(links);
        };
        const std::uint64_t all = task_.chunk_count();
        std::uint64_t least =
            task_.collective == Collective::kAllToAll ? least_rounds_over_links() : 0;
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
                    least = std::max(least,
                                     over(all - task_.chunks, in) + over(all - task_.chunks, out));
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

    /// Of an exchange: by what has to cross the middle, and by what all links carry together.
    std::uint64_t least_rounds_over_links() const {
        const Bisection middle = canonical_bisection(graph_);
        std::uint64_t upper = 0;
        for (const NodeId node : task_.members) upper += middle.upper[node] ? 1 : 0;
        const std::uint64_t crossing = middle.links_per_direction;
        const std::uint64_t links = graph_.link_count();
        const std::uint64_t pairs = upper * (task_.members.size() - upper) * task_.chunks;
        const std::uint64_t hops = total_distance(graph_, task_.members) * task_.chunks;
        return std::max(crossing == 0 ? 0 : (pairs + crossing - 1) / crossing,
                        links == 0 ? 0 : (hops + links - 1) / links);
    }

    /// Without a limit of the request: what takes about a second.
    std::uint32_t attempts() const {
        constexpr double kWork = 4e6;
        constexpr double kMost = 16;
        const double moves =
            static_cast<double>(task_.chunk_count()) * static_cast<double>(task_.members.size());
        return static_cast<std::uint32_t>(std::clamp(kWork / moves, 1.0, kMost));
    }

    std::vector<std::vector<ChunkMove>> try_once(std::uint64_t seed, ChunkSchedule& found) {
        if (has_one_destination(task_.collective)) {
            if (!network_.has_channels_per_link) {
                found.method = "flow, direct";
                return direct_rounds(task_, graph_, routing_, seed);
            }
            found.method = "flow, relayed";
            const ChunkPaths paths =
                balanced_paths(task_, network_, graph_, routing_, least_, seed);
            return relay_rounds(paths, network_, seed);
        }
        found.method = "matching";
        return spread(seed);
    }

    std::vector<std::vector<ChunkMove>> spread(std::uint64_t seed) const {
        const auto over = [&](const Neighbours& network, Collective collective) {
            Task task = task_;
            task.collective = collective;
            return spread_by_matching(task, network, seed, SIZE_MAX).value();
        };
        if (task_.collective == Collective::kBroadcast) return over(network_, task_.collective);
        std::vector<std::vector<ChunkMove>> rounds;
        if (reduces(task_.collective)) rounds = combined(over(backwards_, Collective::kAllGather));
        if (task_.collective == Collective::kReduceScatter) return rounds;
        for (auto& round : over(network_, Collective::kAllGather)) {
            rounds.push_back(std::move(round));
        }
        return rounds;
    }

    /// What spreads chunks over the links backwards combines them over the links, played backwards.
    static std::vector<std::vector<ChunkMove>> combined(
        std::vector<std::vector<ChunkMove>> spreading) {
        std::reverse(spreading.begin(), spreading.end());
        for (std::vector<ChunkMove>& round : spreading) {
            for (ChunkMove& move : round) {
                std::swap(move.from, move.to);
                std::swap(move.port, move.arrival);
                move.combines = true;
            }
        }
        return spreading;
    }

    const SynthesisRequest& request_;
    const Config& config_;
    const Graph& graph_;
    const Routing& routing_;
    const Neighbours network_;
    const Neighbours backwards_;
    Task task_;
    std::uint64_t least_ = 0;  ///< rounds
};

/// Numbers of chunks to choose from: more for messages that are long against what a round costs
/// beside them, and no more than a search has time for.
std::vector<std::uint32_t> chunk_choices(const SynthesisRequest& request, const Graph& graph) {
    const bool is_flow = has_one_destination(request.collective);
    const std::uint64_t most_moves = is_flow ? 500'000 : 2'000'000;
    const std::uint32_t most_chunks = is_flow ? 4 : 256;
    std::vector<std::uint32_t> choices{1};
    for (std::uint32_t chunks = 2; chunks <= most_chunks; chunks *= 2) {
        if (chunks > std::max<std::uint64_t>(request.bytes, 1)) break;
        SynthesisRequest cut = request;
        cut.chunks = chunks;
        const Task task = task_of(cut, graph);
        if (task.chunk_count() * task.members.size() > most_moves) break;
        choices.push_back(chunks);
    }
    return choices;
}

}  // namespace

const std::vector<MethodName>& method_names() {
    static const std::vector<MethodName> kNames = {
        {Method::kAuto, "auto", "flow for all_to_all and scatter, else matching"},
        {Method::kFlow, "flow", "balanced paths, then rounds in which no link has two messages"},
        {Method::kMatching, "matching", "links matched with chunks, round by round (TACOS)"},
    };
    return kNames;
}

std::optional<Method> method_named(const std::string& name) {
    for (const MethodName& known : method_names()) {
        if (name == known.name) return known.method;
    }
    return std::nullopt;
}

std::optional<Diagnostic> obstacle(const SynthesisRequest& request, const Config& config,
                                   const Graph& graph, const Routing& routing,
                                   const RequestPlaces& where) {
    const char* name = name_of(request.collective);
    const bool is_flow = has_one_destination(request.collective);
    if (request.method != Method::kAuto && (request.method == Method::kFlow) != is_flow) {
        return Diagnostic{where.method,
                          fmt::format("method {} does not find schedules of {}",
                                      is_flow ? "matching" : "flow", name),
                          fmt::format("use {}", is_flow ? "flow" : "matching")};
    }
    if (config.fabric.switches_circuits()) {
        return Diagnostic{config.where("fabric.switching"),
                          "no schedules are found for circuits, whose paths are set up one by one",
                          "use wormhole, or a schedule for circuits: aap"};
    }
    if (config.node.port_model != PortModel::kSingle &&
        config.node.port_model != PortModel::kIndependent) {
        return Diagnostic{config.where("node.port_model"),
                          fmt::format("no schedules are found for port_model {}",
                                      name_of(config.node.port_model)),
                          "set node.port_model: independent or single"};
    }
    if (routing.path_choice() != PathChoice::kFixed) {
        return Diagnostic{config.where("fabric.routing"),
                          fmt::format("messages of a round must not meet, and routing {} does not "
                                      "say which links they take",
                                      routing.name()),
                          "use a routing whose paths are fixed, such as dimension_order"};
    }
    const bool is_root = request.root < graph.endpoint_count() && graph.is_alive(request.root);
    if (has_root(request.collective) && !is_root) {
        return Diagnostic{
            where.root,
            fmt::format("root {} {}", request.root,
                        request.root < graph.endpoint_count() ? "is dead" : "does not exist"),
            fmt::format("nodes are 0 .. {}", graph.endpoint_count() - 1)};
    }
    if (is_flow && !graph.has_per_link_endpoints()) return std::nullopt;
    const Neighbours network(graph, routing);
    const Neighbours backwards = network.backwards();
    for (NodeId node = 0; node < network.nodes; ++node) {
        if (!graph.is_alive(node)) continue;
        const std::size_t all = graph.living_endpoints();
        if (reached(network, node) == all && reached(backwards, node) == all) break;
        return Diagnostic{where.collective,
                          fmt::format("{} is passed on from neighbour to neighbour, and in {} not "
                                      "every node reaches every other one so",
                                      name, graph.description()),
                          "use a network whose routers have a node each, or a schedule of "
                          "flitscope list"};
    }
    return std::nullopt;
}

Task task_of(const SynthesisRequest& request, const Graph& graph) {
    Task task;
    task.collective = request.collective;
    task.nodes = graph.endpoint_count();
    for (NodeId node = 0; node < task.nodes; ++node) {
        if (graph.is_alive(node)) task.members.push_back(node);
    }
    task.root = request.root;
    task.chunks = request.chunks;
    task.bytes = request.bytes;
    return task;
}

ChunkSchedule synthesize(const SynthesisRequest& request, const Config& config, const Graph& graph,
                         const Routing& routing) {
    Search search(request, config, graph, routing);
    if (request.chunks != 0) return search.best(request.chunks);
    ChunkSchedule best;
    double least = 0;
    for (const std::uint32_t chunks : chunk_choices(request, graph)) {
        ChunkSchedule found = search.best(chunks);
        const double cycles = estimated_cycles(found, config, graph);
        // With still smaller chunks rounds cost more than is gained.
        if (!best.rounds.empty() && cycles >= least) break;
        least = cycles;
        best = std::move(found);
    }
    return best;
}

double estimated_cycles(const ChunkSchedule& schedule, const Config& config, const Graph& graph) {
    const Cycle period =
        schedule.period != 0 ? schedule.period : relaying_period(schedule, config, graph);
    return static_cast<double>(schedule.rounds.size()) * static_cast<double>(period);
}

}  // namespace flitscope::synthesis
