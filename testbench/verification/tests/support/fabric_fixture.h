// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machines and programs for tests of whole fabrics, run with everything recorded.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/packet/fabric.h"
#include "models/base/types.h"
#include "models/config/config.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/run_record.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/inspections.h"
#include "tlm/engine/fabric.h"

namespace flitscope {

inline Program steps(NodeId nodes, std::vector<Transfer> transfers) {
    Program program;
    program.name = "by hand";
    program.nodes = nodes;
    program.transfers = std::move(transfers);
    return program;
}

inline Machine make_machine(const Config& config, Graph graph, std::unique_ptr<Routing> routing,
                            Program program) {
    return {config,
            std::move(graph),
            std::move(routing),
            {},
            std::make_shared<const Program>(std::move(program)),
            {},
            {}};
}

inline RunEnd run_to_rest(Fabric& fabric, const RunControl& control = {}) {
    fabric.start(control);
    sc_core::sc_start();
    return fabric.finish();
}

/// That of an engine, without observers.
inline std::unique_ptr<Fabric> make_fabric(const std::string& engine, const Config& config,
                                           const Graph& graph, const Routing& routing) {
    if (engine == "tlm") return std::make_unique<TlmFabric>("fabric", config, graph, routing);
    return std::make_unique<hw::CycleFabric>("fabric", config, graph, routing, hw::FabricOptions{});
}

/// Runs to the end, searching for wait cycles in every cycle: none may be found, and no invariant
/// broken. Returns the number of cycles.
inline std::size_t cycles_without_deadlock(Fabric& fabric) {
    std::size_t checks = 0;
    const RunControl control = inspected_every(1, [&](Cycle) {
        ++checks;
        return fabric.find_deadlock().empty() && fabric.broken_invariants(false).empty();
    });
    EXPECT_EQ(run_to_rest(fabric, control), RunEnd::kIdle);
    EXPECT_TRUE(fabric.find_deadlock().empty());
    EXPECT_THAT(fabric.broken_invariants(true), testing::IsEmpty());
    return checks;
}

struct Outcome {
    SimulationResult result;
    std::vector<PacketRecord> packets;
    std::vector<std::vector<std::pair<Cycle, Cycle>>> busy;
};

inline Outcome run(const Machine& machine, hw::ScanOrder order = hw::ScanOrder::kAscending,
                   bool observed = true) {
    const FreshKernel kernel;
    const ChannelId count = ChannelMap(machine.graph).count();
    ChannelRecorder channels(count, machine.config.fabric.virtual_channels);
    PacketRecorder packets;
    SimulationOptions options;
    options.scan_order = order;
    options.packets = &packets;
    if (observed) options.channels = &channels;
    Outcome outcome{simulate(machine, "cycle", options), packets.sorted(), {}};
    if (!observed) return outcome;
    for (const std::vector<SendInterval>& intervals :
         channels.take(outcome.result.simulated_cycles)) {
        outcome.busy.emplace_back();
        for (const SendInterval& i : intervals) {
            outcome.busy.back().emplace_back(i.first, i.last_plus_one);
        }
    }
    return outcome;
}

inline auto times(const std::vector<PacketRecord>& packets) {
    std::vector<std::tuple<MessageId, std::uint32_t, Cycle, Cycle, Cycle, Cycle>> all;
    for (const PacketRecord& p : packets) {
        all.emplace_back(p.message.id, p.index, p.head_injected, p.tail_injected, p.head_delivered,
                         p.tail_delivered);
    }
    return all;
}

/// Everybody sends to anybody, half of it to node 0, all at once.
inline Program hot_traffic(NodeId nodes, std::size_t messages, std::uint64_t seed,
                           std::uint64_t max_bytes = 80) {
    std::mt19937_64 random(seed);
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    while (program.transfers.size() < messages) {
        Transfer t{static_cast<NodeId>(random() % nodes),
                   random() % 2 == 0 ? 0 : static_cast<NodeId>(random() % nodes),
                   random() % max_bytes};
        t.time = random() % 20;
        if (t.source != t.destination) program.transfers.push_back(t);
    }
    return program;
}

/// A difference from the golden model in either scan order, or nothing.
inline std::string difference_from_golden(const Machine& machine, std::uint64_t least_hops,
                                          const std::string& engine = "cycle") {
    CompareCounts counts;
    for (const hw::ScanOrder order : {hw::ScanOrder::kAscending, hw::ScanOrder::kDescending}) {
        std::string text = compare_machine_with_golden(machine, {engine, order, true}, counts);
        if (!text.empty()) return text;
    }
    return counts.flit_hops >= 2 * least_hops ? "" : "too little traffic";
}

/// One message for every pair of nodes, `gap` cycles apart, so that each meets an empty network.
inline Program lonely_messages(NodeId nodes, std::uint64_t bytes, Cycle gap = 1000) {
    Program program = steps(nodes, {});
    program.ordering = Ordering::kTimed;
    for (NodeId a = 0; a < nodes; ++a) {
        for (NodeId b = 0; b < nodes; ++b) {
            Transfer t{a, b, bytes};
            t.time = gap * program.transfers.size();
            program.transfers.push_back(t);
        }
    }
    return program;
}

/// Router 0 in the middle; its neighbours are spread evenly over its ports, the last one included.
inline Graph star(std::uint32_t routers, PortId ports) {
    Graph graph("custom", {routers}, ports);
    for (RouterId leaf(1); leaf < routers; ++leaf) {
        Link link;
        link.from_port = 1 + (leaf - 1) * (ports - 2) / (routers - 2);
        link.to = leaf;
        link.to_port = 1;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

}  // namespace flitscope
