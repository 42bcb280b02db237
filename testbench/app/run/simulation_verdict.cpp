// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a run, and why it is incomplete.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/config/config.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/endpoints.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

/// No cycle from this one on is simulated.
Cycle limit_of(const Config& config) {
    return std::min(config.limits.max_cycles, end_of_time(clock_period_ps(config.clock_ns)));
}

/// Text for a run that reached its limit.
std::string limit_text(const Config& config) {
    const Cycle end = end_of_time(clock_period_ps(config.clock_ns));
    if (config.limits.max_cycles <= end) {
        return fmt::format("limits.max_cycles = {} reached", config.limits.max_cycles);
    }
    return fmt::format(
        "the end of SystemC's time reached: 2^64 ps are {} cycles of {} ns (clock_ns)", end,
        config.clock_ns);
}

}  // namespace

void SimulationInstance::judge(SimulationResult& result, RunEnd end) {
    const bool all_delivered = result.messages_delivered == result.messages_expected;
    if (machine_.pattern != nullptr && !all_delivered) {
        result.messages_expected = messages_begun(pattern_generators_, fabric_->end_cycle());
    }
    // If anything came later, engines would inspect the empty cycles up to there.
    if (steady_ && end == RunEnd::kIdle && all_delivered) steady_->finish();
    result.problems = scoreboard_.violations();
    // Copies of what has been delivered may be under way at the limit.
    const bool is_drained = all_delivered && (end == RunEnd::kIdle || !result.losses);
    const std::vector<std::string> broken = fabric_->broken_invariants(is_drained);
    result.problems.insert(result.problems.end(), broken.begin(), broken.end());
    if (all_delivered) check_ends(result);
    const bool all_done = finish_operations(result, all_delivered);
    if (!result.problems.empty()) {
        result.verdict = Verdict::kFailed;
    } else if (all_delivered && !all_done) {
        result.verdict = Verdict::kDeadlock;
        explain_standstill(result);
    } else if (result.ranks_end() > limit_of(machine_.config)) {
        result.verdict = Verdict::kTimeout;
        explain_late_rank(result);
    } else if (all_delivered || (steady_ && steady_->is_done())) {
        result.verdict = Verdict::kComplete;  // even if the limit came in the same cycle
    } else if (end == RunEnd::kIdle && has_lost(result)) {
        result.verdict = Verdict::kFailed;
        explain_losses(result);
    } else if (deadlock_ || end == RunEnd::kIdle) {
        result.verdict = Verdict::kDeadlock;
        explain_standstill(result);
    } else if (end == RunEnd::kLimit) {
        result.verdict = Verdict::kTimeout;
        result.problems.push_back(limit_text(machine_.config));
        explain_standstill(result);
    } else if (end == RunEnd::kInterrupted) {
        result.verdict = Verdict::kInterrupted;
        result.problems.emplace_back("interrupted: the figures cover the run up to here");
    }
}

void SimulationInstance::check_ends(SimulationResult& result) const {
    const std::vector<std::string> wrong = wrong_ends(program_run_.get(), scoreboard_);
    result.problems.insert(result.problems.end(), wrong.begin(), wrong.end());
    const ComputationRun* const run = program_run_ ? program_run_->computation() : nullptr;
    if (run == nullptr || !wrong.empty()) return;
    result.computed = describe_results(run->computation());
    result.correct_results = run->computation().expected.size();
}

/// Lets the nodes do what follows the last delivery. False if an operation waits for a message that
/// has not come.
bool SimulationInstance::finish_operations(SimulationResult& result, bool all_delivered) {
    bool all_done = true;
    for (const auto& generator : generators_) all_done = generator->finish() && all_done;
    if (!all_delivered || !all_done || operation_generators_.empty()) return all_done;
    const Operations& operations = *machine_.program->operations;
    for (NodeId node = 0; node < operations.nodes(); ++node) {
        const std::uint32_t rank = operations.rank(node);
        if (rank == kNoRank) continue;
        const OperationPlayer& player = operation_generators_[node]->player();
        const RankTimes& times = player.times();
        result.node_operations.push_back({node, rank, player.operations(), player.end(),
                                          times.computing(), times.sending(), times.receiving(),
                                          times.waiting()});
    }
    std::sort(result.node_operations.begin(), result.node_operations.end(),
              [](const NodeOperations& a, const NodeOperations& b) { return a.rank < b.rank; });
    return true;
}

/// All has been delivered, and nothing is stuck: a rank computes beyond the limit.
void SimulationInstance::explain_late_rank(SimulationResult& result) const {
    const NodeOperations last = *result.last_to_end();
    result.problems.push_back(limit_text(machine_.config));
    result.problems.push_back(
        fmt::format("all messages were delivered, but rank {} (node {}) is busy up to cycle {}",
                    last.rank, last.node, last.end));
    result.node_operations.clear();  // which are those of a trace that has ended
}

/// Whether what has not been delivered never will be, because it was lost, and not because packets
/// wait for each other.
bool SimulationInstance::has_lost(const SimulationResult& result) const {
    return result.losses && (result.losses->has_failed || result.losses->packets_repeated != 0) &&
           fabric_->find_deadlock().empty();
}

/// Nodes that failed during the run, and had more to do: their unsent messages are neither lost nor
/// discarded.
std::size_t SimulationInstance::unfinished_dead_nodes() const {
    if (machine_.later == nullptr) return 0;
    std::size_t count = 0;
    NodeId node = 0;
    for (const auto& generator : generators_) {  // one of each node, in their order
        if (has_died(node++) && !generator->waiting_for(fabric_->end_cycle()).empty()) ++count;
    }
    return count;
}

bool SimulationInstance::has_died(NodeId node) const {
    const FaultedNetwork* const later = machine_.later.get();
    return later != nullptr && later->at < fabric_->end_cycle() && !later->graph.is_alive(node);
}

void SimulationInstance::explain_losses(SimulationResult& result) const {
    const LossCounts& losses = *result.losses;
    std::string text =
        fmt::format("{} of {} messages were not delivered: {} lost under way",
                    result.messages_expected - result.messages_delivered, result.messages_expected,
                    losses.packets_lost == 1 ? "1 packet was"
                                             : fmt::format("{} packets were", losses.packets_lost));
    if (losses.packets_repeated != 0) {  // so that some of the lost ones may have arrived
        text += losses.packets_repeated == 1 ? " (1 was retransmitted)"
                                             : fmt::format(" (packets were retransmitted {} times)",
                                                           losses.packets_repeated);
    }
    text += fmt::format(", {} discarded at their source", losses.packets_discarded);
    if (const std::size_t died = unfinished_dead_nodes(); died != 0) {
        text += died == 1 ? ", and 1 node failed before it had finished"
                          : fmt::format(", and {} nodes failed before they had finished", died);
    }
    result.problems.push_back(std::move(text));
    explain_standstill(result);
}

/// A sentence: where a packet of a wait cycle is, and which resource it waits for.
std::string SimulationInstance::describe(const WaitingPacket& w) const {
    const Message& message = w.message;
    const bool has_steps = machine_.program && machine_.program->has_steps();
    const std::string step = has_steps ? fmt::format(", step {}", message.step + 1) : "";
    const std::string at =
        w.is_at_node ? fmt::format("first in the queue of replies of node {}", message.source)
                     : fmt::format("at the end of {}", channel_name(machine_.graph, w.at));
    const char* const why = w.granted || w.is_at_node ? ", which has no credit"
                            : w.node_is_full          ? ", whose request queue is full"
                                                      : ", which the next one holds";
    return fmt::format("message {} (node {} to node {}{}) {} {} {}{}",
                       scoreboard_.number(message.id), message.source, message.destination, step,
                       at, w.granted ? "holds" : "waits for", channel_name(machine_.graph, w.wants),
                       why);
}

void SimulationInstance::explain_standstill(SimulationResult& result) const {
    const std::vector<WaitingPacket> cycle = fabric_->find_deadlock();
    for (const WaitingPacket& w : cycle) result.problems.push_back(describe(w));
    if (!cycle.empty()) return;
    for (OperationGenerator* const generator : operation_generators_) generator->finish();
    constexpr std::size_t kShown = 5;
    std::size_t waiting = 0;
    NodeId node = 0;
    for (const auto& g : generators_) {
        const std::string text =
            has_died(node++) ? std::string() : g->waiting_for(fabric_->end_cycle());
        if (text.empty() || ++waiting > kShown) continue;
        result.problems.push_back(text);
    }
    if (waiting > kShown) {
        result.problems.push_back(fmt::format("and {} more nodes", waiting - kShown));
    }
    for (std::string& text : scoreboard_.missing()) result.problems.push_back(std::move(text));
}

}  // namespace flitscope
