// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the machines and the traffic. The distributions favour what breaks fabrics: few buffers,
// short packets, many senders with one destination, packets that wait on several channels at once.
#include "testbench/verification/reference/random_machine.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/message_classes.h"
#include "models/fabric/switching.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "models/topology/node_places.h"
#include "testbench/verification/reference/draw.h"
#include "testbench/verification/reference/random_networks.h"
#include "testbench/verification/reference/random_operations.h"
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

/// Draws of the link delays; apart from those of the case, so that neither disturbs the other.
constexpr std::uint64_t kDelayStream = 0x9e3779b97f4a7c15U;

/// Draws of the link rates.
constexpr std::uint64_t kRateStream = 0xd1b54a32d192ed03U;

/// Draws of the graphs.
constexpr std::uint64_t kGraphStream = 0x165667b19e3779f9U;

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

/// Draws of parallel links.
constexpr std::uint64_t kParallelStream = 0x5851f42d4c957f2dU;

/// Draws of nodes on routers.
constexpr std::uint64_t kPlaceStream = 0x8bb84b93962eacc9U;

/// Draws of tables.
constexpr std::uint64_t kTableStream = 0xe7037ed1a0b428dbU;

/// Draw of the switch arbitration; apart from the others for the same reason.
constexpr std::uint64_t kSwitchStream = 0xc2b2ae3d27d4eb4fU;

/// Draw of the allocation.
constexpr std::uint64_t kAllocationStream = 0xa0761d6478bd642fU;

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
    fabric.combining_delay = 0;
    fabric.setup_delay = draw.pick<std::uint32_t>({1, 1, 1, 2, 2, 3, 5, 9, 30, 100});
    config.node.packet_bytes = 0;
    config.node.injection_bandwidth = {};
}

/// Draws of the request-reply traffic.
constexpr std::uint64_t kOperationStream = 0x2545f4914f6cdd1dU;
constexpr std::uint64_t kClassStream = 0xda942042e4dd58b5U;
constexpr std::uint64_t kReplyStream = 0xbf58476d1ce4e5b9U;
/// Random stream for the `steady` keys that replace a fixed measurement.
constexpr std::uint64_t kSteadyStream = 0xff51afd7ed558ccdU;

bool has_uneven_delays(Draw& draw) { return draw.percent(20); }

using RandomChannel = std::pair<RouterId, RouterId>;

/// Where links can be slow.
bool may_have_slow_links(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    return !fabric.switches_circuits() && !fabric.holds_switch();
}

/// A tree, in which every router hangs on one with a lower number, and for half of them further
/// channels, so that there are several paths.
std::vector<RandomChannel> random_channels(std::uint64_t seed, std::uint32_t routers) {
    Draw draw(seed ^ kGraphStream);
    std::vector<RandomChannel> channels;
    std::set<RandomChannel> joined;
    const auto join = [&](RouterId a, RouterId b) {
        if (a != b && joined.insert(std::minmax(a, b)).second) channels.emplace_back(a, b);
    };
    const auto drawn = [&](std::uint32_t bound) {
        return RouterId(static_cast<std::uint32_t>(draw.below(bound)));
    };
    for (RouterId router(1); router < routers; ++router) join(router, drawn(router));
    if (draw.percent(50)) return channels;
    for (std::uint32_t count = draw.between(1, routers); count != 0; --count) {
        const RouterId router = drawn(routers);
        join(router, drawn(routers));
    }
    return channels;
}

/// In a third of the graphs some channels once more, or several times, anywhere in the order.
void add_parallel_channels(std::uint64_t seed, std::vector<RandomChannel>& channels) {
    Draw draw(seed ^ kParallelStream);
    if (!draw.percent(35)) return;
    const std::vector<RandomChannel> all = channels;
    const std::uint32_t share = draw.pick<std::uint32_t>({20, 50, 100});
    for (const RandomChannel& channel : all) {
        if (!draw.percent(share)) continue;
        const std::uint32_t more = draw.pick<std::uint32_t>({1, 1, 1, 2, 3});
        channels.insert(channels.end(), more, channel);
    }
    draw.shuffle(channels);
}

Graph random_graph(const RandomCase& random) {
    const std::uint32_t routers = random.config.fabric.topology.dims[0];
    std::vector<RandomChannel> channels = random_channels(random.config.seed, routers);
    const std::size_t different = channels.size();
    add_parallel_channels(random.config.seed, channels);
    // A port per other router, the local one first, and as many as there are parallel channels.
    const auto parallel = static_cast<PortId>(channels.size() - different);
    Graph graph("custom", {routers}, routers + parallel);
    if (!random.places.empty()) {
        const auto nodes = static_cast<NodeId>(random.places.size());
        graph.attach(NodePlaces(random.places, routers), {nodes});
    }
    std::vector<PortId> used(routers, graph.local_ports());
    std::map<RandomChannel, std::uint32_t> count;
    for (const auto& [a, b] : channels) {
        Link link;
        link.from = a;
        link.from_port = used[a]++;
        link.to = b;
        link.to_port = used[b]++;
        link.rank = count[{a, b}]++;
        link.delay = random.config.fabric.link_delay.cycles;
        graph.add_link(link);
        std::swap(link.from, link.to);
        std::swap(link.from_port, link.to_port);
        graph.add_link(link);
    }
    return graph;
}

bool has_parallel_links(const Graph& graph) {
    const std::vector<Link>& links = graph.links();
    return std::any_of(links.begin(), links.end(), [](const Link& link) { return link.rank > 0; });
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
    if (Draw queues(seed ^ kQueueStream); !wide) vary_queues(queues, random.config.fabric);
    Draw parallel(seed ^ kParallelStream);
    vary_global_links(parallel, random.config.fabric.topology);
    Draw table(seed ^ kTableStream);
    vary_table(table, random);
    Draw places(seed ^ kPlaceStream);
    place_nodes(places, random);
    if (Draw wires(seed ^ kWireStream); wires.percent(10)) vary_wires(wires, random.config);
    random.config.node = draw_node(draw, random.config.fabric.flit_bits);
    random.config.node.serialize_overhead = Draw(seed ^ kStartupStream).percent(40);
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
    if (may_have_slow_links(random)) {
        random.has_slow_links = Draw(seed ^ kRateStream).percent(40);
        // Tables that spread paths have others then, and need not be sound.
        if (fabric.spread != Spread::kNone && !has_sound_routing(random)) {
            random.has_slow_links = false;
        }
    }
    if (Draw(seed ^ kSilenceStream).percent(2)) random.program.transfers.clear();
    return random;
}

Graph random_case_graph(const RandomCase& random) {
    const FabricConfig& fabric = random.config.fabric;
    Graph graph =
        is_random_graph(fabric.topology) ? random_graph(random) : build_topology(random.config);
    Draw draw(random.config.seed ^ kDelayStream);
    if (has_uneven_delays(draw)) {
        const std::uint32_t longest = random.range == CaseRange::kWide ? 10 : 6;
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            graph.set_delay(id, draw.between(1, longest));
        }
    }
    graph.put_side_by_side(fabric.planes);
    if (random.has_slow_links) {
        Draw rates(random.config.seed ^ kRateStream);
        const std::uint32_t share = rates.pick<std::uint32_t>({20, 50, 100});
        const std::uint32_t slowest = rates.percent(15) ? 24 : 5;
        for (LinkId id = 0; id < graph.link_count(); ++id) {
            if (rates.percent(share)) graph.set_rate(id, rates.between(1, slowest));
        }
    }
    return graph;
}

RandomCase one_plane_case(RandomCase random) {
    random.config.fabric.planes = 1;
    random.program.names_planes = false;
    random.program.transfers.change_all([](Transfer& transfer) { transfer.plane = 0; });
    return random;
}

RandomCase tlm_case(RandomCase random) {
    random = one_plane_case(std::move(random));
    FabricConfig& fabric = random.config.fabric;
    fabric.switch_arbitration = SwitchArbitration::kPerPacket;
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
    const bool has_priorities = draw.percent(50);
    const bool has_weights = draw.percent(60);
    for (std::uint32_t k = 0; k < count; ++k) {
        fabric.classes.push_back("c" + std::to_string(k));
        if (has_priorities) fabric.class_priorities.push_back(draw.between(0, 2));
        if (has_weights) fabric.class_weights.push_back(draw.pick<std::uint32_t>({1, 1, 2, 3, 7}));
    }
    if (draw.percent(30)) fabric.switch_arbitration = SwitchArbitration::kPerPacket;
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

RandomCase operation_case(RandomCase random) {
    random.config.node.port_model = PortModel::kSingle;
    random.program.transfers.change_all([&](Transfer& transfer) {
        Transfer plain;
        plain.source = transfer.source;
        plain.destination = transfer.destination;
        plain.bytes = transfer.bytes;
        plain.plane = transfer.plane;
        transfer = plain;
    });
    random.program.ordering = Ordering::kOperations;
    random.program.barrier_cycles.reset();
    Draw draw(random.config.seed ^ kOperationStream);
    random.program.operations = random_operations(draw, random.program);
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
    if (fabric.switching != Switching::kWormhole) text << ", " << switching_text(fabric);
    text << ", buffer_depth " << fabric.buffer_depth << ", flit_bits " << fabric.flit_bits
         << ", router_delay " << fabric.router_delay;
    Draw draw(random.config.seed ^ kDelayStream);
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
    if (has_uneven_delays(draw))
        text << (random.range == CaseRange::kWide ? " (random_case_graph: 1-10 per link)"
                                                  : " (random_case_graph: 1-6 per link)");
    if (random.has_slow_links) text << " (random_case_graph: rates 1/1-1/24)";
    text << ", header_flits " << node.header_flits << ", packet_bytes " << node.packet_bytes
         << ", send_overhead " << node.send_overhead << (node.serialize_overhead ? " (serial)" : "")
         << ", recv_overhead " << node.recv_overhead << ", injection_bandwidth "
         << node.injection_bandwidth.numerator << '/' << node.injection_bandwidth.denominator;
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
    if (program.barrier_cycles) text << ", barrier " << *program.barrier_cycles;
    return text.str();
}

}  // namespace flitscope
