// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/synthesis/synthesizer.h"

#include <algorithm>
#include <utility>

#include "models/config/hardware_config.h"
#include "models/fabric/channel_timing.h"
#include "models/performance/bounds.h"
#include "models/performance/saturating.h"
#include "models/topology/graph.h"
#include "models/topology/working_nodes.h"
#include "traffic/schedules/synthesis/combining.h"
#include "traffic/schedules/synthesis/direct_schedule.h"
#include "traffic/schedules/synthesis/direct_steps.h"
#include "traffic/schedules/synthesis/request_rules.h"
#include "traffic/schedules/synthesis/round_search.h"

namespace flitscope::synthesis {
namespace {

/// Chunks of every node's block after which each further number takes a search seconds.
constexpr std::uint32_t kManyChunks = 64;

/// Numbers of chunks to choose from: more for messages that are long against the other costs of a
/// round, and no more than a search has time for.
std::vector<std::uint32_t> chunk_choices(const SynthesisRequest& request, Method method,
                                         const Graph& graph) {
    const bool is_flow = method == Method::kFlow;
    const bool is_broadcast = request.collective == Collective::kBroadcast;
    const std::uint64_t most_moves = is_flow || is_broadcast ? 500'000 : 2'000'000;
    // Only a broadcast has but one block to cut.
    const std::uint32_t most_chunks = is_flow ? 4 : is_broadcast ? 4096 : 256;
    if (request.chunks != 0) return {request.chunks};
    std::vector<std::uint32_t> choices{1};
    // Links carry whole chunks, and many nodes have three or six links: so half as many more, too,
    // but of all nodes' blocks not in so many that each takes seconds.
    const std::uint32_t many = is_broadcast ? most_chunks : kManyChunks;
    const auto next = [&](std::uint32_t chunks) {
        if (is_flow || chunks >= many) return 2 * chunks;
        return chunks % 3 != 0 ? chunks / 2 * 3 : chunks / 3 * 4;
    };
    for (std::uint32_t chunks = 2; chunks <= most_chunks; chunks = next(chunks)) {
        if (chunks > most_chunks_with_bytes(request, graph)) break;
        SynthesisRequest cut = request;
        cut.chunks = chunks;
        const Task task = task_of(cut, graph);
        if (task.chunk_count() * task.members.size() > most_moves) break;
        choices.push_back(chunks);
    }
    return choices;
}

/// With as many chunks as make the shortest timetable.
ChunkSchedule best_direct_schedule(const SynthesisRequest& request, const HardwareConfig& config,
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

/// Those selected that can find a schedule.
std::vector<Method> methods_for(const SynthesisRequest& request, const Graph& graph) {
    if (request.method != Method::kAuto) return {request.method};
    if (has_one_destination(request.collective)) return {Method::kFlow};
    if (!graph.has_per_link_endpoints()) return {Method::kMatching};
    return {Method::kMatching, Method::kTrees};
}

}  // namespace

const std::vector<MethodName>& method_names() {
    static const std::vector<MethodName> kNames = {
        {Method::kAuto, "auto", "the applicable method with the fastest schedule"},
        {Method::kFlow, "flow", "balanced paths, then rounds in which no link has two messages"},
        {Method::kMatching, "matching", "links matched with chunks, round by round (TACOS)"},
        {Method::kTrees, "trees", "chunks in a pipeline over packed spanning trees (ForestColl)"},
        {Method::kCombining, "combining", "few messages, in which nodes forward blocks of others"},
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

Task task_of(const SynthesisRequest& request, const Graph& graph) {
    Task task;
    task.collective = request.collective;
    task.nodes = graph.node_count();
    task.members = working_nodes(graph);
    task.root = request.root;
    task.chunks = request.chunks;
    task.bytes = request.bytes;
    return task;
}

namespace {

/// How many numbers of chunks up to this one may be no better, one after the other, while a larger
/// one still may be: every link carries a whole number of chunks, slow ones few.
int misses_before_the_end(const SynthesisRequest& request, const Graph& graph,
                          std::uint32_t chunks) {
    if (has_one_destination(request.collective)) return graph.has_slow_links() ? 1 : 0;
    // Of all nodes' blocks every link then carries so many that a rest counts for little.
    return request.collective == Collective::kBroadcast || chunks <= kManyChunks ? 2 : 0;
}

/// The result of the methods with one chunk per message.
ChunkSchedule schedule_of_chunks(const SynthesisRequest& request, const HardwareConfig& config,
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
        int misses = 0;  // one after the other
        for (const std::uint32_t chunks : chunk_choices(request, method, graph)) {
            if (chunks_tried != 0 && !search.has_time()) break;
            if (!best.method.empty() && search.least_cycles(method, chunks) >= least) continue;
            ChunkSchedule found = search.best(method, chunks);
            const double cycles = estimated_cycles(found, config, graph);
            // With still smaller chunks the rounds cost more than they gain.
            if (chunks_tried++ != 0 && cycles >= least_of_method) {
                if (++misses > misses_before_the_end(request, graph, chunks)) break;
                continue;
            }
            misses = 0;
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

/// The cost of forwarding a message, without its flits: two routers, a link, and its reception.
Cycle passing_on(const HardwareConfig& config, const Graph& graph) {
    Cycle delays = 0;
    for (const Link& link : graph.links()) delays += link.delay;
    const Cycle links = std::max<Cycle>(graph.link_count(), 1);
    return 2 * Cycle{config.fabric.router_delay} + (delays + links - 1) / links +
           config.node.recv_overhead;
}

/// Whether few messages save time: each costs more than a block in it, or nodes have a startup and
/// an assembly for every one and are never idle if messages may wait for each other.
bool saves_messages(const SynthesisRequest& request, const HardwareConfig& config,
                    const Graph& graph) {
    if (config.node.serialize_overhead) return true;
    const PacketFormat format = config.packet_format();
    const Rate rate = config.node.injection_bandwidth;
    // Each node has one block in n of the vector that an all-reduce combines.
    const std::uint64_t blocks =
        request.collective == Collective::kAllReduce ? graph.working_node_count() : 1;
    const std::uint64_t flits = format.message_flits((request.bytes + blocks - 1) / blocks);
    return assembly_cycles(flits - format.header_flits, rate) <
           config.node.send_overhead + passing_on(config, graph) +
               assembly_cycles(format.header_flits, rate);
}

/// The candidate schedules: those with one chunk per message, those with few messages, or both.
enum class Kinds { kChunks, kFewMessages, kBoth };

Kinds kinds_for(const SynthesisRequest& request, const Graph& graph, const Routing& routing) {
    if (request.method == Method::kCombining) return Kinds::kFewMessages;
    if (request.method != Method::kAuto) return Kinds::kChunks;
    // No other method finds a schedule if chunks cannot go from neighbour to neighbour.
    if (!goes_straight(request, graph) && !is_connected(graph, routing)) {
        return Kinds::kFewMessages;
    }
    // Messages with several blocks have them whole.
    return request.chunks > 1 || graph.working_node_count() < 2 ? Kinds::kChunks : Kinds::kBoth;
}

/// Schedules with few messages, or one per block, that may wait for each other: alternatives to
/// those without waiting. Their time is rehearsed as long as the work suffices.
class Rivals {
public:
    Rivals(const SynthesisRequest& request, const HardwareConfig& config, const Graph& graph,
           const Routing& routing)
        : request_(request),
          config_(config),
          graph_(graph),
          routing_(routing),
          format_(config.packet_format()),
          task_(task_of(in_one_chunk(request), graph)),
          pays_(request.method == Method::kCombining || saves_messages(request, config, graph)),
          is_small_(task_.members.size() <= kSmall),
          most_work_(pays_ ? kWorkThatPays : kWork),
          rehearsal_(config, graph, routing) {}

    /// Phases, in which nodes hand on blocks.
    Combining phases(Cycle latest = kNever) {
        rehearsal_.set_most_work(rehearsal_.work() + most_work_);
        return {task_, config_, graph_, routing_, rehearsal_, request_.goes_on, latest};
    }

    /// Phases or steps, or rounds in which chunks are passed on from neighbour to neighbour.
    FoundSchedules best_passed_on() {
        std::optional<ChunkSchedule> rival;
        if (tries_phases()) rival = promising(phases());
        if (tries_steps()) take_steps(rival);
        ChunkSchedule rounds = schedule_of_chunks(request_, config_, graph_, routing_);
        return better(std::move(rounds), std::move(rival), false);
    }

    /// Phases, or messages that go straight to their destinations: step by step, with waiting, or
    /// by a timetable, without.
    FoundSchedules best_straight() {
        return config_.node.serialize_overhead ? best_of_few_messages() : best_of_timetables();
    }

private:
    // Packets times channels of rehearsals: some twenty seconds, and one if it is not known to pay.
    static constexpr std::uint64_t kWorkThatPays = 60'000'000;
    static constexpr std::uint64_t kWork = 3'000'000;
    /// Nodes among whom all that may be quicker is looked at: it takes a fraction of a second.
    static constexpr std::size_t kSmall = 64;
    /// The share of an exact plan that a rehearsal has to promise.
    static constexpr double kAhead = 0.95;

    static SynthesisRequest in_one_chunk(SynthesisRequest request) {
        request.chunks = 1;
        return request;
    }

    bool is_exchange() const { return request_.collective == Collective::kAllToAll; }

    /// If each block has one destination, forwarding means sending it more than once, which pays
    /// only through fewer messages, or less waiting: in a scatter the root's. Blocks for all nodes
    /// are sent as often in any case.
    bool tries_phases() const { return pays_ || is_small_ || !is_exchange(); }

    /// Direct messages save at most the cost of forwarding without their flits, and lose a quarter
    /// and more by waiting for each other.
    bool tries_steps() const {
        constexpr Cycle kGain = 3;
        const std::uint64_t flits = format_.message_flits(request_.bytes);
        return has_quick_steps() && (is_small_ || passing_on(config_, graph_) * kGain > flits);
    }

    /// An exchange whose steps can be rehearsed: each packet at three or more channels.
    bool has_quick_steps() const {
        return is_exchange() && 3 * task_.blocks() * format_.packets(request_.bytes) <= kWork;
    }

    /// The time by which phases are compared. If there was no time to rehearse them, messages may
    /// wait longer than estimated: a twentieth.
    static Cycle promised(const Combining& few) {
        const Cycle cycles = few.cycles();
        return few.is_rehearsed() ? cycles : saturating_add(cycles, cycles / 20);
    }
    static std::optional<ChunkSchedule> promising(const Combining& few) {
        if (few.cycles() == kNever) return std::nullopt;
        ChunkSchedule schedule = few.schedule();
        schedule.expected = promised(few);
        return schedule;
    }

    /// Replaces the rival by an exchange in steps that is quicker.
    void take_steps(std::optional<ChunkSchedule>& rival) {
        rehearsal_.set_most_work(rehearsal_.work() + kWork);
        const Cycle latest = rival ? rival->expected - 1 : kNever;
        auto steps = best_direct_steps(task_, config_, graph_, routing_, rehearsal_,
                                       request_.goes_on, latest);
        if (steps) rival = std::move(steps);
    }

    /// The rival if it is faster than the plan. A plan that may be wrong is rehearsed, too; against
    /// an exact one a rehearsed rival has to be well ahead.
    FoundSchedules better(ChunkSchedule planned, std::optional<ChunkSchedule> rival,
                          bool is_exact) {
        if (!rival) return {std::move(planned), std::nullopt};
        const auto least = static_cast<double>(rival->expected);
        double cycles = estimated_cycles(planned, config_, graph_);
        if (is_exact) {
            cycles *= kAhead;
        } else if (least < cycles || goes_slower_than_links()) {
            cycles = rehearsed(planned).value_or(cycles);
        }
        if (least < cycles) return {std::move(*rival), std::move(planned)};
        return {std::move(planned), std::move(rival)};
    }

    /// Records its time, unless that is as planned.
    std::optional<double> rehearsed(ChunkSchedule& schedule) {
        if (3 * schedule.moves() > kWork) return std::nullopt;
        rehearsal_.set_most_work(rehearsal_.work() + kWork);
        const auto cycles = rehearsal_.cycles_of(to_program(schedule, "planned"));
        if (!cycles) return std::nullopt;
        schedule.expected = *cycles;
        return static_cast<double>(*cycles);
    }

    /// Rounds take longer then than their flits say.
    bool goes_slower_than_links() const {
        return config_.node.injection_bandwidth.is_slow() || !has_full_rate() ||
               graph_.has_slow_links();
    }
    /// Whether FIFOs hold up no channel.
    bool has_full_rate() const {
        return config_.fabric.buffer_depth >=
               ChannelTimings(config_.fabric).streaming_depth(graph_);
    }

    /// Messages that go straight keep each node, or the root, busy for so long.
    Cycle cycles_of_node() const {
        const std::uint64_t flits = format_.message_flits(request_.bytes);
        return (task_.members.size() - 1) * source_cycles(config_, flits);
    }

    FoundSchedules best_of_few_messages() {
        const Cycle of_node = cycles_of_node();
        std::optional<ChunkSchedule> steps = steps_if_quick(of_node);
        const Combining few = phases(steps ? steps->expected - 1 : kNever);
        // Phases that are rehearsed end before the steps do.
        const bool takes_steps = steps && !few.is_rehearsed();
        const Cycle least = takes_steps ? steps->expected : promised(few);
        if (!takes_steps && least < of_node) return {few.schedule(), std::nullopt};
        ChunkSchedule rival = takes_steps ? std::move(*steps) : few.schedule();
        ChunkSchedule timetable = best_direct_schedule(request_, config_, graph_, routing_, least);
        if (timetable.method.empty()) return {std::move(rival), std::nullopt};
        return {std::move(timetable), std::move(rival)};  // it ends by then
    }

    /// An exchange in steps, unless phases are certainly faster.
    std::optional<ChunkSchedule> steps_if_quick(Cycle of_node) {
        if (!is_exchange()) return std::nullopt;
        rehearsal_.set_most_work(0);  // just an estimate
        const Combining estimated(task_, config_, graph_, routing_, rehearsal_);
        // Messages that wait take up to twice as long as is estimated.
        if (of_node / 2 >= estimated.cycles()) return std::nullopt;
        rehearsal_.set_most_work(most_work_ / 2);
        return best_direct_steps(task_, config_, graph_, routing_, rehearsal_, request_.goes_on);
    }

    /// Contention gains nothing on a cycle-exact timetable, and a rehearsal may be wrong: there a
    /// rival has to be well ahead, and is searched only on small networks.
    FoundSchedules best_of_timetables() {
        const bool is_exact = plans_to_the_cycle();
        std::optional<ChunkSchedule> rival;
        if (tries_phases() && (is_small_ || !is_exchange())) rival = promising(phases());
        if (has_quick_steps() && (is_small_ || !is_exact)) take_steps(rival);
        Cycle latest = kNever;
        if (rival) {
            const auto expected = static_cast<double>(rival->expected);
            if (expected < kAhead * static_cast<double>(cycles_of_node())) {
                return {std::move(*rival), std::nullopt};
            }
            // One that is later would be passed over.
            if (is_exact) latest = static_cast<Cycle>(expected / kAhead) + 1;
        }
        ChunkSchedule timetable = best_direct_schedule(request_, config_, graph_, routing_, latest);
        if (timetable.method.empty()) return {std::move(*rival), std::nullopt};
        return better(std::move(timetable), std::move(rival), is_exact);
    }

    /// Whether timetables take the time that they promise: a message is one packet, or its packets
    /// follow each other at their own pace (MessageRoutes).
    bool plans_to_the_cycle() const {
        if (config_.fabric.stores_packets() && graph_.has_slow_links()) return false;
        if (format_.packets(request_.bytes) <= 1) return true;
        return config_.fabric.switching == Switching::kWormhole && has_full_rate();
    }

    const SynthesisRequest& request_;
    const HardwareConfig& config_;
    const Graph& graph_;
    const Routing& routing_;
    const PacketFormat format_;
    const Task task_;
    const bool pays_;                // few messages save time, for all that is known
    const bool is_small_;            // the network
    const std::uint64_t most_work_;  // for rehearsals of phases
    Rehearsal rehearsal_;
};

}  // namespace

FoundSchedules find_schedules(const SynthesisRequest& request, const HardwareConfig& config,
                              const Graph& graph, const Routing& routing) {
    const Kinds kinds = kinds_for(request, graph, routing);
    if (kinds == Kinds::kChunks) {
        return {schedule_of_chunks(request, config, graph, routing), std::nullopt};
    }
    Rivals search(request, config, graph, routing);
    if (kinds == Kinds::kFewMessages) return {search.phases().schedule(), std::nullopt};
    return goes_straight(request, graph) ? search.best_straight() : search.best_passed_on();
}

ChunkSchedule synthesize(const SynthesisRequest& request, const HardwareConfig& config,
                         const Graph& graph, const Routing& routing) {
    return find_schedules(request, config, graph, routing).best;
}

double estimated_cycles(const ChunkSchedule& schedule, const HardwareConfig& config,
                        const Graph& graph) {
    if (schedule.cycles != 0) return static_cast<double>(schedule.cycles);
    if (schedule.expected != 0) return static_cast<double>(schedule.expected);
    const Cycle period =
        schedule.period != 0 ? schedule.period : relaying_period(schedule, config, graph);
    return static_cast<double>(schedule.rounds.size()) * static_cast<double>(period);
}

}  // namespace flitscope::synthesis
