// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A random case in one line, for failure messages.
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/config/link_delay_config.h"
#include "models/fabric/switching.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/random_graphs.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/reference/random_networks.h"

namespace flitscope {

std::string describe(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    const NodeConfig& node = random.config.node;
    const TrafficConfig& traffic = random.config.traffic;
    const Program& program = random.program;
    std::ostringstream text;
    text << "seed " << random.config.seed << ": ";
    if (is_random_graph(fabric.topology)) {
        text << "graph of " << fabric.topology.dims[0];
        if (!random.places.empty()) text << " with " << random.places.size() << " nodes";
        if (has_parallel_links(random_graph(random))) text << " with parallel links";
    } else {
        text << build_topology(random.config).description();
    }
    if (fabric.planes > 1) text << " on " << fabric.planes << " planes";
    text << ", " << fabric.routing;
    if (fabric.spread != Spread::kNone) text << '/' << name_of(fabric.spread);
    text << ", virtual_channels " << fabric.virtual_channels;
    if (fabric.virtual_channels > 1) text << " (" << name_of(fabric.switch_arbitration) << ')';
    if (fabric.input_speedup > 1) text << ", input_speedup " << fabric.input_speedup;
    if (fabric.has_output_queues()) {
        text << ", output_speedup " << fabric.output_speedup << " into queues of "
             << fabric.output_queue;
    }
    if (fabric.has_classes()) {
        text << ", " << fabric.class_count() << " classes";
        const auto list = [&text](const char* name, const std::vector<std::uint32_t>& numbers) {
            if (numbers.empty()) return;
            text << ", " << name;
            for (const std::uint32_t number : numbers) text << ' ' << number;
        };
        list("priorities", fabric.class_priorities);
        list("weights", fabric.class_weights);
    }
    if (fabric.combines_allocation()) text << ", combined allocation";
    if (fabric.has_valid_ready_links()) text << ", links with valid and ready";
    if (fabric.switching != Switching::kWormhole) text << ", " << switching_text(fabric);
    text << ", buffer_depth " << fabric.buffer_depth << ", flit_bits " << fabric.flit_bits
         << ", router_delay " << fabric.router_delay;
    const LinkDelayConfig& wires = fabric.link_delay;
    switch (wires.model) {
        case LinkDelayModel::kConstant:
            text << ", link_delay " << wires.cycles;
            break;
        case LinkDelayModel::kLinear:
            text << ", link_delay linear, reach " << wires.reach;
            break;
        case LinkDelayModel::kPhysical:
            text << ", link_delay physical, " << wires.pitch_mm << " mm, " << wires.ns_per_mm
                 << " ns/mm, clock_ns " << random.config.clock_ns;
            break;
    }
    if (has_uneven_delays(random))
        text << (random.range == CaseRange::kWide ? " (random_case_graph: 1-10 per link)"
                                                  : " (random_case_graph: 1-6 per link)");
    if (random.has_slow_links) text << " (random_case_graph: rates 1/1-1/24)";
    text << ", header_flits " << node.header_flits;
    if (fabric.header_bits != 0) text << " (" << fabric.header_bits << " bits beside the flits)";
    text << ", packet_bytes " << node.packet_bytes << ", send_overhead " << node.send_overhead
         << (node.serialize_overhead ? " (serial)" : "") << ", recv_overhead " << node.recv_overhead
         << ", injection_bandwidth " << node.injection_bandwidth.numerator << '/'
         << node.injection_bandwidth.denominator;
    if (node.has_channels_per_link()) text << ", port_model " << name_of(node.port_model);
    if (!traffic.pattern.empty()) {
        text << "; " << traffic.pattern << ", " << name_of(traffic.arrivals) << " at "
             << traffic.injection_rate;
        if (random.config.steady) {
            text << " until it is steady";
        } else {
            text << " for " << traffic.measure_cycles << " cycles";
        }
        if (traffic.reply_bytes) {
            text << ", replies of " << *traffic.reply_bytes << " bytes after "
                 << traffic.reply_delay;
        }
        if (traffic.outstanding != 0) text << ", outstanding " << traffic.outstanding;
        return text.str();
    }
    text << "; " << program.name << ", " << program.transfers.size() << " messages, "
         << (program.ordering == Ordering::kSteps   ? "steps"
             : program.ordering == Ordering::kTimed ? "timed"
                                                    : "operations");
    if (program.operations && program.operations->receive_time == ReceiveTime::kTransfer) {
        text << ", receives by transfer";
    }
    if (program.barrier_cycles) text << ", barrier " << *program.barrier_cycles;
    return text.str();
}

}  // namespace flitscope
