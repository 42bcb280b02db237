// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/simulation_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/config/faults_config.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/endpoints.h"
#include "traffic/endpoints/round_trips.h"

namespace flitscope {
namespace {

/// The cycle of the next search for packets that wait for each other while the rest of the network
/// advances: after kSearchInterval, in a long run after an eighth of it, so that the searches of a
/// run of any length cost little. All engines search in the same cycles.
Cycle next_search(Cycle now) {
    return now + std::max(kSearchInterval, now / 8 / kSearchInterval * kSearchInterval);
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

SimulationInstance::SimulationInstance(const Machine& machine, const Engine& engine,
                                       const SimulationOptions& options)
    : machine_(machine),
      engine_(engine),
      options_(options),
      map_(machine.graph),
      scoreboard_(
          scoreboard_config(machine.config, machine.graph, *machine.routing, machine.pattern.get()),
          machine.program ? &*machine.program : nullptr),
      step_clock_(machine.program ? machine.program->step_count() : 0) {
    packet_observers_.add(&scoreboard_);
    if (machine.program) packet_observers_.add(&step_clock_);
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
            machine.program
                ? MessageNumbers(machine.program->numbers, machine.program->handshake_steps)
                : MessageNumbers();
        trace_ = open_run_trace(options.trace_path, machine.config, machine.graph,
                                options.path_causes, numbers);
    }
    channel_observers_.add(trace_.get());
    if (options.count_blocked) {
        holding_.emplace(map_.count());
        channel_observers_.add(&*holding_);
    }
    if (options.count_sendings) {
        const FabricConfig& fabric = machine.config.fabric;
        sendings_.emplace(map_.count(), fabric.class_count(), fabric.channels_per_class());
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
        fabric_ = create_fabric(engine, machine, fabric_options());
        create_generators();
    } catch (...) {
        discard_trace();
        throw;
    }
    if (machine.pattern != nullptr) {
        window_.emplace(map_.count(), machine.pattern->measured_from, machine.pattern->end);
    }
}

void SimulationInstance::discard_trace() {
    if (trace_ != nullptr) trace_->discard();
}

hw::FabricOptions SimulationInstance::fabric_options() {
    hw::FabricOptions options;
    options.channels = channel_observers_.get();
    options.packets = packet_observers_.get();
    if (trace_ && !machine_.config.trace.rtl_nodes.empty()) {
        options.inner_signals = trace_->inner_signals();
    }
    options.scan_order = options_.scan_order;
    options.threads = options_.threads;
    options.parts = options_.parts;
    options.runs_ahead = options_.runs_ahead;
    return options;
}

SimulationInstance::~SimulationInstance() = default;

void SimulationInstance::start() {
    RunControl control;
    control.limit = std::min(machine_.config.limits.max_cycles, options_.useful_cycles);
    control.owns_kernel = options_.runs_ahead;
    if (options_.search_deadlocks) next_search_ = next_search(0);
    control.first_inspection = next_inspection();
    control.inspect = [this](Cycle now) { return inspect(now); };
    // A cycle of many routers takes long: the first progress should be seen within a second.
    constexpr std::uint32_t kMostRouterCycles = 1U << 18;
    control.poll_interval = std::clamp(
        kMostRouterCycles / std::max(machine_.graph.router_count(), 1U), 1U, engine_.poll_interval);
    if (options_.on_progress) {
        control.keep_going = [this](Cycle now) { return options_.on_progress(progress(now)); };
    }
    fabric_->start(control);
}

Cycle SimulationInstance::next_inspection() const {
    const Cycle measured =
        std::min(window_ ? window_->next() : kNever, steady_ ? steady_->next() : kNever);
    return std::min(next_search_, measured);
}

Cycle SimulationInstance::inspect(Cycle now) {
    if (window_) window_->inspect(*fabric_, now);
    if (steady_ && steady_->inspect(now)) return RunControl::kStop;
    if (now >= next_search_) {
        next_search_ = next_search(now);
        deadlock_ = !fabric_->find_deadlock().empty();
        if (deadlock_) return RunControl::kStop;
    }
    return next_inspection();
}

SimulationResult SimulationInstance::finish() {
    SimulationResult result;
    result.engine = engine_.name;
    result.rtl_routers = fabric_->rtl_routers();
    result.parts = fabric_->parts();
    const RunEnd end = fabric_->finish();
    // However few cycles had any activity, the observer sees the end.
    result.simulated_cycles = simulated_cycles();
    if (options_.on_progress) options_.on_progress(progress(result.simulated_cycles));
    collect(result);
    judge(result, end);  // nodes also do what follows the last delivery
    if (trace_ != nullptr) {
        if (options_.path) trace_->mark_path(options_.path(result.simulated_cycles));
        trace_->finish(result.simulated_cycles);
    }
    measure(result);
    return result;
}

void SimulationInstance::create_generators() {
    const Graph& graph = machine_.graph;
    if (machine_.program) {
        if (trace_ != nullptr && machine_.program->operations != nullptr) {
            operation_observers_.add(&rank_spans_.emplace(*machine_.program->operations, *trace_));
        }
        operation_observers_.add(options_.operations);
        program_run_ = make_program_run(*machine_.program, machine_.config, options_.program,
                                        operation_observers_.get());
    }
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        const std::string name = graph.node_name("generator", node);
        if (machine_.program) {
            generators_.push_back(make_program_generator(name, node, *program_run_));
            auto* const operations = dynamic_cast<OperationGenerator*>(generators_.back().get());
            if (operations != nullptr) operation_generators_.push_back(operations);
        } else {
            auto generator =
                std::make_unique<PatternGenerator>(name.c_str(), machine_.pattern, node);
            if (steady_) steady_->add_source(generator->source());
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

Progress SimulationInstance::progress(Cycle now) const {
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

std::optional<LatencyPrecision> SimulationInstance::latency_precision() const {
    const statistics::Estimate& latency = steady_->outcome().latency;
    // A narrow interval that is not sound says nothing.
    if (!latency.is_sound || latency.mean <= 0) return std::nullopt;
    return LatencyPrecision{latency.relative_half_width(), machine_.config.steady->half_width};
}

/// All messages of a program, and those of a pattern that have been handed over.
std::uint64_t SimulationInstance::messages_expected() const {
    if (machine_.program) return machine_.program->transfers.size();
    std::uint64_t messages = 0;
    for (const auto& g : generators_) messages += g->messages_begun();
    return messages;
}

/// Up to the limit, a router may wait for a credit that is on its way, or a node for the end of a
/// time in which it would send again. That does not count as work if all has been delivered.
Cycle SimulationInstance::simulated_cycles() const {
    const Cycle end = fabric_->end_cycle();
    const Cycle moves = fabric_->cycles_of_moves();
    if (moves == end || steady_) return end;
    if (machine_.pattern != nullptr && end < machine_.pattern->end) return end;
    const bool is_done = scoreboard_.messages_delivered() == messages_expected() &&
                         (fabric_->losses() == nullptr || fabric_->broken_invariants(true).empty());
    return is_done ? moves : end;
}

void SimulationInstance::collect(SimulationResult& result) {
    result.cycles = scoreboard_.makespan();
    result.messages_delivered = scoreboard_.messages_delivered();
    result.bytes_delivered = scoreboard_.bytes_delivered();
    result.flits_delivered = scoreboard_.flits_delivered();
    if (const LossCounts* const losses = fabric_->losses()) result.losses = *losses;
    result.latency = scoreboard_.latency();
    result.head_latency = scoreboard_.head_latency();
    result.network_latency = scoreboard_.network_latency();
    result.classes = scoreboard_.classes();
    if (const RoundTrips* const trips = scoreboard_.round_trips()) {
        result.replies =
            ExchangeResult{trips->requests(), trips->replies(), scoreboard_.round_trip(), {}};
    }
    result.step_times = step_clock_.take(result.simulated_cycles);
    result.messages_expected = messages_expected();
    std::uint64_t busiest = 0;
    for (ChannelId channel = 0; channel < map_.count(); ++channel) {
        result.channel_flits.push_back(fabric_->flits_sent(channel));
        const std::uint64_t flits = result.channel_flits.back();
        if (flits != 0) busiest = std::max(busiest, (flits - 1) * map_.rate_cycles(channel) + 1);
        if (map_.is_link(channel)) result.flit_hops += flits;
        if (holding_) {
            result.blocked_cycles.push_back(holding_->blocked_cycles(
                channel, result.channel_flits.back(), result.simulated_cycles));
        }
    }
    if (sendings_) {
        sendings_->end(result.simulated_cycles);
        result.sendings = sendings_->counts();
        for (std::size_t k = 0; sendings_->classes() > 1 && k < sendings_->classes(); ++k) {
            result.class_sendings.push_back(sendings_->counts_of(k));
        }
    }
    if (message_log_) result.messages = message_log_->take();
    // A channel sends at most one flit per cycle, a slow link fewer: that is all one can say of
    // traffic drawn at random.
    result.lower_bound_cycles = machine_.program ? machine_.bounds.max() : busiest;
}

/// Sets the window that utilisation refers to; the verdict is known.
void SimulationInstance::measure(SimulationResult& result) {
    result.window = {0, result.active_cycles()};
    result.window_flits = result.channel_flits;
    if (machine_.pattern == nullptr) return;
    const PatternTraffic& pattern = *machine_.pattern;
    // A run in which everything has been delivered would continue with empty cycles.
    const bool complete = result.verdict == Verdict::kComplete;
    const Cycle end =
        complete && !steady_ ? pattern.end : std::min(pattern.end, result.simulated_cycles);
    if (!steady_ && end <= pattern.measured_from) return;  // nothing was measured
    result.window = {pattern.measured_from, end};
    result.window_flits = window_->flits(*fabric_);
    MeasuredTraffic measured;
    measured.nodes = machine_.graph.working_node_count();
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
void SimulationInstance::take_steady(SimulationResult& result, MeasuredTraffic& measured) const {
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
    result.network_latency = steady_->network_latency();
    result.mean_network_latency = steady_->mean_network_latency();
    if (!result.classes.empty()) result.classes = steady_->classes();
    if (result.replies) {
        result.replies->round_trip = steady_->round_trip();
        result.replies->mean = steady_->mean_round_trip();
    }
    if (options_.by_hops) result.by_hops = steady_->by_hops(machine_.graph);
}

std::string channel_name(const Graph& graph, ChannelId channel) {
    return ChannelMap(graph).name(channel);
}

}  // namespace flitscope
