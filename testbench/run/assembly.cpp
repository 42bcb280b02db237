// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/run/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "testbench/run/endpoints.h"

namespace flitscope {
namespace {

/// The cycle of the next search for packets that wait for each other while the rest of the network
/// goes on: after kSearchInterval, in a long run after an eighth of it, so that the searches of a
/// run of any length cost little. All engines search in the same cycles.
Cycle next_search(Cycle now) {
    return now + std::max(kSearchInterval, now / 8 / kSearchInterval * kSearchInterval);
}

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

void StepClock::on_send(const Message& message, Cycle begin) {
    if (message.step >= times_.size()) return;
    StepTime& t = times_[message.step];
    t.start = std::min(t.start, begin);
}

void StepClock::on_packet(const PacketRecord& packet) {
    if (packet.message.step >= times_.size()) return;
    StepTime& t = times_[packet.message.step];
    t.end = std::max(t.end, packet.tail_delivered + 1);
    t.flits += packet.flits;
}

std::vector<StepTime> StepClock::take(Cycle end) {
    for (StepTime& t : times_) {
        if (t.start >= end) t.start = kNever;
    }
    return std::move(times_);
}

Assembly::Assembly(const Machine& machine, const Engine& engine, const SimulationOptions& options)
    : machine_(machine),
      engine_(engine),
      options_(options),
      map_(machine.graph),
      scoreboard_(
          scoreboard_config(machine.config, machine.graph, *machine.routing, machine.pattern.get()),
          machine.program ? &*machine.program : nullptr),
      step_clock_(machine.program ? machine.program->step_count() : 0) {
    packet_observers_.add(&scoreboard_);
    packet_observers_.add(&step_clock_);
    if (machine.config.steady && machine.pattern != nullptr) {
        steady_.emplace(machine.config, machine.graph, machine.pattern, options.by_hops);
        packet_observers_.add(&*steady_);
    }
    if (machine.later != nullptr && machine.pattern != nullptr) {
        futile_.emplace(machine.pattern);
        packet_observers_.add(&*futile_);
    }
    packet_observers_.add(options.packets);
    if (!options.trace_path.empty()) {
        const MessageNumbers numbers =
            machine.program ? MessageNumbers(machine.program->numbers) : MessageNumbers();
        trace_ = open_run_trace(options.trace_path, machine.config, machine.graph,
                                options.path_causes, numbers);
    }
    channel_observers_.add(trace_.get());
    if (options.count_blocked) {
        holding_.emplace(map_.count());
        channel_observers_.add(&*holding_);
    }
    if (options.count_sendings) {
        sendings_.emplace(map_.count());
        channel_observers_.add(&*sendings_);
    }
    if (options.log_messages) {
        message_log_.emplace(machine.graph, machine.config.fabric.virtual_channels,
                             machine.config.packet_format());
        channel_observers_.add(&*message_log_);
        packet_observers_.add(&*message_log_);
        send_observers_.push_back(&*message_log_);
    }
    if (options.sends != nullptr) send_observers_.push_back(options.sends);
    if (machine.program && machine.program->operations == nullptr) {
        send_observers_.push_back(&step_clock_);
    }
    channel_observers_.add(options.channels);
    try {
        fabric_ = engine.create(machine, fabric_options());
        create_generators();
    } catch (...) {
        discard_trace();
        throw;
    }
    if (machine.pattern != nullptr) {
        window_.emplace(map_.count(), machine.pattern->measured_from, machine.pattern->end);
    }
}

void Assembly::discard_trace() {
    if (trace_ != nullptr) trace_->discard();
}

hw::FabricOptions Assembly::fabric_options() {
    hw::FabricOptions options;
    options.channels = channel_observers_.get();
    options.packets = &packet_observers_;
    if (trace_ && !machine_.config.trace.rtl_nodes.empty()) {
        options.inner_signals = trace_->inner_signals();
    }
    options.scan_order = options_.scan_order;
    options.threads = options_.threads;
    options.parts = options_.parts;
    options.runs_ahead = options_.runs_ahead;
    return options;
}

Assembly::~Assembly() = default;

void Assembly::start() {
    RunControl control;
    control.limit = std::min(machine_.config.limits.max_cycles, options_.useful_cycles);
    control.owns_kernel = options_.runs_ahead;
    if (options_.search_deadlocks) next_search_ = next_search(0);
    control.first_inspection = next_inspection();
    control.inspect = [this](Cycle now) { return inspect(now); };
    control.poll_interval = engine_.poll_interval;
    if (options_.on_progress) {
        control.keep_going = [this](Cycle now) { return options_.on_progress(progress(now)); };
    }
    fabric_->start(control);
}

Cycle Assembly::next_inspection() const {
    const Cycle measured =
        std::min(window_ ? window_->next() : kNever, steady_ ? steady_->next() : kNever);
    return std::min(next_search_, measured);
}

Cycle Assembly::inspect(Cycle now) {
    if (window_) window_->inspect(*fabric_, now);
    if (steady_ && steady_->inspect(now)) return RunControl::kStop;
    if (now >= next_search_) {
        next_search_ = next_search(now);
        deadlock_ = !fabric_->find_deadlock().empty();
        if (deadlock_) return RunControl::kStop;
    }
    return next_inspection();
}

SimulationResult Assembly::finish() {
    SimulationResult result;
    result.engine = engine_.name;
    result.rtl_routers = fabric_->rtl_routers();
    result.parts = fabric_->parts();
    const RunEnd end = fabric_->finish();
    // However few cycles had any activity, the observer sees the end.
    const Cycle cycles = simulated_cycles();
    if (options_.on_progress) options_.on_progress(progress(cycles));
    if (trace_ != nullptr) {
        if (options_.path) trace_->mark_path(options_.path(cycles));
        trace_->finish(cycles);
    }
    collect(result);
    judge(result, end);
    measure(result);
    return result;
}

void Assembly::create_generators() {
    const Graph& graph = machine_.graph;
    if (machine_.program) {
        program_run_ = make_program_run(*machine_.program, machine_.config, options_.program);
    }
    for (NodeId node = 0; node < graph.endpoint_count(); ++node) {
        const std::string name = graph.node_name("generator", node);
        if (machine_.program) {
            generators_.push_back(make_program_generator(name, node, *program_run_));
            auto* const operations = dynamic_cast<OperationGenerator*>(generators_.back().get());
            if (operations != nullptr) operation_generators_.push_back(operations);
        } else {
            auto generator =
                std::make_unique<PatternGenerator>(name.c_str(), machine_.pattern, node);
            pattern_generators_.push_back(generator.get());
            generators_.push_back(std::move(generator));
        }
        MessagePort* port = &fabric_->port(node);
        for (SendObserver* const observer : send_observers_) {
            watched_ports_.push_back(std::make_unique<WatchedPort>(*port, *observer));
            port = watched_ports_.back().get();
        }
        generators_.back()->fabric.bind(*port);
        fabric_->attach(node, *generators_.back());
    }
}

Progress Assembly::progress(Cycle now) const {
    Progress p;
    p.cycle = now;
    p.messages_delivered = scoreboard_.messages_delivered();
    if (machine_.program) {
        p.messages_expected = machine_.program->transfers.size();
        p.fraction = static_cast<double>(p.messages_delivered) /
                     static_cast<double>(std::max<std::uint64_t>(p.messages_expected, 1));
    } else if (steady_) {
        p.precision = latency_precision();
    } else {
        p.fraction =
            std::min(1.0, static_cast<double>(now) / static_cast<double>(machine_.pattern->end));
    }
    return p;
}

std::optional<LatencyPrecision> Assembly::latency_precision() const {
    const statistics::Estimate& latency = steady_->outcome().latency;
    // A narrow interval that is not sound says nothing.
    if (!latency.is_sound || latency.mean <= 0) return std::nullopt;
    return LatencyPrecision{latency.relative_half_width(), machine_.config.steady->half_width};
}

/// Up to the limit, a router may wait for a credit that is on its way, or a node for the end of a
/// time in which it would send again. That is nobody's work where all has been delivered.
Cycle Assembly::simulated_cycles() const {
    const Cycle end = fabric_->end_cycle();
    const Cycle moves = fabric_->cycles_of_moves();
    if (moves == end || steady_) return end;
    std::uint64_t messages = 0;
    if (machine_.program) {
        messages = machine_.program->transfers.size();
    } else {
        if (machine_.pattern == nullptr || end < machine_.pattern->end) return end;
        for (const auto& g : generators_) messages += g->messages_begun();
    }
    const bool is_done = scoreboard_.messages_delivered() == messages &&
                         (fabric_->losses() == nullptr || fabric_->broken_invariants(true).empty());
    return is_done ? moves : end;
}

void Assembly::collect(SimulationResult& result) {
    result.cycles = scoreboard_.makespan();
    result.simulated_cycles = simulated_cycles();
    result.messages_delivered = scoreboard_.messages_delivered();
    result.bytes_delivered = scoreboard_.bytes_delivered();
    result.flits_delivered = scoreboard_.flits_delivered();
    if (const LossCounts* const losses = fabric_->losses()) result.losses = *losses;
    result.latency = scoreboard_.latency();
    result.head_latency = scoreboard_.head_latency();
    result.classes = scoreboard_.classes();
    if (const RoundTrips* const trips = scoreboard_.round_trips()) {
        result.replies =
            ExchangeResult{trips->requests(), trips->replies(), scoreboard_.round_trip(), {}};
    }
    result.step_times = step_clock_.take(result.simulated_cycles);
    for (const auto& g : generators_) result.messages_expected += g->messages_begun();
    if (machine_.program) result.messages_expected = machine_.program->transfers.size();
    std::uint64_t busiest = 0;
    for (ChannelId channel = 0; channel < map_.count(); ++channel) {
        result.channel_flits.push_back(fabric_->flits_sent(channel));
        busiest = std::max(busiest, result.channel_flits.back());
        if (map_.is_link(channel)) result.flit_hops += result.channel_flits.back();
        if (holding_) {
            result.blocked_cycles.push_back(holding_->blocked_cycles(
                channel, result.channel_flits.back(), result.simulated_cycles));
        }
    }
    if (sendings_) result.sendings = sendings_->counts();
    if (message_log_) result.messages = message_log_->take();
    // A channel sends one flit per cycle: that is all one can say of traffic drawn at random.
    result.lower_bound_cycles = machine_.program ? machine_.bounds.max() : busiest;
}

/// Messages of a pattern whose send has begun, whether or not they have left their queue.
std::uint64_t Assembly::messages_begun() const {
    std::uint64_t begun = 0;
    for (PatternGenerator* const generator : pattern_generators_) {
        begun += generator->generated_before(fabric_->end_cycle()).begun;
    }
    return begun;
}

void Assembly::judge(SimulationResult& result, RunEnd end) {
    const bool all_delivered = result.messages_delivered == result.messages_expected;
    // How many a generator has handed over by then is the engine's own affair.
    if (machine_.pattern != nullptr && !all_delivered) result.messages_expected = messages_begun();
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

/// Sets the window that utilisation refers to; the verdict is known.
void Assembly::measure(SimulationResult& result) {
    result.window = {0, result.active_cycles()};
    result.window_flits = result.channel_flits;
    if (machine_.pattern == nullptr) return;
    const PatternTraffic& pattern = *machine_.pattern;
    // A run in which everything has been delivered would go on with empty cycles.
    const bool complete = result.verdict == Verdict::kComplete;
    const Cycle end =
        complete && !steady_ ? pattern.end : std::min(pattern.end, result.simulated_cycles);
    if (!steady_ && end <= pattern.measured_from) return;  // nothing was measured
    result.window = {pattern.measured_from, end};
    result.window_flits = window_->flits(*fabric_);
    MeasuredTraffic measured;
    measured.nodes = machine_.graph.living_endpoints();
    measured.senders = pattern.pattern.senders();
    measured.cycles = result.window.length();
    measured.is_whole = end == pattern.end;
    measured.delivered = scoreboard_.flits_measured();
    for (PatternGenerator* const generator : pattern_generators_) {
        const GeneratedTraffic generated = generator->generated_before(end);
        measured.generated.messages += generated.messages;
        measured.generated.dropped += generated.dropped;
        measured.generated.flits[0] += generated.flits[0];
        measured.generated.flits[1] += generated.flits[1];
        measured.generated.futile[0] += generated.futile[0];
        measured.generated.futile[1] += generated.futile[1];
        measured.generated.variance += generated.variance;
    }
    if (futile_) {
        measured.forgone = futile_->forgone(end, measured.generated.futile, *result.losses);
    }
    if (steady_) take_steady(result, measured);
    // Before a steady run has looked at it for the first time, nothing was measured, either.
    if (measured.cycles != 0) result.measured = measured;
}

/// Takes the figures of the cycles after the warm-up.
void Assembly::take_steady(SimulationResult& result, MeasuredTraffic& measured) const {
    const SteadyOutcome& outcome = steady_->outcome();
    measured.cycles = outcome.cycles;
    measured.is_whole = false;  // whether it was too much is the outcome's to say
    measured.generated = {};
    const std::optional<FaultsConfig>& faults = machine_.config.faults;
    if (faults && faults->drops_messages) {  // else there is no need to draw everything again
        for (PatternGenerator* const generator : pattern_generators_) {
            measured.generated.dropped +=
                generator->generated_before(outcome.warmup + outcome.cycles).dropped -
                generator->generated_before(outcome.warmup).dropped;
        }
    }
    measured.generated.flits[0] = outcome.generated;
    measured.delivered = {outcome.delivered, 0};
    result.steady = outcome;
    result.latency = steady_->latency();
    result.head_latency = steady_->head_latency();
    if (!result.classes.empty()) result.classes = steady_->classes();
    if (result.replies) {
        result.replies->round_trip = steady_->round_trip();
        result.replies->mean = steady_->mean_round_trip();
    }
    if (options_.by_hops) result.by_hops = steady_->by_hops(machine_.graph);
}

void Assembly::check_ends(SimulationResult& result) const {
    const std::vector<std::string> wrong = wrong_ends(program_run_.get(), scoreboard_);
    result.problems.insert(result.problems.end(), wrong.begin(), wrong.end());
    const ComputationRun* const run = program_run_ ? program_run_->computation() : nullptr;
    if (run == nullptr || !wrong.empty()) return;
    result.computed = describe_results(run->computation());
    result.right_results = run->computation().expected.size();
}

/// Lets the nodes do what follows the last delivery. False if an operation waits for a message that
/// has not come.
bool Assembly::finish_operations(SimulationResult& result, bool all_delivered) {
    bool all_done = true;
    for (const auto& generator : generators_) all_done = generator->finish() && all_done;
    if (!all_delivered || !all_done || operation_generators_.empty()) return all_done;
    const Operations& operations = *machine_.program->operations;
    for (NodeId node = 0; node < operations.nodes(); ++node) {
        const std::uint32_t rank = operations.rank(node);
        if (rank == kNoRank) continue;
        const OperationPlayer& player = operation_generators_[node]->player();
        result.node_operations.push_back({node, rank, player.operations(), player.end()});
    }
    std::sort(result.node_operations.begin(), result.node_operations.end(),
              [](const NodeOperations& a, const NodeOperations& b) { return a.rank < b.rank; });
    return true;
}

/// All has been delivered, and nothing stands still: a rank computes beyond the limit.
void Assembly::explain_late_rank(SimulationResult& result) const {
    const NodeOperations last = *result.last_to_end();
    result.problems.push_back(limit_text(machine_.config));
    result.problems.push_back(
        fmt::format("all messages were delivered, but rank {} (node {}) is busy up to cycle {}",
                    last.rank, last.node, last.end));
    result.node_operations.clear();  // which are those of a trace that has ended
}

/// Whether what has not been delivered never will be, because it was lost, and not because packets
/// wait for each other.
bool Assembly::has_lost(const SimulationResult& result) const {
    return result.losses && (result.losses->has_failed || result.losses->packets_repeated != 0) &&
           fabric_->find_deadlock().empty();
}

/// Nodes that died while the run went on, and had more to do: what they had not sent is neither
/// lost nor discarded.
std::size_t Assembly::unfinished_dead_nodes() const {
    if (machine_.later == nullptr) return 0;
    std::size_t count = 0;
    NodeId node = 0;
    for (const auto& generator : generators_) {  // one of each node, in their order
        if (has_died(node++) && !generator->waiting_for(fabric_->end_cycle()).empty()) ++count;
    }
    return count;
}

bool Assembly::has_died(NodeId node) const {
    const LaterNetwork* const later = machine_.later.get();
    return later != nullptr && later->at < fabric_->end_cycle() && !later->graph.is_alive(node);
}

void Assembly::explain_losses(SimulationResult& result) const {
    const LossCounts& losses = *result.losses;
    std::string text =
        fmt::format("{} of {} messages were not delivered: {} packets were lost under way",
                    result.messages_expected - result.messages_delivered, result.messages_expected,
                    losses.packets_lost);
    if (losses.packets_repeated != 0) {  // so that some of the lost ones may have arrived
        text += fmt::format(" (packets were sent again {} times)", losses.packets_repeated);
    }
    text += fmt::format(", {} discarded at their source", losses.packets_discarded);
    if (const std::size_t died = unfinished_dead_nodes(); died != 0) {
        text += died == 1 ? ", and 1 node died before it was done"
                          : fmt::format(", and {} nodes died before they were done", died);
    }
    result.problems.push_back(std::move(text));
    explain_standstill(result);
}

/// A sentence: where a packet of a wait cycle is, and what it waits for.
std::string Assembly::describe(const WaitingPacket& w) const {
    const Message& message = w.message;
    const bool has_steps = machine_.program && machine_.program->has_steps();
    const std::string step = has_steps ? fmt::format(", step {}", message.step + 1) : "";
    const std::string at =
        w.is_at_node ? fmt::format("first in the queue of replies of node {}", message.source)
                     : fmt::format("at the end of {}", channel_name(machine_.graph, w.at));
    const char* const why = w.granted || w.is_at_node ? ", which has no credit"
                            : w.node_is_full          ? ", whose node is full of requests"
                                                      : ", which the next one holds";
    return fmt::format("message {} (node {} to node {}{}) {} {} {}{}",
                       scoreboard_.number(message.id), message.source, message.destination, step,
                       at, w.granted ? "holds" : "waits for", channel_name(machine_.graph, w.wants),
                       why);
}

void Assembly::explain_standstill(SimulationResult& result) const {
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

std::string channel_name(const Graph& graph, ChannelId channel) {
    return ChannelMap(graph).name(channel);
}

}  // namespace flitscope
