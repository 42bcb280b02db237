// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/packet_delays.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/topology/channel_map.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/delay_recorder.h"
#include "testbench/app/explain/explained_fabric.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {

double Occupancy::mean_packets() const {
    const Cycle cycles = std::max<Cycle>(window.length(), 1);
    return static_cast<double>(packet_cycles) / static_cast<double>(cycles);
}

CauseCycles PacketDelay::by_cause() const {
    CauseCycles cycles{};
    for (const PacketPart& part : parts)
        cycles[static_cast<std::size_t>(part.cause)] += part.cycles;
    return cycles;
}

std::vector<RouterStalls> PacketDelays::routers(const Graph& graph) const {
    const ChannelMap map(graph);
    std::vector<RouterStalls> ranked(graph.router_count());
    for (RouterId router; router < graph.router_count(); ++router) ranked[router].router = router;
    for (const ChannelDelays& of : channels) {
        if (map.is_injection(of.channel)) continue;
        RouterStalls& stalls =
            ranked[map.is_link(of.channel) ? graph.link(map.link_of(of.channel)).from
                                           : map.router(of.channel)];
        stalls.waited += of.waited;
        for (std::size_t i = 0; i < kCauses; ++i) stalls.by_cause[i] += of.by_cause[i];
    }
    for (RouterStalls& stalls : ranked) {
        for (const Cause used : {Cause::kTraversal, Cause::kSerialization}) {
            stalls.by_cause[static_cast<std::size_t>(used)] = 0;
        }
    }
    ranked.erase(std::remove_if(ranked.begin(), ranked.end(),
                                [](const RouterStalls& stalls) { return stalls.waited == 0; }),
                 ranked.end());
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.waited > b.waited; });
    return ranked;
}

namespace {

/// Reports sends to two observers.
class BothSends final : public SendObserver {
public:
    BothSends(SendObserver& first, SendObserver& second) : first_(first), second_(second) {}
    void on_send(const Message& message, Cycle begin) override {
        first_.on_send(message, begin);
        second_.on_send(message, begin);
    }

private:
    SendObserver& first_;
    SendObserver& second_;
};

SimulationResult recorded(const Machine& machine, const std::string& engine,
                          SimulationOptions options, DelayRecorder& recorder) {
    require_explained_fabric(machine.config, "explain");
    ChannelObservers channels;
    channels.add(&recorder);
    channels.add(options.channels);
    PacketObservers packets;
    packets.add(&recorder);
    packets.add(options.packets);
    std::optional<BothSends> sends;
    if (options.sends != nullptr) sends.emplace(recorder, *options.sends);
    options.channels = channels.get();
    options.packets = &packets;
    options.sends = sends ? static_cast<SendObserver*>(&*sends) : &recorder;
    const FreshKernel kernel;
    return simulate(machine, engine, options);
}

/// Explains a pattern whose measurement is found during the run.
ExplainedTraffic explain_steady(const Machine& machine, const std::string& engine,
                                const SimulationOptions& options, std::size_t kept_bytes) {
    ExplainedTraffic explained;
    DelayRecorder recorder(machine, std::nullopt, kept_bytes);
    explained.run = recorded(machine, engine, options, recorder);
    if (!explained.run.steady) return explained;
    const SteadyOutcome& measured = *explained.run.steady;
    const DelayWindow window{{measured.warmup, measured.warmup + measured.cycles}, true};
    const Cycle simulated = explained.run.simulated_cycles;
    if (auto delays = recorder.take(simulated, window)) {
        explained.delays = *std::move(delays);
        return explained;
    }
    if (explained.run.verdict == Verdict::kInterrupted) return explained;
    // Too many packets to be kept until the window was known. Now it is.
    DelayRecorder knows(machine, window);
    SimulationOptions unobserved = options;  // its observers have seen the run
    unobserved.channels = nullptr;
    unobserved.packets = nullptr;
    unobserved.sends = nullptr;
    const SimulationResult run = recorded(machine, engine, unobserved, knows);
    if (run.verdict == Verdict::kInterrupted) {
        explained.run = run;
    } else {
        explained.delays = knows.take(simulated);
    }
    return explained;
}

}  // namespace

ExplainedTraffic explain_traffic(const Machine& machine, const std::string& engine,
                                 const SimulationOptions& options, std::size_t kept_bytes) {
    if (machine.config.fabric.switches_circuits()) {
        throw ConfigError(machine.config.where("fabric.switching"),
                          "messages on circuits have no packets whose delays could be broken down",
                          "explain another switching, or a program");
    }
    if (machine.config.steady) return explain_steady(machine, engine, options, kept_bytes);
    ExplainedTraffic explained;
    DelayRecorder recorder(
        machine, DelayWindow{{machine.pattern->measured_from, machine.pattern->end}, false});
    explained.run = recorded(machine, engine, options, recorder);
    // A run in which everything has been delivered would continue with empty cycles.
    const bool is_complete = explained.run.verdict == Verdict::kComplete;
    const Cycle simulated = explained.run.simulated_cycles;
    explained.delays =
        recorder.take(is_complete ? std::max(simulated, machine.pattern->end) : simulated);
    return explained;
}

}  // namespace flitscope
