// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A fabric with everything that is bound to it: generators, scoreboard, observers, waveform.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/base/module_list.h"
#include "testbench/app/measure/steady/steady_measurement.h"
#include "testbench/app/run/channel_holding.h"
#include "testbench/app/run/channel_sendings.h"
#include "testbench/app/run/channel_window.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/futile_traffic.h"
#include "testbench/app/run/message_log.h"
#include "testbench/app/run/rank_spans.h"
#include "testbench/app/run/simulation.h"
#include "traffic/endpoints/generator.h"
#include "traffic/endpoints/scoreboard.h"
#include "traffic/program/operation_observer.h"
#include "waveforms/run_trace.h"

namespace flitscope {

struct Machine;

/// Notes when each step began and ended.
class StepClock final : public PacketObserver, public SendObserver {
public:
    explicit StepClock(StepId steps) : times_(steps) {}
    void on_send(const Message& message, Cycle begin) override;
    void on_packet(const PacketRecord& packet) override;
    /// Sends that would have begun in cycle `end` of the run or later have not.
    std::vector<StepTime> take(Cycle end);

private:
    std::vector<StepTime> times_;
};

class PacketObservers final : public PacketObserver {
public:
    void add(PacketObserver* observer) {
        if (observer != nullptr) observers_.push_back(observer);
    }
    /// The observer to hand to a fabric: null if there is none, the observer itself if there is
    /// one.
    PacketObserver* get() {
        if (observers_.empty()) return nullptr;
        return observers_.size() == 1 ? observers_.front() : this;
    }
    void on_packet(const PacketRecord& packet) override {
        for (PacketObserver* o : observers_) o->on_packet(packet);
    }

private:
    std::vector<PacketObserver*> observers_;
};

class OperationObservers final : public OperationObserver {
public:
    void add(OperationObserver* observer) {
        if (observer != nullptr) observers_.push_back(observer);
    }
    /// Null if there is none.
    OperationObserver* get() { return observers_.empty() ? nullptr : this; }
    void on_hand_over(MessageId message, Cycle begin) override {
        for (OperationObserver* o : observers_) o->on_hand_over(message, begin);
    }
    void on_event(NodeId node, const OperationEvent& event) override {
        for (OperationObserver* o : observers_) o->on_event(node, event);
    }

private:
    std::vector<OperationObserver*> observers_;
};

class ChannelObservers final : public ChannelObserver {
public:
    void add(ChannelObserver* observer) {
        if (observer != nullptr) observers_.push_back(observer);
    }
    /// The observer to hand to a fabric: null if there is none, the observer itself if there is
    /// one.
    ChannelObserver* get() {
        if (observers_.empty()) return nullptr;
        return observers_.size() == 1 ? observers_.front() : this;
    }
    void on_grant(ChannelId channel, std::uint32_t vc, const Message& m, Cycle cycle) override {
        for (ChannelObserver* o : observers_) o->on_grant(channel, vc, m, cycle);
    }
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        for (ChannelObserver* o : observers_) {
            o->on_send_begin(channel, vc, popped, popped_vc, cycle);
        }
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        for (ChannelObserver* o : observers_) o->on_send_end(channel, vc, cycle);
    }
    void on_release(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        for (ChannelObserver* o : observers_) o->on_release(channel, vc, cycle);
    }
    void on_cut(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        for (ChannelObserver* o : observers_) o->on_cut(channel, vc, cycle);
    }
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle visible, Cycle cycle) override {
        for (ChannelObserver* o : observers_) o->on_loss(channel, vc, visible, cycle);
    }

private:
    std::vector<ChannelObserver*> observers_;
};

class SimulationInstance {
public:
    /// `machine`, which `engine` does not refuse, must outlive it. Several can live in one SystemC
    /// kernel, each within its own module.
    SimulationInstance(const Machine& machine, const Engine& engine,
                       const SimulationOptions& options);
    ~SimulationInstance();
    SimulationInstance(const SimulationInstance&) = delete;
    SimulationInstance& operator=(const SimulationInstance&) = delete;

    Fabric& fabric() { return *fabric_; }

    /// Call before sc_start(): sets up limits, progress and the search for deadlocks.
    void start();
    /// Call after sc_start(): returns the outcome, without the wall-clock times that the caller
    /// measures.
    SimulationResult finish();
    /// Call instead of finish() when a run is given up: removes its waveform.
    void discard_trace();

private:
    hw::FabricOptions fabric_options();
    void create_generators();
    /// The next cycle that inspect() is to see.
    Cycle next_inspection() const;
    Cycle inspect(Cycle now);
    Progress progress(Cycle now) const;
    std::optional<LatencyPrecision> latency_precision() const;
    void collect(SimulationResult& result);
    std::uint64_t messages_expected() const;
    Cycle simulated_cycles() const;  // after the simulation
    void judge(SimulationResult& result, RunEnd end);
    void measure(SimulationResult& result);
    void take_steady(SimulationResult& result, MeasuredTraffic& measured) const;
    void check_ends(SimulationResult& result) const;
    bool finish_operations(SimulationResult& result, bool all_delivered);
    void explain_late_rank(SimulationResult& result) const;
    bool has_lost(const SimulationResult& result) const;
    bool has_died(NodeId node) const;
    std::size_t unfinished_dead_nodes() const;
    void explain_losses(SimulationResult& result) const;
    std::string describe(const WaitingPacket& packet) const;
    void explain_standstill(SimulationResult& result) const;

    const Machine& machine_;
    const Engine& engine_;
    SimulationOptions options_;
    ChannelMap map_;
    Scoreboard scoreboard_;
    StepClock step_clock_;
    PacketObservers packet_observers_;
    ChannelObservers channel_observers_;
    std::unique_ptr<RunTrace> trace_;
    std::optional<ChannelHolding> holding_;
    std::optional<ChannelSendings> sendings_;
    std::optional<MessageLog> message_log_;
    std::vector<SendObserver*> send_observers_;
    std::vector<std::unique_ptr<WatchedPort>> watched_ports_;
    std::unique_ptr<Fabric> fabric_;
    std::optional<RankSpans> rank_spans_;  // of a program of operations, with a trace
    OperationObservers operation_observers_;
    std::unique_ptr<ProgramRun> program_run_;
    ModuleList<std::unique_ptr<Generator>> generators_;
    std::vector<PatternGenerator*> pattern_generators_;      // among them
    std::vector<OperationGenerator*> operation_generators_;  // the same, by node
    std::optional<ChannelWindow> window_;                    // window of the measurement
    std::optional<SteadyMeasurement> steady_;
    std::optional<FutileTraffic> futile_;  // if nodes or links fail while a pattern is played
    bool deadlock_ = false;
    Cycle next_search_ = kNever;  // for packets that wait for each other
};

/// A channel as reports call it (ChannelMap::name).
std::string channel_name(const Graph& graph, ChannelId channel);

}  // namespace flitscope
