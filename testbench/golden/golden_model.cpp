// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle loop of the golden model: decide everything from the state at the start of the cycle,
// then apply it.
#include "testbench/golden/golden_model.h"

#include <algorithm>
#include <stdexcept>

#include "testbench/golden/golden_network.h"
#include "testbench/golden/golden_nodes.h"

namespace flitscope {
namespace {

void check_program(const Graph& graph, const Program& program) {
    bool fits = program.nodes == graph.node_count();
    for (const Transfer& transfer : program.transfers) {
        fits = fits && transfer.source < program.nodes && transfer.destination < program.nodes;
        for (const MessageId awaited : transfer.after) {
            fits = fits && awaited < program.transfers.size();
        }
    }
    if (!fits) throw std::invalid_argument("golden model: the program does not fit the graph");
}

}  // namespace

GoldenResult run_golden(const Config& config, const Graph& graph, const Routing& routing,
                        const Program& program, Cycle max_cycles) {
    check_program(graph, program);
    GoldenPackets packets(config, program);
    GoldenNetwork network(config, graph, routing, packets.all);
    GoldenProgram node_programs(config, program, packets);
    GoldenInterfaces interfaces(config, graph, packets);

    std::size_t delivered = 0;
    for (Cycle now = 0; now < max_cycles && delivered < packets.all.size(); ++now) {
        for (const MessageId message : node_programs.begin_sends(now)) {
            interfaces.begin_send(message, now);
        }
        network.decide(now);
        interfaces.decide(network, now);
        delivered += network.apply(now);
        interfaces.apply(network, now);
    }

    GoldenResult result;
    result.completed = delivered == packets.all.size();
    for (const GoldenPacketState& packet : packets.all) {
        result.packets.push_back(packet.record);
        const Cycle end = packet.record.tail_delivered;
        if (end != kNever) result.makespan = std::max(result.makespan, end + 1);
    }
    for (ChannelId channel = 0; channel < ChannelMap(graph).count(); ++channel) {
        result.busy.push_back(network.busy(channel));
        result.flits_sent.push_back(network.flits_sent(channel));
    }
    return result;
}

}  // namespace flitscope
