// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/packet_delays.h"

#include <algorithm>

#include "models/base/diagnostics.h"
#include "testbench/explain/delay_recorder.h"
#include "testbench/run/assembly.h"
#include "testbench/run/fresh_kernel.h"

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

ExplainedTraffic explain_traffic(const Machine& machine, const std::string& engine,
                                 SimulationOptions options) {
    if (machine.config.fabric.switches_circuits()) {
        throw ConfigError(
            machine.config.where("fabric.switching"),
            "the messages of circuits are no packets whose delays could be told apart",
            "explain another switching, or a program");
    }
    ExplainedTraffic explained;
    std::optional<DelayWindow> window;
    if (!machine.config.steady) {
        window = {{machine.pattern->measured_from, machine.pattern->end}, false};
    }
    DelayRecorder recorder(machine, window);
    ChannelObservers channels;
    channels.add(&recorder);
    channels.add(options.channels);
    PacketObservers packets;
    packets.add(&recorder);
    packets.add(options.packets);
    options.channels = channels.get();
    options.packets = &packets;
    options.sends = &recorder;
    const FreshKernel kernel;
    explained.run = simulate(machine, engine, options);
    const Cycle simulated = explained.run.simulated_cycles;
    if (window) {
        explained.delays = recorder.take(simulated);
    } else if (explained.run.verdict == Verdict::kComplete) {
        const SteadyOutcome& measured = *explained.run.steady;
        explained.delays =
            recorder.take(simulated, {{measured.warmup, measured.warmup + measured.cycles}, true});
    }
    return explained;
}

}  // namespace flitscope
