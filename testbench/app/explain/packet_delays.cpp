// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/packet_delays.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/fabric/planes.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/explain/delay_recorder.h"
#include "testbench/app/run/fresh_kernel.h"

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

namespace {

SimulationResult recorded(const Machine& machine, const std::string& engine,
                          SimulationOptions options, DelayRecorder& recorder) {
    require_one_plane(machine.config, "explain");
    options.channels = &recorder;
    options.packets = &recorder;
    options.sends = &recorder;
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
    const SimulationResult run = recorded(machine, engine, options, knows);
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
