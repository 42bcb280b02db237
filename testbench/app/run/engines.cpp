// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/run/engines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/circuit/circuit_fabric.h"
#include "hw/packet/fabric.h"
#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_routers.h"
#include "models/fabric/channel_timing.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/run/planes_fabric.h"
#include "tlm/engine/fabric.h"
#include "tlm/engine/limitations.h"

namespace flitscope {
namespace {

/// The cycle engine refuses only RTL routers that are impossible.
std::optional<Refusal> cycle_refusal(const Machine& machine) {
    if (hw::rtl_router_count(machine.config, machine.graph) == 0) return std::nullopt;
    auto refusal = hw::verilated_refusal(machine.config, machine.graph, *machine.routing);
    if (refusal) refusal->remedies.insert(refusal->remedies.begin(), hw::kInsteadOfRtl);
    return refusal;
}

const std::vector<Limitation>& no_limitations() {
    static const std::vector<Limitation> kNone;
    return kNone;
}

std::unique_ptr<Fabric> create_cycle_fabric(const Machine& machine,
                                            const hw::FabricOptions& options) {
    const char* const name = "fabric";
    if (machine.config.fabric.switches_circuits()) {
        return std::make_unique<hw::CircuitFabric>(name, machine.config, machine.graph,
                                                   *machine.routing, options);
    }
    hw::FabricOptions with_later = options;
    with_later.later = machine.later.get();
    return std::make_unique<hw::CycleFabric>(name, machine.config, machine.graph, *machine.routing,
                                             with_later);
}

std::optional<Refusal> tlm_refusal(const Machine& machine) {
    return first_refusal(tlm_limitations(), machine.config, machine.graph, *machine.routing);
}

/// The mean over all packets of the traffic; nothing if there are none.
std::optional<double> flits_per_packet(const Machine& machine) {
    const PacketFormat format = machine.config.packet_format();
    if (machine.program != nullptr) {
        std::uint64_t flits = 0;
        std::uint64_t packets = 0;
        const Transfers& transfers = machine.program->transfers;
        for (MessageId id = 0; id < transfers.representatives(); ++id) {
            flits += format.message_flits(transfers.bytes(id));
            packets += format.packets(transfers.bytes(id));
        }
        if (packets == 0) return std::nullopt;
        return static_cast<double>(flits) / static_cast<double>(packets);
    }
    if (machine.pattern == nullptr) return std::nullopt;
    const MessageLengths& lengths = machine.pattern->lengths;
    double flits = lengths.mean_flits();
    double packets = lengths.mean(
        [&format](const MessageLength& length) { return format.packets(length.bytes); });
    if (const std::optional<Replies>& replies = machine.pattern->replies) {
        flits += static_cast<double>(replies->flits());
        packets += format.packets(replies->bytes());
    }
    return flits / packets;
}

/// The flits per packet from which bursts gain something. With 2 flits TLM took 1.0 to 1.3 times
/// as long as the flits themselves, with 3 0.9 to 1.2, with 4 0.8 to 1.05, with 6 0.7 to 0.95
/// (exchanges and uniform traffic on 8 x 8 and 16 x 16 meshes, links loaded by 0.05 to 0.3). With
/// several virtual channels 3 flits took 0.95 to 1.55 times as long, 4 0.8 to 1.25, 5 0.75 to 1.3;
/// under adaptive routings 4 flits 1.0 to 1.5, 8 0.85 to 1.1, 12 0.8 to 0.95 (uniform, 16 x 16,
/// 0.1 flits per node and cycle).
double fewest_flits(const Machine& machine) {
    if (machine.routing->path_choice() == PathChoice::kAdaptive) return 10;
    return machine.config.fabric.virtual_channels > 1 ? 5 : 3;
}

std::string length_text(double flits) {
    const std::string number = fmt::format("{:.3g}", flits);
    return fmt::format("packets have {} flit{}", number, number == "1" ? "" : "s");
}

/// Bursts are faster if packets are long enough, and buffers let worms stream.
Appraisal appraise_tlm(const Machine& machine) {
    const std::uint32_t needed =
        ChannelTimings(machine.config.fabric).streaming_depth(machine.graph);
    const std::uint32_t depth = machine.config.fabric.buffer_depth;
    // Register slices return as many places as they take cycles (hw/TIMING.md, "Valid and ready").
    const char* const rule = machine.config.fabric.has_valid_ready_links() ? "" : "c + d = ";
    const bool whole_packets = machine.config.fabric.has_packet_flow_control();
    if (depth < needed && !whole_packets) {
        return {false, fmt::format("fabric.buffer_depth {} < {}{}: worms stop every few flits, and "
                                   "the TLM engine gains nothing",
                                   depth, rule, needed)};
    }
    if (machine.graph.has_slow_links()) {
        return {false,
                "links of a rate below 1 take flits one by one, and bursts gain little there"};
    }
    const std::optional<double> flits = flits_per_packet(machine);
    if (flits && *flits < fewest_flits(machine)) {
        return {false, fmt::format("{}: bursts this short are no faster on the TLM engine",
                                   length_text(*flits))};
    }
    if (whole_packets) {
        return {true, fmt::format("exact, and packets do not stop on a link (fabric.switching: {})",
                                  name_of(machine.config.fabric.switching))};
    }
    return {true, fmt::format("exact, and worms stream: fabric.buffer_depth {} >= {}{}", depth,
                              rule, needed)};
}

std::unique_ptr<Fabric> create_tlm_fabric(const Machine& machine,
                                          const hw::FabricOptions& options) {
    return std::make_unique<TlmFabric>("fabric", machine.config, machine.graph, *machine.routing,
                                       options.channels, options.packets);
}

constexpr std::uint32_t kCyclePollInterval = 1 << 8;
constexpr std::uint32_t kTlmPollInterval = 1 << 6;  // few cycles, each with more to do

/// Another engine that takes the machine, as a way out for the user.
std::vector<std::string> other_engines(const Machine& machine, const Engine& refused,
                                       const std::string& choose) {
    for (const Engine& engine : engines()) {
        if (&engine != &refused && !engine.refusal(machine)) {
            return {choose + engine.name};
        }
    }
    return {};
}

EngineChoice choose_freely(const Machine& machine) {
    std::string reason;
    for (const Engine& engine : engines()) {
        if (engine.appraise == nullptr) continue;
        const std::optional<Refusal> refusal = engine.refusal(machine);
        Appraisal appraisal;
        if (refusal) {
            appraisal.reason = refusal->reason;
        } else {
            appraisal = engine.appraise(machine);
        }
        if (appraisal.gains) return {&engine, appraisal.reason};
        if (reason.empty()) reason = appraisal.reason;
    }
    return {&reference_engine(), reason};
}

}  // namespace

const std::vector<Engine>& engines() {
    static const std::vector<Engine> kEngines = {
        {"cycle", "cycle-accurate SystemC routers, links and interfaces", no_limitations,
         cycle_refusal, nullptr, create_cycle_fabric, kCyclePollInterval},
        {"tlm", "TLM-2.0, worms in bursts; cycle-exact, or rejected", tlm_limitations, tlm_refusal,
         appraise_tlm, create_tlm_fabric, kTlmPollInterval},
    };
    return kEngines;
}

const Engine& reference_engine() { return engines().front(); }

const Engine* find_engine(const std::string& name) {
    const auto found = std::find_if(engines().begin(), engines().end(),
                                    [&name](const Engine& engine) { return engine.name == name; });
    return found == engines().end() ? nullptr : &*found;
}

std::unique_ptr<Fabric> create_fabric(const Engine& engine, const Machine& machine,
                                      const hw::FabricOptions& options) {
    if (machine.config.fabric.planes == 1) return engine.create(machine, options);
    return std::make_unique<PlanesFabric>(
        "fabric", ChannelMap(machine.graph), machine.config.clock_ns, options,
        [&](const hw::FabricOptions& of_plane) { return engine.create(machine, of_plane); });
}

std::vector<std::string> engine_requests() {
    std::vector<std::string> names;
    for (const Engine& engine : engines()) names.push_back(engine.name);
    names.emplace_back(kAutoEngine);
    return names;
}

EngineChoice choose_engine(const Machine& machine, const std::string& requested,
                           const EngineWords& words) {
    if (requested == kAutoEngine) return choose_freely(machine);
    const Engine* const engine = find_engine(requested);
    if (engine == nullptr) {
        throw ConfigError({words.place, 0, 0}, words.unknown,
                          fmt::format("choose one of {}", fmt::join(engine_requests(), ", ")));
    }
    if (const auto refusal = engine->refusal(machine)) {
        throw ConfigError(
            {refusal->diagnostic(machine.config, other_engines(machine, *engine, words.choose))});
    }
    return {engine, {}};
}

EngineChoice choose_engine(const Machine& machine, const std::string& requested) {
    return choose_engine(machine, requested,
                         {"--engine " + requested, "there is no such engine", "use --engine "});
}

}  // namespace flitscope
