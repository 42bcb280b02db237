// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/compare/verify.h"

#include <fmt/format.h>

#include <utility>

#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"

namespace flitscope {
namespace {

/// A description of the hardware that runs: an engine, with the requested routers or with SystemC
/// ones instead of RTL ones.
struct Contender {
    VerifiedEngine verified;
    const Engine* engine = nullptr;
    bool replaces_rtl = false;
    bool runs_ahead = true;  ///< ahead of the clock
    bool is_watched = true;  ///< its channels are looked at
    /// Not a separate engine, but how the reference runs elsewhere.
    bool is_variant = false;
};

/// The reference first. Throws ConfigError, at the key, if nothing is left to compare it with.
std::vector<Contender> contenders_for(const Machine& machine) {
    std::vector<Contender> contenders;
    const auto add = [&contenders](const std::string& name, const Engine& engine, bool replaces) {
        contenders.push_back({{name, {}, {}}, &engine, replaces});
    };
    const Engine& reference = reference_engine();
    add(reference.name, reference, false);
    contenders.front().runs_ahead = false;
    if (machine.config.fabric.has_rtl_routers()) add("systemc", reference, true);
    std::optional<Refusal> refused;
    std::size_t running = contenders.size();
    for (const Engine& engine : engines()) {
        if (&engine == &reference) continue;
        add(engine.name, engine, false);
        const std::optional<Refusal> refusal = engine.refusal(machine);
        if (!refusal) {
            ++running;
            continue;
        }
        if (!refused) refused = refusal;
        contenders.back().verified.left_out =
            machine.config.where(refusal->key).str() + ": " + refusal->reason;
    }
    if (running == 1 && refused) {
        refused->reason = fmt::format("nothing to compare the {} engine with: {}", reference.name,
                                      refused->reason);
        throw ConfigError({refused->diagnostic(machine.config)});
    }
    if (!machine.config.fabric.has_rtl_routers()) {
        const std::string name = fmt::format("{}, ahead of the clock", reference.name);
        for (const bool is_watched : {false, true}) {
            contenders.insert(contenders.begin() + 1,
                              {{name, {}, {}}, &reference, false, true, is_watched, true});
        }
    }
    return contenders;
}

class Verifier {
public:
    Verifier(const Machine& machine, const VerifyOptions& options)
        : machine_(machine), options_(options), contenders_(contenders_for(machine)) {
        for (const Contender& c : contenders_) runs_ += c.verified.left_out.empty() ? 1 : 0;
    }

    VerifyResult run() {
        VerifyResult verified;
        verified.channels = ChannelMap(machine_.graph).count();
        std::optional<RunRecord> reference;
        for (Contender& contender : contenders_) {
            if (!contender.verified.left_out.empty()) continue;
            RunRecord record = run(contender);
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
            verified.different_engine = contender.verified.name;
            break;
        }
        for (Contender& c : contenders_) {
            if (!c.is_variant) verified.engines.push_back(std::move(c.verified));
        }
        return verified;
    }

private:
    RunRecord run(Contender& contender) {
        const FreshKernel kernel;
        ChannelRecorder channels(ChannelMap(machine_.graph).count(),
                                 machine_.config.fabric.virtual_channels);
        PacketRecorder packets;
        const auto bytes = [&] { return kept_bytes_ + channels.bytes() + packets.bytes(); };
        SimulationOptions simulation;
        simulation.runs_ahead = contender.runs_ahead;
        if (contender.is_watched) simulation.channels = &channels;
        simulation.packets = &packets;
        simulation.search_deadlocks = false;
        simulation.on_progress = [&](Progress progress) {
            if (progress.fraction) progress.fraction = (done_ + *progress.fraction) / runs_;
            return bytes() <= options_.most_bytes &&
                   (!options_.on_progress || options_.on_progress(progress));
        };
        SimulationResult& result = contender.verified.result;
        result = simulate(contender.replaces_rtl ? all_systemc(machine_) : machine_,
                          contender.engine->name, simulation);
        if (bytes() > options_.most_bytes) {
            throw ConfigError({machine_.config.source, 0, 0},
                              fmt::format("the packets and busy intervals of the runs need more "
                                          "than {:.1f} GiB",
                                          static_cast<double>(options_.most_bytes) / (1 << 30)),
                              "verify fewer cycles: limits.max_cycles, traffic.measure_cycles");
        }
        if (done_ == 0) kept_bytes_ = bytes();
        return make_run_record(result, packets, contender.is_watched ? &channels : nullptr);
    }

    const Machine& machine_;
    const VerifyOptions& options_;
    std::vector<Contender> contenders_;
    int runs_ = 0;
    int done_ = 0;
    std::uint64_t kept_bytes_ = 0;  // size of the reference record
};

}  // namespace

VerifyResult verify(const Machine& machine, const VerifyOptions& options) {
    return Verifier(machine, options).run();
}

}  // namespace flitscope
