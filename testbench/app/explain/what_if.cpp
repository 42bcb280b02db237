// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/explain/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/diagnostics.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/synthesis/synthesized_schedules.h"

namespace flitscope {
namespace {

/// A change that a configuration allows for, and the causes that it is a remedy for.
struct Remedy {
    std::string change;
    std::string meaning;
    std::vector<Cause> causes;
};

/// Flits of the longest packet.
std::uint64_t longest_packet(const Machine& machine) {
    std::uint64_t flits = 1;
    for (const Transfer& transfer : machine.program->transfers) {
        flits = std::max(flits, machine.config.packet_format().flits(transfer.bytes, 0));
    }
    return flits;
}

/// Cycles of the slowest link.
std::uint32_t longest_wire(const Machine& machine) {
    std::uint32_t delay = 1;
    for (LinkId id = 0; id < machine.graph.link_count(); ++id) {
        delay = std::max(delay, machine.graph.link(id).delay);
    }
    return delay;
}

std::vector<Remedy> remedies(const Machine& machine) {
    const Config& config = machine.config;
    const FabricConfig& fabric = config.fabric;
    std::vector<Remedy> list;
    const auto offer = [&](bool is_change, std::string change, std::string meaning,
                           std::vector<Cause> causes) {
        if (is_change) list.push_back({std::move(change), std::move(meaning), std::move(causes)});
    };
    const bool has_packets = !fabric.switches_circuits();
    const std::uint64_t wanted = 4 * longest_packet(machine);
    const std::uint64_t room = std::min<std::uint64_t>(wanted, hw::kMaxVerilatedDepth);
    offer(has_packets && fabric.buffer_depth < room, fmt::format("fabric.buffer_depth={}", room),
          room == wanted ? "buffers for four of the longest packets"
                         : "the deepest buffers that an RTL router has",
          {Cause::kCreditStall});
    offer(has_packets, fmt::format("fabric.virtual_channels={}", 2 * fabric.virtual_channels),
          "twice as many virtual channels",
          {Cause::kVcBusy, Cause::kHeadOfLine, Cause::kSwitchStall});
    offer(true, fmt::format("fabric.flit_bits={}", 2 * config.fabric.flit_bits),
          "links twice as wide",
          {Cause::kSerialization, Cause::kVcBusy, Cause::kCreditStall, Cause::kSwitchStall,
           Cause::kSourceQueue, Cause::kHeadOfLine, Cause::kStore});
    offer(has_packets && fabric.virtual_channels > 1,
          fmt::format("fabric.switch_arbitration={}",
                      fabric.switch_arbitration == SwitchArbitration::kPerPacket ? "round_robin"
                                                                                 : "per_packet"),
          "the other arbitration", {Cause::kSwitchStall});
    offer(fabric.stores_packets(), "fabric.switching=virtual_cut_through",
          "packets forwarded as they arrive", {Cause::kStore});
    offer(has_packets && fabric.router_delay > 1, "fabric.router_delay=1", "routers of one cycle",
          {Cause::kTraversal});
    const LinkDelayConfig& delays = fabric.link_delay;
    // Otherwise the delays are those of the graph's file.
    const bool sets_delays = delays.model != LinkDelayModel::kConstant || delays.cycles != 1;
    offer(sets_delays && longest_wire(machine) > 1, "fabric.link_delay=1", "wires of one cycle",
          {Cause::kTraversal});
    offer(!has_packets && fabric.setup_delay > 1, "fabric.setup_delay=1",
          "a set-up of one cycle per link", {Cause::kSetUp});
    offer(config.node.send_overhead != 0, "node.send_overhead=0", "no startup of a send",
          {Cause::kStartup});
    offer(config.node.recv_overhead != 0, "node.recv_overhead=0", "no cost of receiving",
          {Cause::kReceive});
    offer(config.node.assembles(), "node.injection_bandwidth=1", "nodes as fast as their channels",
          {Cause::kAssembly, Cause::kSourceQueue});
    offer(machine.program->barrier_cycles.value_or(0) != 0,
          "traffic.barrier={per_doubling: 0, fixed: 0}", "a barrier that costs nothing",
          {Cause::kBarrier});
    offer(!config.traffic.schedule.empty() && config.traffic.compute_cycles > 1,
          fmt::format("traffic.compute_cycles={}", config.traffic.compute_cycles / 2),
          "half the computation of a kernel", {Cause::kCompute});
    // The trace is read once more for it.
    constexpr std::size_t kMostOperations = std::size_t{1} << 17;
    const Operations* const operations = machine.program->operations.get();
    offer(
        !config.traffic.trace.file.empty() && operations != nullptr &&
            operations->size() <= kMostOperations,
        fmt::format("traffic.trace.compute_scale={:.12g}", config.traffic.trace.compute_scale / 2),
        "half the computation of a trace", {Cause::kCompute});
    const std::string& schedule = config.traffic.schedule;
    if (schedule == synthesized_schedule().name) return list;  // its algorithms are collectives
    const std::string runs = config.traffic.algorithm.empty()
                                 ? default_algorithm(schedule, machine.graph.whole())
                                 : config.traffic.algorithm;
    for (const std::string& algorithm : algorithms_of(schedule)) {
        offer(algorithm != runs, "traffic.algorithm=" + algorithm, "another order of the messages",
              {Cause::kVcBusy, Cause::kHeadOfLine, Cause::kCreditStall, Cause::kSourceQueue});
    }
    return list;
}

}  // namespace

std::vector<WhatIf> what_if(const Machine& machine, const Explanation& explanation,
                            const ChangeMachine& change_machine, std::size_t tried,
                            const TriedChange& try_change) {
    std::vector<WhatIf> candidates;
    for (const Remedy& remedy : remedies(machine)) {
        WhatIf one{remedy.change, remedy.meaning, 0, {}, {}, {}};
        for (const Cause cause : remedy.causes) {
            one.on_path += cycles_of(explanation.by_cause, cause);
        }
        if (one.on_path != 0) candidates.push_back(std::move(one));
    }
    std::vector<WhatIf> list;
    for (WhatIf& one : candidates) {
        try {
            const ChangedMachine changed = change_machine(one.change);
            one.unsynthesized = changed.unsynthesized;
            if (changed.machine) {
                const Cycle cycles = explanation.path.cycles;
                one.most = cycles - std::min(changed.machine->bounds.max(), cycles);
            }
        } catch (const ConfigError&) {
            continue;
        }
        list.push_back(std::move(one));
    }
    // Entries without a bound come last: an empty optional is less than any other.
    std::stable_sort(list.begin(), list.end(), [](const WhatIf& a, const WhatIf& b) {
        return std::tie(a.most, a.on_path) > std::tie(b.most, b.on_path);
    });
    for (WhatIf& one : list) {
        if (tried == 0 || !one.most) break;
        --tried;
        // Built anew: all of them at once may be too large.
        one.measured = try_change(*change_machine(one.change).machine);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const WhatIf& a, const WhatIf& b) { return a.measured > b.measured; });
    return list;
}

}  // namespace flitscope
