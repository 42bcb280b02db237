// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/synthesizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/performance/bounds.h"
#include "models/performance/distances.h"
#include "models/performance/idle_latency.h"
#include "traffic/synthesis/bounds/collective_bound.h"
#include "traffic/synthesis/chunk_trees.h"
#include "traffic/synthesis/combining.h"
#include "traffic/synthesis/direct_schedule.h"
#include "traffic/synthesis/direct_steps.h"
#include "traffic/synthesis/matching.h"
#include "traffic/synthesis/neighbours.h"
#include "traffic/synthesis/packed_trees.h"
#include "traffic/synthesis/reduction_trees.h"
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

    /// The best of a few attempts.
    ChunkSchedule best(Method method, std::uint32_t chunks) {
        begin(method, chunks);
        ChunkSchedule found;
        found.task = task_;
        std::uint32_t left = attempts() - 1;  // beside the first
        improve(found, [&] { return left-- != 0 && has_time(); });
        return found;
    }

    /// Whether a search that is timed may go on.
    bool has_time() const { return !request_.goes_on || request_.goes_on(); }

    /// Makes attempts with the task of `found` while they are asked for.
    void go_on(ChunkSchedule& found, Method method) {
        begin(method, found.task.chunks);
        attempt_ = attempts();
        improve(found, request_.goes_on);
    }

    /// Whether `other` is worth a try where one has been found: it has something to gain, and trees
    /// for all roots of a large network would take too long.
    bool is_worth_a_try(Method other, const ChunkSchedule& found) {
        constexpr double kNoGain = 1.01;
        constexpr double kTooMuchPacking = 1e9;  // half a minute
        const double least = bound_of_task(found.task).share.value() *
                             static_cast<double>(chunks_of_share(found.task) * bound_->period);
        if (static_cast<double>(found.rounds.size()) <= kNoGain * least) return false;
        // What has begun ends, so a search that is timed begins nothing long.
        const double most = request_.goes_on ? kMostPacking : kTooMuchPacking;
        return other != Method::kTrees || packing_work() <= most;
    }

private:
    void begin(Method method, std::uint32_t chunks) {
        SynthesisRequest cut = request_;
        cut.chunks = chunks;
        task_ = task_of(cut, graph_);
        method_ = method;
        attempt_ = 0;
        least_ = method == Method::kTrees ? rounds_of_bound(task_) : least_rounds();
    }

    void improve(ChunkSchedule& found, const std::function<bool()>& goes_on) {
        while (found.method.empty() || (found.rounds.size() > least_ && goes_on())) {
            std::string name;
            auto rounds = try_once(attempt_++, name);
            if (!found.method.empty() && rounds.size() >= found.rounds.size()) continue;
            found.rounds = std::move(rounds);
            found.method = std::move(name);
        }
        // With one channel nodes that went on by themselves would get into each other's way.
        if (!network_.has_channels_per_link) {
            found.by_the_clock = true;
            found.period = relaying_period(found, config_, graph_);
            for (std::size_t round = 0; round < found.rounds.size(); ++round) {
                for (ChunkMove& move : found.rounds[round]) move.begin = round * found.period;
            }
        }
    }

    const CollectiveBound& bound_of_task(const Task& task) {
        if (!bound_) bound_ = bound_of(task, config_, graph_);
        return *bound_;
    }
    /// Chunks of what the share of a bound is of.
    static std::uint64_t chunks_of_share(const Task& task) {
        return task.collective == Collective::kAllReduce ? task.chunk_count() : task.chunks;
    }
    std::uint64_t rounds_of_bound(const Task& task) {
        const CollectiveBound& bound = bound_of_task(task);
        return bound.share.times(chunks_of_share(task) * bound.period);
    }

    /// What flow and matching cannot do better than, by what goes in and out of single nodes.
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

    /// What takes about a second.
    std::uint32_t attempts() const {
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

    /// Trees that begin at given roots are found by a maximum flow for each node of each.
    double packing_work() const {
        if (task_.collective == Collective::kAllReduce) return 1;
        const double members = static_cast<double>(task_.members.size());
        const double roots = has_root(task_.collective) ? 1 : members;
        return roots * members * static_cast<double>(network_.links.size());
    }
    static constexpr double kMostPacking = 4e7;

    std::vector<std::vector<ChunkMove>> try_once(std::uint64_t attempt, std::string& name) {
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

    std::vector<std::vector<ChunkMove>> over_trees(std::uint64_t attempt,
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

    std::vector<std::vector<ChunkMove>> spread(std::uint64_t seed) const {
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

    const SynthesisRequest& request_;
    const Config& config_;
    const Graph& graph_;
    const Routing& routing_;
    const Neighbours network_;
    const Neighbours backwards_;
    std::optional<CollectiveBound> bound_;  // whose share is the same for any chunks
    Method method_ = Method::kAuto;
    Task task_;
    std::uint64_t attempt_ = 0;
    std::uint64_t least_ = 0;  ///< rounds
};

/// Numbers of chunks to choose from: more for messages that are long against what a round costs
/// beside them, and no more than a search has time for.
std::vector<std::uint32_t> chunk_choices(const SynthesisRequest& request, Method method,
                                         const Graph& graph) {
    const bool is_flow = method == Method::kFlow;
    const bool is_broadcast = request.collective == Collective::kBroadcast;
    const std::uint64_t most_moves = is_flow || is_broadcast ? 500'000 : 2'000'000;
    // Only a broadcast has but one block to cut.
    const std::uint32_t most_chunks = is_flow ? 4 : is_broadcast ? 4096 : 256;
    if (request.chunks != 0) return {request.chunks};
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

/// With as many chunks as make the shortest timetable.
ChunkSchedule best_direct_schedule(const SynthesisRequest& request, const Config& config,
                                   const Graph& graph, const Routing& routing, Cycle latest) {
    ChunkSchedule best;
    for (const std::uint32_t chunks : chunk_choices(request, Method::kFlow, graph)) {
        if (!best.method.empty() && request.goes_on && !request.goes_on()) break;
        SynthesisRequest cut = request;
        cut.chunks = chunks;
        ChunkSchedule found = direct_schedule(task_of(cut, graph), config, graph, routing,
                                              request.seed, request.goes_on, latest);
        if (found.method.empty()) break;
        if (!best.method.empty() && found.cycles >= best.cycles) break;
        best = std::move(found);
    }
    return best;
}

/// Those that are asked for, and can find a schedule.
std::vector<Method> methods_for(const SynthesisRequest& request, const Graph& graph) {
    if (request.method != Method::kAuto) return {request.method};
    if (has_one_destination(request.collective)) return {Method::kFlow};
    if (!graph.has_per_link_endpoints()) return {Method::kMatching};
    return {Method::kMatching, Method::kTrees};
}

}  // namespace

const std::vector<MethodName>& method_names() {
    static const std::vector<MethodName> kNames = {
        {Method::kAuto, "auto", "of those that can find a schedule what promises the least time"},
        {Method::kFlow, "flow", "balanced paths, then rounds in which no link has two messages"},
        {Method::kMatching, "matching", "links matched with chunks, round by round (TACOS)"},
        {Method::kTrees, "trees", "chunks in a pipeline over packed spanning trees (ForestColl)"},
        {Method::kCombining, "combining", "few messages, in which nodes hand on blocks of others"},
    };
    return kNames;
}

const char* name_of(Method method) { return method_names()[static_cast<std::size_t>(method)].name; }

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
    const bool combines = request.method == Method::kCombining;
    if (request.method != Method::kAuto && !combines &&
        (request.method == Method::kFlow) != is_flow) {
        return Diagnostic{
            where.method,
            fmt::format("method {} does not find schedules of {}", name_of(request.method), name),
            fmt::format("use {} or combining", is_flow ? "flow" : "matching, trees")};
    }
    if (combines && request.chunks > 1) {
        return Diagnostic{where.method, "method combining sends several blocks in a message, whole",
                          "leave --chunks away, or use another method"};
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
    if (request.method == Method::kTrees && config.node.port_model == PortModel::kSingle) {
        return Diagnostic{where.method,
                          "over trees nodes pass chunks on over several links at a time, and with "
                          "port_model single they have one channel",
                          "use matching, or set node.port_model: independent"};
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
    if (combines || (is_flow && !graph.has_per_link_endpoints())) return std::nullopt;
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
                          "use a network whose routers have a node each, method combining, or a "
                          "schedule of flitscope list"};
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

namespace {

/// What the methods find in whose messages there is one chunk.
ChunkSchedule schedule_of_chunks(const SynthesisRequest& request, const Config& config,
                                 const Graph& graph, const Routing& routing) {
    if (has_one_destination(request.collective) && !graph.has_per_link_endpoints()) {
        return best_direct_schedule(request, config, graph, routing, kNever);
    }
    Search search(request, config, graph, routing);
    ChunkSchedule best;
    Method best_method = Method::kAuto;
    double least = 0;
    for (const Method method : methods_for(request, graph)) {
        const bool is_found = !best.method.empty();
        if (is_found && (!search.has_time() || !search.is_worth_a_try(method, best))) continue;
        double least_of_method = 0;
        int chunks_tried = 0;
        for (const std::uint32_t chunks : chunk_choices(request, method, graph)) {
            if (chunks_tried != 0 && !search.has_time()) break;
            ChunkSchedule found = search.best(method, chunks);
            const double cycles = estimated_cycles(found, config, graph);
            // With still smaller chunks rounds cost more than is gained.
            if (chunks_tried++ != 0 && cycles >= least_of_method) break;
            least_of_method = cycles;
            if (!best.method.empty() && cycles >= least) continue;
            least = cycles;
            best = std::move(found);
            best_method = method;
        }
    }
    if (request.goes_on) search.go_on(best, best_method);
    return best;
}

/// Whether it may pay to send few messages, for each costs more than a block in it, or to let them
/// wait for each other, for nodes have a startup and an assembly for every one and are never idle
/// so.
bool may_combine(const SynthesisRequest& request, const Config& config, const Graph& graph) {
    if (request.chunks > 1 || graph.living_endpoints() < 2) return false;
    if (config.node.serial_startup) return true;
    const PacketFormat format = config.packet_format();
    const Rate rate = config.node.injection_rate;
    const std::uint64_t flits = format.message_flits(request.bytes);
    const Cycle way = 2 * Cycle{config.fabric.router_delay} + 1;
    return assembly_cycles(flits - format.header_flits, rate) <
           config.node.send_startup + way + assembly_cycles(format.header_flits, rate);
}

}  // namespace

ChunkSchedule synthesize(const SynthesisRequest& request, const Config& config, const Graph& graph,
                         const Routing& routing) {
    const bool is_asked_for = request.method == Method::kCombining;
    const bool is_tried =
        is_asked_for || (request.method == Method::kAuto && may_combine(request, config, graph));
    if (!is_tried) return schedule_of_chunks(request, config, graph, routing);
    SynthesisRequest whole = request;
    whole.chunks = 1;
    const Task task = task_of(whole, graph);
    // So many packets through so many channels: some twenty seconds.
    constexpr std::uint64_t kMostWork = 60'000'000;
    Rehearsal rehearsal(config, graph, routing);
    rehearsal.set_most_work(0);
    const Combining estimated(task, config, graph, routing, rehearsal);
    const bool goes_straight =
        !graph.has_per_link_endpoints() && has_one_destination(request.collective);
    // Whose messages go to their destinations at once, a node sends so many.
    const std::uint64_t flits = config.packet_format().message_flits(request.bytes);
    const Cycle of_node = (task.members.size() - 1) * source_cycles(config, flits);
    std::optional<ChunkSchedule> steps;
    // Messages that wait take up to twice as long as is estimated.
    if (!is_asked_for && goes_straight && request.collective == Collective::kAllToAll &&
        of_node / 2 < estimated.cycles()) {
        rehearsal.set_most_work(kMostWork / 2);
        steps = best_direct_steps(task, config, graph, routing, rehearsal, request.goes_on);
    }
    rehearsal.set_most_work(rehearsal.work() + kMostWork);
    const Combining combining(task, config, graph, routing, rehearsal, request.goes_on,
                              steps ? steps->expected - 1 : kNever);
    if (is_asked_for) return combining.schedule();
    if (combining.is_rehearsed()) steps.reset();
    // Where there was no time to find out they may wait for more than is estimated.
    constexpr double kWaiting = 1.05;
    const double least =
        steps ? static_cast<double>(steps->expected)
              : (combining.is_rehearsed() ? 1 : kWaiting) * static_cast<double>(combining.cycles());
    if (!goes_straight) {
        ChunkSchedule best = schedule_of_chunks(request, config, graph, routing);
        return least < estimated_cycles(best, config, graph) ? combining.schedule() : best;
    }
    if (!steps && least < static_cast<double>(of_node)) return combining.schedule();
    // A timetable, without waiting.
    ChunkSchedule best =
        best_direct_schedule(request, config, graph, routing, static_cast<Cycle>(least));
    if (!best.method.empty()) return best;
    return steps ? std::move(*steps) : combining.schedule();
}

double estimated_cycles(const ChunkSchedule& schedule, const Config& config, const Graph& graph) {
    if (schedule.cycles != 0) return static_cast<double>(schedule.cycles);
    if (schedule.expected != 0) return static_cast<double>(schedule.expected);
    const Cycle period =
        schedule.period != 0 ? schedule.period : relaying_period(schedule, config, graph);
    return static_cast<double>(schedule.rounds.size()) * static_cast<double>(period);
}

}  // namespace flitscope::synthesis
