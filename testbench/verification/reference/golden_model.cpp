// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The cycle loop of the golden model: decide everything from the state at the start of the cycle,
// then apply it.
#include "testbench/verification/reference/golden_model.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "models/config/config.h"
#include "models/fabric/faulted_network.h"
#include "testbench/verification/reference/golden_circuits.h"
#include "testbench/verification/reference/golden_interfaces.h"
#include "testbench/verification/reference/golden_network.h"
#include "testbench/verification/reference/golden_places.h"
#include "testbench/verification/reference/golden_program.h"

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

/// Plays cycles until every packet is delivered or given up or, if it `goes_on`, all cycles. A
/// witness also sees what operations do after that.
/// `begin_send` and `play` as those of GoldenCircuits.
template <typename BeginSend, typename Play>
bool run_cycles(GoldenProgram& node_programs, std::size_t packets, bool goes_on, Cycle max_cycles,
                GoldenWitness* witness, BeginSend begin_send, Play play) {
    std::size_t done = 0;
    const auto has_more = [&] {
        return goes_on || done < packets ||
               (witness != nullptr && node_programs.has_operations_left());
    };
    for (Cycle now = 0; now < max_cycles && has_more(); ++now) {
        for (const MessageId message : node_programs.begin_sends(now)) begin_send(message, now);
        if (witness != nullptr) {
            witness->cycles.emplace_back();
            node_programs.note(now, witness->cycles.back());
        }
        done += play(now) + node_programs.given_up(now);
    }
    return done == packets;
}

/// One of the networks between the same nodes, and its interfaces.
struct Plane {
    GoldenNetwork network;
    GoldenInterfaces interfaces;

    std::size_t play(Cycle now, GoldenWitness* witness, const FaultedNetwork* later,
                     LossCounts& losses) {
        if (later != nullptr && now == later->at) {
            interfaces.find_dead(*later);
            losses.flits_lost = network.change(*later, now);
            interfaces.cut_off();
        }
        network.decide(now);
        interfaces.decide(network, now);
        if (witness != nullptr) {
            network.note(now, witness->cycles.back());
            interfaces.note(network, now, *witness);
        }
        const std::size_t delivered = network.apply(now);
        interfaces.apply(network, now);
        return delivered;
    }
};

template <typename Network>
void note_channels(const Graph& graph, const Network& network, GoldenResult& result) {
    for (ChannelId channel = 0; channel < ChannelMap::of_one_plane(graph).count(); ++channel) {
        result.busy.push_back(network.busy(channel));
        result.flits_sent.push_back(network.flits_sent(channel));
    }
}

}  // namespace

GoldenResult run_golden(const Config& config, const Graph& graph, const Routing& routing,
                        const Program& program, Cycle max_cycles, GoldenWitness* witness,
                        const FaultedNetwork* later) {
    check_program(graph, program);
    GoldenPackets packets(config, program);
    const std::size_t count = packets.all.size();  // copies come after these
    const bool goes_on = later != nullptr || config.node.retransmit;
    GoldenProgram node_programs(config, program, packets);
    const GoldenPlaces places(config.fabric.topology, graph);

    if (witness != nullptr) witness->starts.resize(packets.first.size() - 1);
    GoldenResult result;
    // Planes do not meet; each decides its cycle without the others.
    if (config.fabric.switches_circuits()) {
        std::deque<GoldenCircuits> planes;
        for (std::uint32_t p = 0; p < config.fabric.planes; ++p) {
            planes.emplace_back(config, graph, places, routing, packets);
        }
        result.completed = run_cycles(
            node_programs, count, goes_on, max_cycles, witness,
            [&](MessageId message, Cycle now) {
                planes[packets.plane(message)].begin_send(message, now);
            },
            [&](Cycle now) {
                std::size_t delivered = 0;
                for (GoldenCircuits& plane : planes) delivered += plane.play(now, witness);
                return delivered;
            });
        for (const GoldenCircuits& plane : planes) note_channels(graph, plane, result);
    } else {
        std::deque<Plane> planes;
        for (std::uint32_t p = 0; p < config.fabric.planes; ++p) {
            planes.push_back({{config, graph, places, routing, packets.all},
                              {config, graph, routing, program, packets, result.losses}});
        }
        result.completed = run_cycles(
            node_programs, count, goes_on, max_cycles, witness,
            [&](MessageId message, Cycle now) {
                planes[packets.plane(message)].interfaces.begin_send(message, now);
            },
            [&](Cycle now) {
                std::size_t delivered = 0;
                for (Plane& plane : planes) {
                    delivered += plane.play(now, witness, later, result.losses);
                }
                return delivered;
            });
        for (const Plane& plane : planes) note_channels(graph, plane.network, result);
    }
    if (witness != nullptr) witness->operations = node_programs.operations();
    for (const GoldenPacketState& packet : packets.all) {
        const bool is_copy = result.packets.size() >= count;
        if (packet.is_lost) ++result.losses.packets_lost;
        const bool has_arrived = packet.record.tail_delivered != kNever;
        const GoldenPacketState& first = packets.all[packet.copy_of];
        if (has_arrived && &packets.all[*first.arrived_as] != &packet) ++result.losses.duplicates;
        if (is_copy) continue;
        result.packets.push_back(packet.arrived_as ? packets.all[*packet.arrived_as].record
                                                   : packet.record);
        const Cycle end = result.packets.back().tail_delivered;
        if (end != kNever) result.makespan = std::max(result.makespan, end + 1);
    }
    return result;
}

}  // namespace flitscope
