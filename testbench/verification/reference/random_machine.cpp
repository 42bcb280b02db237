// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the machines and the traffic. The distributions favour what breaks fabrics: few buffers,
// short packets, many senders with one destination, packets that wait on several channels at once.
#include "testbench/verification/reference/random_machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/limits.h"
#include "models/config/config.h"
#include "models/config/fabric_config.h"
#include "models/fabric/link_protocol.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/graph.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_graphs.h"
#include "testbench/verification/reference/random_networks.h"
#include "testbench/verification/reference/random_places.h"
#include "testbench/verification/reference/random_ports.h"
#include "testbench/verification/reference/random_programs.h"

namespace flitscope {
namespace {

NodeConfig draw_node(Draw& draw, std::uint32_t flit_bits) {
    NodeConfig node;
    if (draw.percent(40)) node.send_overhead = draw.between(1, 30);
    if (draw.percent(40)) node.recv_overhead = draw.between(1, 25);
    if (draw.percent(40)) {
        node.injection_bandwidth =
            draw.pick<Rate>({{3, 3}, {1, 2}, {2, 3}, {3, 7}, {1, 5}, {9, 10}});
    }
    node.header_flits = draw.pick<std::uint32_t>({1, 1, 1, 2, 3});
    if (draw.percent(50)) {
        const std::uint32_t flits = draw.percent(50) ? draw.between(1, 3) : draw.between(4, 20);
        node.packet_bytes = std::uint64_t{flits} * flit_bits / 8;
        if (draw.percent(30)) node.packet_bytes -= draw.below(flit_bits / 8);
    }
    return node;
}

/// Draws of the wiring and the routing.
constexpr std::uint64_t kNetworkStream = 0x27d4eb2f165667c5U;

/// Draws of planes.
constexpr std::uint64_t kPlaneStream = 0x510e527fade682d1U;

/// Draws of wires in millimetres.
constexpr std::uint64_t kWireStream = 0x3c6ef372fe94f82bU;

/// Draws of fat trees and dragonflies.
constexpr std::uint64_t kFamilyStream = 0x9e6c63d0876a9a47U;

/// Draws of routings by queues.
constexpr std::uint64_t kQueueStream = 0x632be59bd9b4e019U;

/// Draws of more virtual channels.
constexpr std::uint64_t kChannelStream = 0x9216d5d98979fb1bU;

/// Draws of nodes on routers.
constexpr std::uint64_t kPlaceStream = 0x8bb84b93962eacc9U;

/// Draws of tables.
constexpr std::uint64_t kTableStream = 0xe7037ed1a0b428dbU;

/// Draw of the switch arbitration; apart from the others for the same reason.
constexpr std::uint64_t kSwitchStream = 0xc2b2ae3d27d4eb4fU;

/// Draw of the allocation.
constexpr std::uint64_t kAllocationStream = 0xa0761d6478bd642fU;

/// Draw of the inputs of the switch.
constexpr std::uint64_t kSpeedupStream = 0xbf58476d1ce4e5b9U;

/// Draws of the outputs of the switch.
constexpr std::uint64_t kOutputStream = 0x8cb92ba72f3d8dd7U;

/// Several outputs of the switch per port, with short queues among them that are often full.
void vary_output_queues(Draw& draw, FabricConfig& fabric) {
    if (fabric.switches_circuits() || fabric.virtual_channels == 1) return;
    fabric.output_speedup = std::min(fabric.virtual_channels, draw.between(2, 4));
    fabric.output_queue =
        fabric.output_speedup + draw.pick<std::uint32_t>({0, 0, 0, 1, 2, 5, 12, 40});
    fabric.switch_arbitration = SwitchArbitration::kRoundRobin;
    fabric.allocation = Allocation::kSequential;
}

/// Draw of the place of headers.
constexpr std::uint64_t kHeaderStream = 0x452821e638d01377U;

/// Draws of the link protocol.
constexpr std::uint64_t kProtocolStream = 0x3243f6a8885a308dU;

/// Valid and ready for a quarter of the machines that can have them; with several virtual channels
/// that takes short wires.
void vary_protocol(Draw& draw, RandomCase& random) {
    if (!draw.percent(25)) return;
    RandomCase changed = random;
    FabricConfig& fabric = changed.config.fabric;
    if (fabric.switches_circuits() || fabric.has_packet_flow_control()) return;
    fabric.link_protocol = LinkProtocol::kValidReady;
    fabric.output_speedup = 1;
    changed.has_slow_links = false;
    if (fabric.virtual_channels > 1) {
        fabric.router_delay = 1;
        fabric.link_delay = {};
    }
    if (fabric.buffer_depth == 1 && draw.percent(70)) fabric.buffer_depth = 2;
    if (has_sound_protocol(changed)) random = changed;
}

/// Draws of the port model and its use by programs.
constexpr std::uint64_t kPortStream = 0x94d049bb133111ebU;

/// Draws of the switching method, which makes buffers as deep as it needs.
constexpr std::uint64_t kSwitchingStream = 0x85ebca77c2b2ae63U;

/// Draw of the serial startups.
constexpr std::uint64_t kStartupStream = 0x94d049bb133111ebU;

/// Another switching method for every third machine, with buffers that hold a packet and a bit; not
/// if packets are so long that such buffers would be unrealistic.
void vary_switching(Draw& draw, RandomCase& random) {
    if (!draw.percent(35)) return;
    std::uint64_t longest = 1;
    for (const Transfer& transfer : random.program.transfers) {
        longest = std::max(longest, random.config.packet_format().flits(transfer.bytes, 0));
    }
    if (longest > 500) return;
    FabricConfig& fabric = random.config.fabric;
    fabric.switching =
        draw.percent(50) ? Switching::kVirtualCutThrough : Switching::kStoreAndForward;
    if (fabric.stores_packets()) {
        fabric.combining_delay = draw.pick<std::uint32_t>({0, 0, 0, 1, 2, 7, 40, 100});
    }
    const auto flits = static_cast<std::uint32_t>(longest);
    fabric.buffer_depth = flits + draw.pick<std::uint32_t>({0, 0, 0, 1, 2, 5, flits, 2 * flits});
}

/// Draws of the circuits.
constexpr std::uint64_t kCircuitStream = 0x2545f4914f6cdd1dU;

/// Draw of the machines that send nothing at all.
constexpr std::uint64_t kSilenceStream = 0xd6e8feb86659fd93U;

/// Circuits for three in ten of the machines that can have them: one virtual channel, one path.
void vary_circuits(Draw& draw, Config& config) {
    FabricConfig& fabric = config.fabric;
    const std::vector<std::string> fixed = {"auto", "dimension_order", "up_down"};
    const bool is_fixed = std::find(fixed.begin(), fixed.end(), fabric.routing) != fixed.end();
    if (fabric.virtual_channels > 1 || !is_fixed || !draw.percent(30)) return;
    fabric.switching = Switching::kCircuit;
    if (fabric.header_bits != 0) config.node.header_flits = 1;
    fabric.header_bits = 0;
    fabric.combining_delay = 0;
    fabric.setup_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 5, 9, 30, 100});
    config.node.packet_bytes = 0;
    config.node.injection_bandwidth = {};
}

/// Where links can be slow.
bool may_have_slow_links(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    return !fabric.switches_circuits() && !fabric.holds_switch();
}

/// More than 8 virtual channels for a fifth of the machines with several of them.
void vary_channels(Draw& draw, FabricConfig& fabric) {
    if (fabric.virtual_channels < 3 || !draw.percent(20)) return;
    fabric.virtual_channels = draw.between(9, kMaxVirtualChannels);
}

/// More global links per router than other groups for a third of the dragonflies, so that some are
/// parallel.
void vary_global_links(Draw& draw, TopologyConfig& topology) {
    const auto links = topology.parameters.find("global_links");
    if (links == topology.parameters.end() || !draw.percent(35)) return;
    links->second += draw.between(1, 2 * topology.parameter("groups"));
}

bool has_sound_routing(const RandomCase& random) {
    try {
        const Graph graph = random_case_graph(random);
        const auto routing = make_routing(random.config, graph);
        return find_dependency_cycle(graph, *routing).empty();
    } catch (const ConfigError&) {
        // So few virtual channels do not suffice, or up_down of a fat tree is no table.
        return false;
    }
}

/// A table in the place of one routing in five, with any spread, and a graph in the place of some
/// networks; not what can deadlock.
void vary_table(Draw& draw, RandomCase& random) {
    if (!draw.percent(20)) return;
    FabricConfig& fabric = random.config.fabric;
    if (draw.percent(50)) {
        fabric.topology = {};
        fabric.topology.kind = "custom";
        fabric.topology.dims = {draw.between(2, random.range == CaseRange::kWide ? 20 : 12)};
        fabric.routing = "auto";
        if (draw.percent(30)) return;
    }
    RandomCase changed = random;
    FabricConfig& table = changed.config.fabric;
    table.routing =
        draw.pick<std::string>({"up_down", "shortest_path", "shortest_path", "lash", "lash"});
    table.spread = draw.pick<Spread>(
        {Spread::kNone, Spread::kPorts, Spread::kFlow, Spread::kPaths, Spread::kPaths});
    if (has_sound_routing(changed)) random = changed;
}

/// As many nodes on a router as its table can serve.
void place_nodes(Draw& draw, RandomCase& random) {
    RandomCase changed = random;
    vary_places(draw, changed);
    const std::string& routing = random.config.fabric.routing;
    const bool is_table = routing == "shortest_path" || routing == "lash";
    if (!is_table || has_sound_routing(changed)) random = changed;
}

/// In an eighth of the machines with one channel per node and plane there are several planes.
void vary_planes(Draw& draw, RandomCase& random) {
    if (random.config.node.has_channels_per_link() || !draw.percent(12)) return;
    const std::uint32_t planes = draw.between(2, 3);
    random.config.fabric.planes = planes;
    random.program.names_planes = true;
    random.program.transfers.change_all([&](Transfer& transfer) {
        transfer.plane = static_cast<std::uint8_t>(draw.below(planes));
    });
}

}  // namespace

bool has_sound_protocol(const RandomCase& random) {
    try {
        const Graph graph = random_case_graph(random);
        require_link_protocol(random.config, graph, *make_routing(random.config, graph));
        return true;
    } catch (const ConfigError&) {
        return false;
    }
}

RandomCase random_case(std::uint64_t seed, CaseRange range) {
    Draw draw(seed);
    RandomCase random;
    random.range = range;
    random.config.seed = seed;
    random.config.source = "random case " + std::to_string(seed);
    const bool wide = range == CaseRange::kWide;
    random.config.fabric = wide ? draw_wide_fabric(draw) : draw_fabric(draw);
    if (!wide && random.config.fabric.virtual_channels > 1 &&
        Draw(seed ^ kSwitchStream).percent(50)) {
        random.config.fabric.switch_arbitration = SwitchArbitration::kPerPacket;
    }
    Draw network(seed ^ kNetworkStream);
    vary_network(network, random.config.fabric);
    Draw family(seed ^ kFamilyStream);
    vary_family(family, random.config.fabric);
    if (Draw queues(seed ^ kOutputStream); !wide) vary_queues(queues, random.config.fabric);
    Draw channels(seed ^ kChannelStream);
    vary_channels(channels, random.config.fabric);
    Draw parallel(seed ^ kParallelStream);
    vary_global_links(parallel, random.config.fabric.topology);
    Draw table(seed ^ kTableStream);
    vary_table(table, random);
    Draw places(seed ^ kPlaceStream);
    place_nodes(places, random);
    if (Draw wires(seed ^ kWireStream); wires.percent(10)) vary_wires(wires, random.config);
    random.config.node = draw_node(draw, random.config.fabric.flit_bits);
    random.config.node.serialize_overhead = Draw(seed ^ kStartupStream).percent(40);
    if (Draw headers(seed ^ kHeaderStream); headers.percent(20)) {
        random.config.fabric.header_bits = headers.between(1, 64);
        random.config.node.header_flits = 0;
    }
    random.program = random_program(draw, random);
    if (!wide) {
        Draw ports(seed ^ kPortStream);
        const bool varies = ports.percent(30);
        const TopologyConfig& topology = random.config.fabric.topology;
        // A graph that is drawn has one channel per node in either direction.
        const bool is_one_each = has_node_per_router(topology) && !has_drawn_places(random);
        if (varies && is_one_each && !is_random_graph(topology)) vary_ports(ports, random);
    }
    Draw switching(seed ^ kSwitchingStream);
    vary_switching(switching, random);
    if (!wide) {
        Draw circuits(seed ^ kCircuitStream);
        if (!random.config.node.has_channels_per_link()) vary_circuits(circuits, random.config);
        Draw planes(seed ^ kPlaneStream);
        vary_planes(planes, random);
    }
    FabricConfig& fabric = random.config.fabric;
    if (fabric.switching == Switching::kWormhole && Draw(seed ^ kAllocationStream).percent(40)) {
        fabric.allocation = Allocation::kCombined;
    }
    if (Draw speedup(seed ^ kSpeedupStream); !wide && speedup.percent(30)) {
        fabric.input_speedup = std::gcd(fabric.virtual_channels, speedup.between(2, 8));
    }
    if (Draw queues(seed ^ kQueueStream); !wide && queues.percent(25)) {
        vary_output_queues(queues, fabric);
    }
    if (may_have_slow_links(random)) {
        random.has_slow_links = Draw(seed ^ kRateStream).percent(40);
        // Tables that spread paths have others then, and need not be sound.
        if (fabric.spread != Spread::kNone && !has_sound_routing(random)) {
            random.has_slow_links = false;
        }
    }
    Draw protocol(seed ^ kProtocolStream);
    vary_protocol(protocol, random);
    if (Draw(seed ^ kSilenceStream).percent(2)) random.program.transfers.clear();
    return random;
}

}  // namespace flitscope
