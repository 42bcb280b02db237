// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/compare/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "hw/verilated/rtl_limitations.h"
#include "models/base/stopwatch.h"
#include "models/topology/graph.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/cosim.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/engines.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation_instance.h"

namespace flitscope {
namespace {

constexpr std::size_t kMostDifferences = 10;

std::string text_of(const PacketRecord& packet) {
    return fmt::format("message {} packet {}, of node {} for node {},", packet.message.id,
                       packet.index, packet.message.source, packet.message.destination);
}

bool comes_before(const PacketRecord& a, const PacketRecord& b) {
    return std::tie(a.message.id, a.index) < std::tie(b.message.id, b.index);
}

/// Which messages a pattern generates, or when it ends, would follow from latencies.
void require_open_loop(const Config& config) {
    const auto refuse = [&config](const char* key, const char* remedy) {
        throw ConfigError(config.where(key),
                          "routers of other latencies then send other messages, and no deliveries "
                          "are compared",
                          remedy);
    };
    if (config.steady) refuse("steady", "--set steady=none measures for traffic.measure_cycles");
    if (config.traffic.outstanding != 0) refuse("traffic.outstanding", "leave it out");
    if (config.node.retransmit) refuse("node.retransmit", "leave it out");
}

void add_difference(std::vector<std::string>& differences, std::string text) {
    if (differences.size() < kMostDifferences) differences.push_back(std::move(text));
}

void compare_packet(const PacketRecord& systemc, const PacketRecord& rtl,
                    std::vector<std::string>& differences) {
    if (systemc.flits != rtl.flits) {
        add_difference(differences, fmt::format("{} has {} flits, with SystemC routers {}",
                                                text_of(rtl), rtl.flits, systemc.flits));
    }
    if (rtl.corrupt_flits != 0) {
        add_difference(differences,
                       fmt::format("{} has {} wrong flits", text_of(rtl), rtl.corrupt_flits));
    }
}

/// In the order of arrival, the packets of a queue have to be in that of their injection.
void check_order(std::vector<PacketRecord> packets, std::vector<std::string>& differences) {
    std::sort(packets.begin(), packets.end(),
              [](const auto& a, const auto& b) { return a.tail_delivered < b.tail_delivered; });
    std::map<std::tuple<NodeId, NodeId, MessageClass>, const PacketRecord*> last;
    for (const PacketRecord& packet : packets) {
        const Message& message = packet.message;
        const PacketRecord*& before =
            last[{message.source, message.destination, message.message_class}];
        if (before != nullptr && packet.sequence < before->sequence) {
            add_difference(differences,
                           fmt::format("{} is delivered in cycle {}, after {} which was sent later",
                                       text_of(packet), packet.tail_delivered, text_of(*before)));
        }
        before = &packet;
    }
}

void compare_routes(const Graph& graph, DeliveryResult& result) {
    for (ChannelId link = 0; link < graph.link_count(); ++link) {
        const std::uint64_t systemc = result.systemc.channel_flits[link];
        const std::uint64_t rtl = result.rtl.channel_flits[link];
        if (systemc == rtl) continue;
        add_difference(result.differences, fmt::format("{} took {} flits, with SystemC routers {}",
                                                       channel_name(graph, link), rtl, systemc));
    }
}

}  // namespace

std::vector<std::string> packet_differences(const std::vector<PacketRecord>& systemc,
                                            const std::vector<PacketRecord>& rtl, bool is_ordered) {
    std::vector<std::string> differences;
    auto a = systemc.begin();
    auto b = rtl.begin();
    while (a != systemc.end() || b != rtl.end()) {
        if (b == rtl.end() || (a != systemc.end() && comes_before(*a, *b))) {
            add_difference(differences, fmt::format("{} is not delivered", text_of(*a++)));
        } else if (a == systemc.end() || comes_before(*b, *a)) {
            add_difference(differences, fmt::format("{} is delivered, and not with SystemC routers",
                                                    text_of(*b++)));
        } else {
            compare_packet(*a++, *b++, differences);
        }
    }
    if (is_ordered) check_order(rtl, differences);
    return differences;
}

DeliveryResult compare_delivery(const Machine& machine,
                                const std::function<bool(const Progress&)>& on_progress) {
    require_cosim(machine);
    require_open_loop(machine.config);
    const Stopwatch watch;
    DeliveryResult result;
    const auto run = [&](const Machine& side, PacketRecorder& packets) {
        SimulationOptions options;
        options.packets = &packets;
        options.on_progress = on_progress;
        const FreshKernel kernel;
        return simulate(side, reference_engine().name, options);
    };
    PacketRecorder systemc;
    PacketRecorder rtl;
    result.systemc = run(all_systemc(machine), systemc);
    if (result.systemc.verdict == Verdict::kComplete) result.rtl = run(machine, rtl);
    result.wall_seconds = watch.seconds();
    if (result.decisive().verdict != Verdict::kComplete) return result;
    result.is_ordered = machine.config.fabric.channels_per_class() == 1;
    result.differences = packet_differences(systemc.sorted(), rtl.sorted(), result.is_ordered);
    compare_routes(machine.graph, result);
    for (const PacketRecord& packet : rtl.sorted()) {
        ++result.packets;
        result.flits += packet.flits;
    }
    return result;
}

}  // namespace flitscope
