// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "testbench/app/build/machine.h"
#include "testbench/app/explain/explained_fabric.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

using Shares = std::map<std::uint32_t, PathShare>;

void add(Shares& shares, std::uint32_t id, const PathSegment& segment) {
    PathShare& share = shares[id];
    share.id = id;
    share.cycles += segment.length();
    share.by_cause[static_cast<std::size_t>(segment.cause)] += segment.length();
}

std::vector<PathShare> ranked(const Shares& shares) {
    std::vector<PathShare> list;
    for (const auto& [id, share] : shares) list.push_back(share);
    std::stable_sort(list.begin(), list.end(),
                     [](const PathShare& a, const PathShare& b) { return a.cycles > b.cycles; });
    return list;
}

std::vector<PathCause> path_causes() {
    std::vector<PathCause> causes;
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<Cause>(i);
        causes.push_back({cause_name(cause), waits_for_others(cause)});
    }
    return causes;
}

/// The segments that take time, in the words of a trace.
std::vector<PathMark> marks_of(const CriticalPath& path) {
    std::vector<PathMark> marks;
    for (const PathSegment& segment : path.segments) {
        if (segment.length() == 0) continue;
        PathMark mark{segment.from, segment.to, static_cast<std::uint32_t>(segment.cause),
                      std::nullopt, segment.message};
        if (segment.channel != kNoChannel) mark.channel = segment.channel;
        marks.push_back(mark);
    }
    return marks;
}

/// `waits`: what each node waited for.
std::vector<RankShare> rank_shares(const Machine& machine, const Explanation& explanation,
                                   const std::vector<CauseCycles>& waits) {
    std::vector<Cycle> on_path(waits.size(), 0);
    for (const PathSegment& segment : explanation.path.segments) {
        const std::optional<NodeId> node = node_of(*machine.program, segment);
        if (node) on_path[*node] += segment.length();
    }
    std::vector<RankShare> ranks;
    for (const NodeOperations& of : explanation.run.node_operations) {
        const CauseCycles& waited = waits[of.node];
        const Cycle sum = std::accumulate(waited.begin(), waited.end(), Cycle{0});
        if (sum != of.waiting) {
            throw std::logic_error(fmt::format("rank {} waited for {} cycles, and has causes of {}",
                                               of.rank, of.waiting, sum));
        }
        ranks.push_back({of, on_path[of.node], waited});
    }
    return ranks;
}

}  // namespace

Cause PathShare::main_cause() const {
    return static_cast<Cause>(std::max_element(by_cause.begin(), by_cause.end()) -
                              by_cause.begin());
}

Cycle explained_cycles(const SimulationResult& run) {
    return std::max(run.cycles, run.ranks_end());
}

bool is_everywhere(const PathSegment& segment) {
    return segment.message == kNoMessage && segment.operation == kNoOperation;
}

std::optional<NodeId> node_of(const Program& program, const PathSegment& segment) {
    if (segment.channel != kNoChannel) return std::nullopt;
    if (segment.operation != kNoOperation) return program.operations->node_of(segment.operation);
    if (segment.message == kNoMessage) return std::nullopt;
    const Transfer& message = program.transfers[segment.message];
    return segment.cause == Cause::kReceive ? message.destination : message.source;
}

RouterId router_of(const Machine& machine, const PathSegment& segment) {
    const Graph& graph = machine.graph;
    const ChannelMap channels(graph);
    if (segment.channel != kNoChannel) {
        return channels.is_link(segment.channel) ? graph.link(segment.channel).from
                                                 : channels.router(segment.channel);
    }
    const std::optional<NodeId> node = node_of(*machine.program, segment);
    return node ? graph.router_of(*node) : RouterId();  // everywhere: a barrier
}

StepId step_of(const Program& program, MessageId message) {
    return program.schedule_step(program.transfers.step(message));
}

Explanation explain(const Machine& machine, const std::string& engine, SimulationOptions options,
                    bool with_slack) {
    require_explained_fabric(machine.config, "explain");
    const bool has_operations = machine.program->operations != nullptr;
    const bool keeps_times = with_slack && can_have_slack(*machine.program);
    CriticalPathRecorder recorder(machine, keeps_times);
    ChannelObservers channel_observers;
    channel_observers.add(&recorder.channels());
    channel_observers.add(options.channels);
    PacketObservers packet_observers;
    packet_observers.add(&recorder.packets());
    packet_observers.add(options.packets);
    options.channels = channel_observers.get();
    options.packets = &packet_observers;
    options.program = &recorder.program();
    OperationObservers operation_observers;
    operation_observers.add(recorder.operations());
    operation_observers.add(options.operations);
    options.operations = &operation_observers;
    Explanation explanation;
    explanation.is_explained = true;
    if (!options.trace_path.empty()) {
        options.path_causes = path_causes();
        options.path = [&](Cycle simulated_cycles) {
            explanation.path = recorder.take(simulated_cycles);
            return marks_of(explanation.path);
        };
    }
    explanation.run = simulate(machine, engine, options);
    if (!options.path) explanation.path = recorder.take(explanation.run.simulated_cycles);
    if (keeps_times && explanation.run.verdict == Verdict::kComplete) {
        explanation.slack = recorder.slack(explanation.path.cycles);
    }
    explanation.by_cause = explanation.path.cycles_by_cause();
    Shares channels;
    Shares steps;
    Shares routers;
    for (const PathSegment& segment : explanation.path.segments) {
        if (segment.channel != kNoChannel) add(channels, segment.channel, segment);
        if (is_everywhere(segment)) continue;
        if (!has_operations) add(steps, step_of(*machine.program, segment.message), segment);
        add(routers, router_of(machine, segment), segment);
    }
    if (has_operations)
        explanation.ranks = rank_shares(machine, explanation, recorder.take_waits());
    explanation.channels = ranked(channels);
    explanation.steps = ranked(steps);
    explanation.routers = ranked(routers);
    return explanation;
}

}  // namespace flitscope
