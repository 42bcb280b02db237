// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/synthesizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/performance/bounds.h"
#include "models/performance/saturating.h"
#include "models/topology/living_nodes.h"
#include "traffic/synthesis/combining.h"
#include "traffic/synthesis/direct_schedule.h"
#include "traffic/synthesis/direct_steps.h"
#include "traffic/synthesis/neighbours.h"
#include "traffic/synthesis/round_search.h"

namespace flitscope::synthesis {
namespace {

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

/// Whether what is passed on from neighbour to neighbour comes from every node to every other one.
bool is_connected(const Graph& graph, const Routing& routing) {
    const Neighbours network(graph, routing);
    const std::size_t all = graph.living_endpoints();
    for (NodeId node = 0; node < network.nodes; ++node) {
        // There and back from any one of them.
        if (graph.is_alive(node)) {
            return reached(network, node) == all && reached(network.backwards(), node) == all;
        }
    }
    return true;
}

/// Whether messages go straight to their destinations, over links that they share with others.
bool goes_straight(const SynthesisRequest& request, const Graph& graph) {
    return has_one_destination(request.collective) && !graph.has_per_link_endpoints();
}

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
    if (is_flow && request.chunks > std::max<std::uint64_t>(request.bytes, 1)) {
        return Diagnostic{where.chunks,
                          fmt::format("a block of {} byte{} cannot be cut into {} chunks",
                                      request.bytes, request.bytes == 1 ? "" : "s", request.chunks),
                          "every chunk has a byte at least"};
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
    const bool may_combine = combines || (request.method == Method::kAuto && request.chunks <= 1);
    if (may_combine || goes_straight(request, graph) || is_connected(graph, routing)) {
        return std::nullopt;
    }
    return Diagnostic{where.collective,
                      fmt::format("{} is passed on from neighbour to neighbour, and in {} not "
                                  "every node reaches every other one so",
                                  name, graph.description()),
                      "use a network whose routers have a node each, method combining, or a "
                      "schedule of flitscope list"};
}

Task task_of(const SynthesisRequest& request, const Graph& graph) {
    Task task;
    task.collective = request.collective;
    task.nodes = graph.endpoint_count();
    task.members = living_nodes(graph);
    task.root = request.root;
    task.chunks = request.chunks;
    task.bytes = request.bytes;
    return task;
}

namespace {

/// What the methods find in whose messages there is one chunk.
ChunkSchedule schedule_of_chunks(const SynthesisRequest& request, const Config& config,
                                 const Graph& graph, const Routing& routing) {
    if (goes_straight(request, graph)) {
        return best_direct_schedule(request, config, graph, routing, kNever);
    }
    RoundSearch search(request, config, graph, routing);
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

/// Whether few messages save time: each costs more than a block in it, or nodes have a startup and
/// an assembly for every one and are never idle where messages may wait for each other.
bool saves_messages(const SynthesisRequest& request, const Config& config, const Graph& graph) {
    if (config.node.serial_startup) return true;
    const PacketFormat format = config.packet_format();
    const Rate rate = config.node.injection_rate;
    // Each node has one block in n of the vector that an all-reduce combines.
    const std::uint64_t blocks =
        request.collective == Collective::kAllReduce ? graph.living_endpoints() : 1;
    const std::uint64_t flits = format.message_flits((request.bytes + blocks - 1) / blocks);
    const Cycle way = 2 * Cycle{config.fabric.router_delay} + 1;
    return assembly_cycles(flits - format.header_flits, rate) <
           config.node.send_startup + way + assembly_cycles(format.header_flits, rate);
}

/// Whether a schedule of few messages may be the best. Where each block has one destination, to
/// hand it on is to send it more than once, which only saved messages can make good; blocks for all
/// nodes are sent as often in any case.
bool may_combine(const SynthesisRequest& request, const Config& config, const Graph& graph) {
    if (request.chunks > 1 || graph.living_endpoints() < 2) return false;
    return !has_one_destination(request.collective) || saves_messages(request, config, graph);
}

/// Which schedules come into question: those in whose messages there is one chunk, those of few
/// messages, or both.
enum class Kinds { kChunks, kFewMessages, kBoth };

Kinds kinds_for(const SynthesisRequest& request, const Config& config, const Graph& graph,
                const Routing& routing) {
    if (request.method == Method::kCombining) return Kinds::kFewMessages;
    if (request.method != Method::kAuto) return Kinds::kChunks;
    // Nothing else finds a schedule of what cannot be passed on from neighbour to neighbour.
    if (!goes_straight(request, graph) && !is_connected(graph, routing)) {
        return Kinds::kFewMessages;
    }
    return may_combine(request, config, graph) ? Kinds::kBoth : Kinds::kChunks;
}

/// Schedules of few messages, which may wait for each other, beside those in which nothing waits.
/// What they take is rehearsed as long as the work suffices.
class FewMessages {
public:
    FewMessages(const SynthesisRequest& request, const Config& config, const Graph& graph,
                const Routing& routing, std::uint64_t most_work)
        : request_(request),
          config_(config),
          graph_(graph),
          routing_(routing),
          most_work_(most_work),
          task_(task_of(in_one_chunk(request), graph)),
          rehearsal_(config, graph, routing) {}

    /// Phases, in which nodes hand on blocks.
    Combining phases(Cycle latest = kNever) {
        rehearsal_.set_most_work(rehearsal_.work() + most_work_);
        return {task_, config_, graph_, routing_, rehearsal_, request_.goes_on, latest};
    }

    /// Phases, or rounds in which chunks are passed on from neighbour to neighbour.
    ChunkSchedule best_passed_on() {
        const Combining few = phases();
        ChunkSchedule rounds = schedule_of_chunks(request_, config_, graph_, routing_);
        const double of_rounds = estimated_cycles(rounds, config_, graph_);
        if (static_cast<double>(promised(few)) < of_rounds) return few.schedule();
        return rounds;
    }

    /// Phases, or messages that go straight to their destinations: step by step, with waiting, or
    /// by a timetable, without.
    ChunkSchedule best_straight() {
        // Messages that go straight keep each node busy for so long.
        const std::uint64_t flits = config_.packet_format().message_flits(request_.bytes);
        const Cycle of_node = (task_.members.size() - 1) * source_cycles(config_, flits);
        std::optional<ChunkSchedule> steps = steps_if_quick(of_node);
        const Combining few = phases(steps ? steps->expected - 1 : kNever);
        // Phases that are rehearsed end before the steps do.
        const bool takes_steps = steps && !few.is_rehearsed();
        const Cycle least = takes_steps ? steps->expected : promised(few);
        if (!takes_steps && least < of_node) return few.schedule();
        ChunkSchedule timetable = best_direct_schedule(request_, config_, graph_, routing_, least);
        if (!timetable.method.empty()) return timetable;  // it ends by then
        return takes_steps ? std::move(*steps) : few.schedule();
    }

private:
    static SynthesisRequest in_one_chunk(SynthesisRequest request) {
        request.chunks = 1;
        return request;
    }

    /// What phases are compared by. Where there was no time to rehearse them, messages may wait for
    /// more than is estimated: a twentieth.
    static Cycle promised(const Combining& few) {
        const Cycle cycles = few.cycles();
        return few.is_rehearsed() ? cycles : saturating_add(cycles, cycles / 20);
    }

    /// An exchange in steps, unless phases are sure to be quicker.
    std::optional<ChunkSchedule> steps_if_quick(Cycle of_node) {
        if (request_.collective != Collective::kAllToAll) return std::nullopt;
        rehearsal_.set_most_work(0);  // just an estimate
        const Combining estimated(task_, config_, graph_, routing_, rehearsal_);
        // Messages that wait take up to twice as long as is estimated.
        if (of_node / 2 >= estimated.cycles()) return std::nullopt;
        rehearsal_.set_most_work(most_work_ / 2);
        return best_direct_steps(task_, config_, graph_, routing_, rehearsal_, request_.goes_on);
    }

    const SynthesisRequest& request_;
    const Config& config_;
    const Graph& graph_;
    const Routing& routing_;
    std::uint64_t most_work_;  // of rehearsals
    Task task_;
    Rehearsal rehearsal_;
};

}  // namespace

ChunkSchedule synthesize(const SynthesisRequest& request, const Config& config, const Graph& graph,
                         const Routing& routing) {
    const Kinds kinds = kinds_for(request, config, graph, routing);
    if (kinds == Kinds::kChunks) return schedule_of_chunks(request, config, graph, routing);
    const bool pays = kinds == Kinds::kFewMessages || saves_messages(request, config, graph);
    // So many packets through so many channels: some twenty seconds, and one where it is not known
    // to pay.
    FewMessages search(request, config, graph, routing, pays ? 60'000'000 : 3'000'000);
    if (kinds == Kinds::kFewMessages) return search.phases().schedule();
    return goes_straight(request, graph) ? search.best_straight() : search.best_passed_on();
}

double estimated_cycles(const ChunkSchedule& schedule, const Config& config, const Graph& graph) {
    if (schedule.cycles != 0) return static_cast<double>(schedule.cycles);
    if (schedule.expected != 0) return static_cast<double>(schedule.expected);
    const Cycle period =
        schedule.period != 0 ? schedule.period : relaying_period(schedule, config, graph);
    return static_cast<double>(schedule.rounds.size()) * static_cast<double>(period);
}

}  // namespace flitscope::synthesis
