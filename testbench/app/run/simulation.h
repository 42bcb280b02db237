// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One simulation from start to verdict: builds the fabric, binds generators, scoreboard and
// observers, runs, and judges the outcome.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/common/wakeup_wheel.h"
#include "models/base/latency.h"
#include "models/fabric/fabric.h"
#include "models/fabric/loss_counts.h"
#include "models/fabric/observers.h"
#include "testbench/app/measure/steady/steady_measurement.h"
#include "testbench/app/measure/steady/steady_state.h"
#include "testbench/app/run/channel_sendings.h"
#include "testbench/app/run/message_log.h"
#include "traffic/endpoints/program_observer.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/patterns/measured_traffic.h"
#include "traffic/program/operation_observer.h"
#include "waveforms/run_trace.h"

namespace flitscope {

struct Machine;

enum class Verdict : std::uint8_t {
    kComplete,     ///< every message delivered, every check passed
    kFailed,       ///< a message was lost, doubled or damaged, or an invariant is broken
    kDeadlock,     ///< messages wait for each other, or for something that never comes
    kTimeout,      ///< limits.max_cycles reached, by the network or by what ranks do after it
    kInterrupted,  ///< stopped by the user
};

/// The word for a verdict in JSON and text: complete, failed, deadlock, timeout, interrupted.
const char* name_of(Verdict verdict);

/// The precision of the mean latency of a run with `steady` at the last check.
struct LatencyPrecision {
    double half_width = 0;  ///< half width of its interval, as a share of the mean
    double wanted = 0;      ///< steady.half_width
};

/// The progress of a run.
struct Progress {
    Cycle cycle = 0;
    std::uint64_t messages_delivered = 0;
    std::uint64_t messages_expected = 0;  ///< 0: unknown (patterns)
    /// Estimate of the work done, 0 to 1. None with `steady`: such a run ends when its mean has
    /// converged.
    std::optional<double> fraction;
    std::optional<LatencyPrecision> precision;  ///< none without `steady`, and until it is known
};

struct SimulationOptions {
    std::string trace_path;  ///< in a format of waveforms/formats.h; empty: no trace
    /// The causes along a path that the trace marks; empty: none.
    std::vector<PathCause> path_causes;
    /// Returns that path once the run is over, given its number of cycles; called if there are
    /// causes.
    std::function<std::vector<PathMark>(Cycle)> path;
    bool count_blocked = false;   ///< fill SimulationResult::blocked_cycles
    bool log_messages = false;    ///< fill SimulationResult::messages
    bool count_sendings = false;  ///< fill SimulationResult::sendings
    /// Called every now and then and at the end; false stops the run. May be empty.
    std::function<bool(const Progress&)> on_progress;
    /// Leave the SystemC modules standing until the process ends. SystemC searches its lists for
    /// every module that is destroyed; with a hundred thousand modules that takes minutes.
    bool keep_modules = false;
    /// Stop when packets wait for each other, although others advance. All engines search in the
    /// same cycles (kSearchInterval); without it a run ends when nothing can happen any more.
    bool search_deadlocks = true;
    bool by_hops = false;  ///< fill SimulationResult::by_hops
    /// Ends the run as limits.max_cycles does, but only while messages are under way, whenever
    /// ranks are done. kNever: no further limit.
    Cycle useful_cycles = kNever;
    hw::ScanOrder scan_order = hw::ScanOrder::kAscending;
    /// Must be false if the fabric is looked at in every cycle (hw::FabricOptions::runs_ahead).
    bool runs_ahead = true;
    /// The most threads that simulate the fabric of the cycle engine, and its parts
    /// (hw::FabricOptions).
    std::uint32_t threads = 1;
    std::vector<std::uint32_t> parts;
    // Further observers.
    ChannelObserver* channels = nullptr;
    PacketObserver* packets = nullptr;
    SendObserver* sends = nullptr;
    ProgramObserver* program = nullptr;       ///< of a program of steps, or with times
    OperationObserver* operations = nullptr;  ///< of one with operations
};

/// The record of a step in a run.
struct StepTime {
    Cycle start = kNever;     ///< in which its first send began
    Cycle end = 0;            ///< cycle of the last delivery so far + 1
    std::uint64_t flits = 0;  ///< delivered; the step is over when they are all of its flits
};

/// The cycles `from` .. `until` - 1.
struct CycleWindow {
    Cycle from = 0;
    Cycle until = 0;
    Cycle length() const { return until - from; }
};

/// Statistics of the requests and replies of a pattern with replies.
struct ExchangeResult {
    std::uint64_t requests_delivered = 0;
    std::uint64_t replies_delivered = 0;
    LatencyStatistics round_trip;  ///< start of a request to delivery of its reply, as measured
    /// For a pattern with `steady`: the mean of `round_trip` by batch means.
    std::optional<statistics::Estimate> mean;
};

/// The operations that a node has done, and when.
struct NodeOperations {
    NodeId node = 0;
    std::uint32_t rank = 0;
    std::uint64_t operations = 0;
    Cycle end = 0;  ///< from this cycle on all of them have completed
    // What it did until then, as RankTimes counts: these sum up to `end`.
    Cycle computing = 0;
    Cycle sending = 0;
    Cycle receiving = 0;
    Cycle waiting = 0;
};

struct SimulationResult {
    Verdict verdict = Verdict::kComplete;
    std::string engine;
    std::string engine_reason;      ///< why this one, when it was not asked for by name
    std::uint32_t rtl_routers = 0;  ///< verilated ones among the routers
    std::uint32_t parts = 1;        ///< parts of the fabric, for several threads
    Cycle cycles = 0;               ///< makespan: cycle of the last delivery + 1
    Cycle simulated_cycles = 0;     ///< cycles until the simulation ended
    /// The makespan, or of an unfinished run the cycles simulated.
    Cycle span() const { return verdict == Verdict::kComplete ? cycles : simulated_cycles; }
    /// The cycles in which channels may have sent: span(), but copies of packets that have arrived
    /// continue after the makespan.
    Cycle active_cycles() const { return losses ? simulated_cycles : span(); }
    /// The rank of a completed trace or kernel that ends last; if several, the first. Null if no
    /// operations are known.
    const NodeOperations* last_to_end() const {
        const auto last = std::max_element(
            node_operations.begin(), node_operations.end(),
            [](const NodeOperations& a, const NodeOperations& b) { return a.end < b.end; });
        return last == node_operations.end() ? nullptr : &*last;
    }
    /// Cycle in which it ends; 0 if there is none.
    Cycle ranks_end() const { return last_to_end() == nullptr ? 0 : last_to_end()->end; }
    std::uint64_t messages_expected = 0;
    std::uint64_t messages_delivered = 0;
    std::uint64_t bytes_delivered = 0;  ///< payload of these
    std::uint64_t bits_delivered() const { return 8 * bytes_delivered; }
    std::uint64_t flits_delivered = 0;
    std::optional<LossCounts> losses;  ///< if packets can be lost or retransmitted
    std::uint64_t flit_hops = 0;
    std::vector<std::uint64_t> channel_flits;  ///< per ChannelId
    /// Per ChannelId: cycles in which packets held it and it sent nothing; if asked for.
    std::vector<std::uint64_t> blocked_cycles;
    std::vector<MessageLife> messages;  ///< by number; if requested
    /// Per ChannelId: counts of packets and sendings; if asked for.
    std::vector<ChannelSendings::Counts> sendings;
    /// Per message class the same, if there are several.
    std::vector<std::vector<ChannelSendings::Counts>> class_sendings;
    /// The cycles that utilisation refers to: the measurement of a pattern as far as it was
    /// simulated, else active_cycles().
    CycleWindow window;
    std::vector<std::uint64_t> window_flits;  ///< per ChannelId, sent within
    std::optional<MeasuredTraffic> measured;  ///< for a pattern
    std::optional<SteadyOutcome> steady;      ///< for a pattern with `steady`
    Cycle lower_bound_cycles = 0;
    LatencyStatistics latency;
    LatencyStatistics head_latency;
    LatencyStatistics network_latency;  ///< from the injection of the first head
    /// For a pattern with `steady`: its mean by batch means.
    std::optional<statistics::Estimate> mean_network_latency;
    std::vector<ClassTraffic> classes;      ///< by message class; if there are several
    std::optional<ExchangeResult> replies;  ///< for a pattern with replies
    std::vector<HopStatistics> by_hops;  ///< `latency`, for a pattern with `steady`, if requested
    std::vector<StepTime> step_times;    ///< per step number
    /// Operations of each rank, for a program of operations that has ended; else empty.
    std::vector<NodeOperations> node_operations;
    std::string computed;               ///< the results of the nodes, if correct
    std::uint64_t correct_results = 0;  ///< values that were compared with direct computation
    /// a sentence each: failed checks, or which packet waits for which
    std::vector<std::string> problems;
    double elaboration_seconds = 0;
    double wall_seconds = 0;  ///< of the simulation itself
};

/// Throws ConfigError, before anything is written, for what the machine asks for and cannot have:
/// keys of `trace` that name what is not there, whether a waveform is wanted or not, and RTL
/// routers that cannot be (hw::RtlRouters).
void require_runnable(const Machine& machine);

/// `engine` is one of engine_requests(). Needs a SystemC kernel in which nothing has been
/// elaborated yet. Throws ConfigError for what can only be found out now (an engine that cannot run
/// the machine, a trace that cannot be written).
SimulationResult simulate(const Machine& machine, const std::string& engine,
                          const SimulationOptions& options);

}  // namespace flitscope
