// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/golden/compare.h"

#include <fmt/format.h>

#include <memory>

#include "models/routing/routing_factory.h"
#include "testbench/golden/golden_model.h"
#include "testbench/run/fresh_kernel.h"
#include "testbench/run/simulation.h"
#include "testbench/tests/channel_recorder.h"

namespace flitscope {
namespace {

constexpr Cycle kMaxCycles = 1'000'000;

std::string compare_packets(const GoldenResult& golden, PacketRecorder& recorder) {
    const std::vector<PacketRecord>& packets = recorder.sorted();
    if (packets.size() != golden.packets.size()) {
        return fmt::format("{} packets instead of {}", packets.size(), golden.packets.size());
    }
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const PacketRecord& p = packets[i];
        const GoldenPacket& g = golden.packets[i];
        if (p.message.id != g.message || p.index != g.index || p.begin != g.begin ||
            p.head_injected != g.head_injected || p.tail_injected != g.tail_injected ||
            p.head_delivered != g.head_delivered || p.tail_delivered != g.tail_delivered) {
            return fmt::format(
                "message {} packet {}: begin {} head {}..{} tail {}..{}, golden message {} packet "
                "{}: begin {} head {}..{} tail {}..{}",
                p.message.id, p.index, p.begin, p.head_injected, p.head_delivered, p.tail_injected,
                p.tail_delivered, g.message, g.index, g.begin, g.head_injected, g.head_delivered,
                g.tail_injected, g.tail_delivered);
        }
    }
    return {};
}

std::string compare_intervals(const GoldenResult& golden, const ChannelRecorder& recorder,
                              CompareCounts& counts) {
    for (ChannelId channel = 0; channel < golden.busy.size(); ++channel) {
        const std::vector<BusyInterval> ours = recorder.busy(channel);
        const std::vector<BusyInterval>& theirs = golden.busy[channel];
        for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
            const BusyInterval none{kNever, kNever};
            const BusyInterval a = i < ours.size() ? ours[i] : none;
            const BusyInterval b = i < theirs.size() ? theirs[i] : none;
            if (a.first != b.first || a.last_plus_one != b.last_plus_one) {
                return fmt::format("channel {} is busy in [{}, {}), golden [{}, {})", channel,
                                   a.first, a.last_plus_one, b.first, b.last_plus_one);
            }
        }
        counts.busy_intervals += ours.size();
    }
    return {};
}

}  // namespace

std::string compare_with_golden(const RandomCase& test, hw::ScanOrder order, bool observed,
                                CompareCounts& counts) {
    Machine machine{test.config, random_case_graph(test), {}, {}, {}, {}, {}, {}};
    machine.routing = make_routing(machine.config, machine.graph);
    machine.program = std::make_shared<const Program>(test.program);
    return compare_machine_with_golden(machine, order, observed, counts);
}

std::string compare_machine_with_golden(const Machine& machine, hw::ScanOrder order, bool observed,
                                        CompareCounts& counts) {
    const GoldenResult golden =
        run_golden(machine.config, machine.graph, *machine.routing, *machine.program, kMaxCycles);
    if (!golden.completed) return "the golden model did not complete";

    const FreshKernel kernel;
    ChannelRecorder channels(ChannelMap(machine.graph).count(),
                             machine.config.fabric.virtual_channels);
    PacketRecorder packets;
    SimulationOptions options;
    options.scan_order = order;
    options.packets = &packets;
    if (observed) options.channels = &channels;
    const SimulationResult result = simulate(machine, "cycle", options);

    if (result.verdict != Verdict::kComplete) {
        return result.problems.empty() ? "verdict" : "verdict: " + result.problems.front();
    }
    if (result.cycles != golden.makespan) {
        return fmt::format("makespan {}, golden {}", result.cycles, golden.makespan);
    }
    if (std::string text = compare_packets(golden, packets); !text.empty()) return text;
    for (ChannelId channel = 0; channel < golden.flits_sent.size(); ++channel) {
        if (result.channel_flits[channel] != golden.flits_sent[channel]) {
            return fmt::format("channel {} sent {} flits, golden {}", channel,
                               result.channel_flits[channel], golden.flits_sent[channel]);
        }
    }
    if (observed) {
        std::string text = compare_intervals(golden, channels, counts);
        if (!text.empty()) return text;
    }
    counts.packets += golden.packets.size();
    counts.flit_hops += result.flit_hops;
    return {};
}

}  // namespace flitscope
