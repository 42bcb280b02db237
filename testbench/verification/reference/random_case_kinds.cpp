// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases made from others: with classes, replies, operations or steady states, or as an engine can
// run them.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/fabric/message_classes.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_graphs.h"
#include "testbench/verification/reference/random_machine.h"
#include "testbench/verification/reference/random_networks.h"
#include "testbench/verification/reference/random_operations.h"
#include "testbench/verification/reference/random_places.h"

namespace flitscope {
namespace {

/// Draws of the request-reply traffic.
constexpr std::uint64_t kOperationStream = 0x2545f4914f6cdd1dU;
constexpr std::uint64_t kClassStream = 0xda942042e4dd58b5U;
constexpr std::uint64_t kReplyStream = 0xbf58476d1ce4e5b9U;
/// Random stream for the `steady` keys that replace a fixed measurement.
constexpr std::uint64_t kSteadyStream = 0xff51afd7ed558ccdU;

}  // namespace

RandomCase plain_case(RandomCase random) {
    random.config.fabric.planes = 1;
    random.config.fabric.output_speedup = 1;
    random.program.names_planes = false;
    random.program.transfers.change_all([](Transfer& transfer) { transfer.plane = 0; });
    return random;
}

RandomCase tlm_case(RandomCase random) {
    random = plain_case(std::move(random));
    FabricConfig& fabric = random.config.fabric;
    fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    fabric.input_speedup = 1;
    if (fabric.switches_circuits()) fabric.switching = Switching::kWormhole;
    if (goes_by_queues(fabric)) fabric.routing = "auto";
    if (fabric.virtual_channels > 1) random.has_slow_links = false;
    random.config.node.port_model = PortModel::kSingle;
    random.program.transfers.change_all([&](Transfer& transfer) {
        transfer.port = kLocalPort;
        transfer.streams = false;
    });
    return random;
}

namespace {

/// Classes of requests and replies.
void draw_message_classes(Draw& draw, Config& config) {
    TrafficConfig& traffic = config.traffic;
    const std::vector<std::string>& classes = config.fabric.classes;
    if (draw.percent(80)) traffic.reply_class = draw.pick(classes);
    if (draw.percent(30)) {
        for (const auto& [bytes, weight] : traffic.message_lengths) {
            traffic.length_classes[bytes] = draw.pick(classes);
        }
        return;
    }
    const bool is_separate = draw.percent(60);
    for (const std::string& name : classes) {
        if (is_separate && name == traffic.reply_class) continue;
        if (draw.percent(70)) traffic.classes[name] = draw.between(1, 5);
    }
    if (traffic.classes.empty() || !is_separate || traffic.reply_class.empty()) return;
    // If replies do not wait for requests, nodes need not take all of these.
    if (draw.percent(70)) {
        config.node.packet_bytes = 0;
        traffic.reply_queue = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 5, 20});
    }
}

}  // namespace

RandomCase reply_case(RandomCase random) {
    Draw draw(random.config.seed ^ kReplyStream);
    random.program = {};
    random.config.node.port_model = PortModel::kSingle;
    const NodeId nodes = node_count(random);
    TrafficConfig& traffic = random.config.traffic;
    traffic.pattern = draw.pick<std::string>({"uniform", "uniform", "hotspot"});
    traffic.root = static_cast<NodeId>(draw.below(nodes));
    traffic.hotspot_fraction = draw.pick<double>({0.2, 0.5, 0.9});
    traffic.arrivals = draw.pick<ArrivalKind>(
        {ArrivalKind::kBernoulli, ArrivalKind::kPeriodic, ArrivalKind::kBursty});
    traffic.burst_cycles = draw.pick<double>({5, 20, 60});
    const std::vector<std::uint64_t> bytes =
        random.range == CaseRange::kWide ? std::vector<std::uint64_t>{0, 8, 40, 300, 2'000, 20'000}
                                         : std::vector<std::uint64_t>{0, 0, 1, 8, 9, 24, 60, 130};
    for (std::uint32_t count = draw.between(1, 3); count != 0; --count) {
        traffic.message_lengths[draw.pick(bytes)] = draw.between(1, 4);
    }
    traffic.reply_bytes = draw.pick(bytes);
    traffic.reply_delay = draw.pick<Cycle>({0, 0, 0, 1, 2, 3, 7, 30, 200});
    traffic.injection_rate = draw.pick<double>({0.02, 0.1, 0.3, 0.6, 1});
    if (random.config.fabric.has_classes()) draw_message_classes(draw, random.config);
    traffic.warmup_cycles = 0;
    traffic.measure_cycles =
        draw.between(20, random.range == CaseRange::kWide ? 3'000 : 6'000 / (nodes + 10));
    FabricConfig& fabric = random.config.fabric;
    if (fabric.has_packet_flow_control()) {
        const std::uint64_t flits =
            random.config.packet_format().flits(traffic.longest_message(), 0);
        fabric.buffer_depth = std::max(fabric.buffer_depth, static_cast<std::uint32_t>(flits));
    }
    const bool is_one_queue = traffic.classes.size() <= 1 && traffic.length_classes.empty();
    if (is_one_queue && fabric.planes == 1 && draw.percent(40)) {
        traffic.outstanding = draw.pick<std::uint32_t>({1, 1, 2, 3, 5, 12});
    }
    return random;
}

RandomCase class_case(RandomCase random) {
    Draw draw(random.config.seed ^ kClassStream);
    FabricConfig& fabric = random.config.fabric;
    if (fabric.switches_circuits()) fabric.switching = Switching::kWormhole;
    NodeConfig& node = random.config.node;
    node.port_model = PortModel::kSingle;
    node.serialize_overhead = false;
    node.injection_bandwidth = {};
    if (fabric.virtual_channels > kMostClasses / 2) fabric.virtual_channels = kMostClasses / 2;
    const auto most = static_cast<std::uint32_t>(kMostClasses / fabric.virtual_channels);
    const std::uint32_t count = draw.between(2, most);
    fabric.virtual_channels *= count;
    fabric.input_speedup = std::gcd(fabric.input_speedup, fabric.virtual_channels);
    if (draw.percent(20)) fabric.input_speedup = count;
    const bool has_priorities = draw.percent(50);
    const bool has_weights = draw.percent(60);
    for (std::uint32_t k = 0; k < count; ++k) {
        fabric.classes.push_back("c" + std::to_string(k));
        if (has_priorities) fabric.class_priorities.push_back(draw.between(0, 2));
        if (has_weights) fabric.class_weights.push_back(draw.pick<std::uint32_t>({1, 1, 2, 3, 7}));
    }
    if (draw.percent(30) && !fabric.has_output_queues()) {
        fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    }
    if (!has_sound_protocol(random)) fabric.link_protocol = LinkProtocol::kCredits;
    random.program.transfers.change_all([&](Transfer& transfer) {
        transfer.port = kLocalPort;
        transfer.streams = false;
        transfer.is_copy = false;
        transfer.message_class = static_cast<MessageClass>(draw.below(count));
    });
    return random;
}

RandomCase file_case(RandomCase random, const std::string& path) {
    FabricConfig& fabric = random.config.fabric;
    const Graph graph = random_case_graph(random);
    const auto routing = make_routing(random.config, graph);
    const bool names_links = has_parallel_links(graph);
    if (routing->path_choice() != PathChoice::kFixed) return random;
    std::ofstream file(path);
    file << "at,to,next,vcs\n";
    for (NodeId to = 0; to < graph.node_count(); ++to) {
        for (RouterId at; at < graph.router_count(); ++at) {
            const RouteChoice choice = routing->route(at, to);
            if (graph.is_local(choice.port)) continue;
            const LinkId next = graph.out_link(at, choice.port);
            file << at << ',' << to << ',';
            names_links ? file << graph.link_name(next) : file << graph.link(next).to;
            file << ',';
            for (std::uint32_t vc = 0; vc < fabric.virtual_channels; ++vc) {
                if ((choice.virtual_channels >> vc & 1U) != 0) file << vc << ' ';
            }
            file << '\n';
        }
    }
    fabric.routing = "file";
    fabric.spread = Spread::kNone;
    fabric.routes_file = path;
    return random;
}

RandomCase operation_case(RandomCase random, ReceiveTime receive_time) {
    random.config.node.port_model = PortModel::kSingle;
    random.program.transfers.change_all([&](Transfer& transfer) {
        Transfer plain{transfer.source, transfer.destination, transfer.bytes};
        plain.plane = transfer.plane;
        transfer = plain;
    });
    random.program.ordering = Ordering::kOperations;
    random.program.barrier_cycles.reset();
    Draw draw(random.config.seed ^ kOperationStream);
    random.program.operations = random_operations(draw, random.program, receive_time);
    return random;
}

RandomCase steady_case(RandomCase random) {
    RandomCase steady = reply_case(std::move(random));
    Draw draw(steady.config.seed ^ kSteadyStream);
    if (draw.percent(50)) {
        steady.config.traffic.reply_bytes.reset();
        steady.config.traffic.outstanding = 0;
    }
    steady.config.traffic.injection_rate = draw.pick<double>({0.02, 0.1, 0.3});
    steady.config.steady.emplace();
    steady.config.steady->half_width = 0.5;
    steady.config.steady->max_cycles = 40'000;
    return steady;
}

}  // namespace flitscope
