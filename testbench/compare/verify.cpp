// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/compare/verify.h"

#include <fmt/format.h>

#include <utility>

#include "models/tlm/engine/fabric.h"
#include "testbench/compare/cosim.h"
#include "testbench/run/fresh_kernel.h"

namespace flitscope {
namespace {

std::vector<VerifiedEngine> engines_for(const Machine& machine) {
    std::vector<VerifiedEngine> engines(1);
    engines[0].name = "cycle";
    if (machine.config.fabric.has_rtl_routers()) {
        engines.emplace_back();
        engines.back().name = "systemc";
    }
    engines.emplace_back();
    engines.back().name = "tlm";
    if (const std::optional<Diagnostic> obstacle = tlm_obstacle(machine.config, *machine.routing)) {
        if (engines.size() == 2) {
            std::string remedy = "set fabric.switch_arbitration: hold";
            if (machine.routing->path_choice() == PathChoice::kAdaptive) {
                remedy = "use a routing that is not adaptive";
            }
            if (machine.config.fabric.switching != Switching::kWormhole) {
                remedy = "set fabric.switching: wormhole";
            }
            if (machine.config.node.has_channels_per_link()) {
                remedy = "set node.port_model: single";
            }
            throw ConfigError(obstacle->where,
                              "nothing to compare the cycle engine with: " + obstacle->what,
                              remedy);
        }
        engines.back().left_out = obstacle->where.str() + ": " + obstacle->what;
    }
    return engines;
}

class Verifier {
public:
    Verifier(const Machine& machine, const VerifyOptions& options)
        : machine_(machine), options_(options), engines_(engines_for(machine)) {
        for (const VerifiedEngine& engine : engines_) runs_ += engine.left_out.empty() ? 1 : 0;
    }

    VerifyResult run() {
        VerifyResult verified;
        verified.channels = ChannelMap(machine_.graph).count();
        std::optional<RunRecord> reference;
        for (VerifiedEngine& engine : engines_) {
            if (!engine.left_out.empty()) continue;
            RunRecord record = run(engine);
            ++done_;
            verified.interrupted = record.verdict == Verdict::kInterrupted;
            if (verified.interrupted) break;
            if (!reference) {
                verified.packets = record.packets.size();
                verified.busy_intervals = record.busy_intervals();
                reference = std::move(record);
                continue;
            }
            verified.difference = first_difference(*reference, record, machine_.graph);
            if (!verified.difference) continue;
            verified.different_engine = engine.name;
            break;
        }
        verified.engines = std::move(engines_);
        return verified;
    }

private:
    RunRecord run(VerifiedEngine& engine) {
        const FreshKernel kernel;
        ChannelRecorder channels(ChannelMap(machine_.graph).count(),
                                 machine_.config.fabric.virtual_channels);
        PacketRecorder packets;
        const auto bytes = [&] { return kept_bytes_ + channels.bytes() + packets.bytes(); };
        SimulationOptions simulation;
        simulation.channels = &channels;
        simulation.packets = &packets;
        simulation.search_deadlocks = false;
        simulation.on_progress = [&](Progress progress) {
            progress.fraction = (done_ + progress.fraction) / runs_;
            return bytes() <= options_.most_bytes &&
                   (!options_.on_progress || options_.on_progress(progress));
        };
        const bool systemc = engine.name == "systemc";
        engine.result = systemc ? simulate(all_systemc(machine_), "cycle", simulation)
                                : simulate(machine_, engine.name, simulation);
        if (bytes() > options_.most_bytes) {
            throw ConfigError({machine_.config.source, 0, 0},
                              fmt::format("the packets and busy intervals of the runs need more "
                                          "than {:.1f} GiB",
                                          static_cast<double>(options_.most_bytes) / (1 << 30)),
                              "verify fewer cycles: limits.max_cycles, traffic.measure_cycles");
        }
        kept_bytes_ = bytes();
        return make_run_record(engine.result, packets, &channels);
    }

    const Machine& machine_;
    const VerifyOptions& options_;
    std::vector<VerifiedEngine> engines_;
    int runs_ = 0;
    int done_ = 0;
    std::uint64_t kept_bytes_ = 0;  // of the runs before
};

}  // namespace

VerifyResult verify(const Machine& machine, const VerifyOptions& options) {
    return Verifier(machine, options).run();
}

}  // namespace flitscope
