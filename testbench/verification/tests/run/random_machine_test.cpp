// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random machines: they cover the contract, and the golden model delivers all flits on their
// routes.
#include "testbench/verification/reference/random_machine.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/routing/channel_dependency.h"
#include "models/routing/routing_factory.h"
#include "testbench/verification/reference/golden_model.h"
#include "testbench/verification/reference/golden_routes.h"
#include "traffic/program/channel_rules.h"

namespace flitscope {
namespace {

/// The links that a message takes, one that it names included.
std::vector<LinkId> links_of(const Transfer& t, const Graph& graph, const Routing& routing) {
    const LinkId first = detour(t, graph, routing);
    if (first == kNoLink) return route_links(graph, routing, t.source, t.destination);
    // Only nodes with a channel for every link name one, and every router has one of these.
    const NodeId through = graph.nodes_at(graph.link(first).to)[0];
    std::vector<LinkId> links = route_links(graph, routing, through, t.destination);
    links.insert(links.begin(), first);
    return links;
}

TEST(RandomMachine, EveryCaseDeliversAllFlitsOverTheirRoutes) {
    int fixed = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const RandomCase random = random_case(seed);
        SCOPED_TRACE(describe(random));
        const Graph graph = random_case_graph(random);
        const auto routing = make_routing(random.config, graph);
        const GoldenResult result =
            run_golden(random.config, graph, *routing, random.program, 200000);
        ASSERT_TRUE(result.completed);
        ASSERT_TRUE(find_dependency_cycle(graph, *routing).empty());
        if (routing->path_choice() != PathChoice::kFixed) continue;
        ++fixed;

        const ChannelMap map(graph);
        const PacketFormat format = random.config.packet_format();
        std::vector<std::uint64_t> flits(map.count());
        std::size_t packets = 0;
        for (const Transfer& t : random.program.transfers) {
            const std::uint64_t n = format.message_flits(t.bytes);
            const std::vector<LinkId> links = links_of(t, graph, *routing);
            for (const LinkId id : links) flits[map.link(id, t.plane)] += n;
            const bool ends = graph.has_per_link_endpoints();
            flits[ends ? map.injection_of(links.front()) : map.injection(t.source, t.plane)] += n;
            flits[ends ? map.ejection_of(links.back()) : map.ejection(t.destination, t.plane)] += n;
            packets += format.packets(t.bytes);
        }
        EXPECT_EQ(result.packets.size(), packets);
        EXPECT_EQ(result.flits_sent, flits);
        for (ChannelId channel = 0; channel < map.count(); ++channel) {
            Cycle busy = 0;
            for (const BusyInterval& i : result.busy[channel]) busy += i.last_plus_one - i.first;
            EXPECT_EQ(busy, flits[channel]) << "channel " << channel;
        }
        for (const GoldenPacket& p : result.packets) {
            const Transfer& t = random.program.transfers[p.message];
            const bool circuit = random.config.fabric.switches_circuits();
            const Cycle router_delay = circuit ? 0 : random.config.fabric.router_delay;
            Cycle path = router_delay;
            for (const LinkId id : links_of(t, graph, *routing)) {
                path += router_delay + graph.link(id).delay;
                if (random.config.fabric.has_valid_ready_links()) --path;
            }
            if (circuit && path > 0) --path;  // delivered in the last cycle on the last link
            const Cycle length = format.flits(t.bytes, p.index) - 1;
            EXPECT_GE(p.head_injected, p.begin + random.config.node.send_overhead);
            EXPECT_GE(p.tail_injected, p.head_injected + length);
            EXPECT_GE(p.head_delivered, p.head_injected + path);
            EXPECT_GE(p.tail_delivered, p.tail_injected + path);
        }
    }
    EXPECT_GE(fixed, 120);
}

TEST(RandomMachine, TablesAreThoseOfTheGoldenModel) {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const RandomCase random = random_case(seed);
        const Graph graph = random_case_graph(random);
        const auto golden = golden_routes(random.config, graph);
        if (golden == nullptr || golden->path_choice() != PathChoice::kFixed) continue;
        SCOPED_TRACE(describe(random));
        const auto routing = make_routing(random.config, graph);
        ++seen[routing->name()];
        const auto all = static_cast<VcMask>((1U << random.config.fabric.virtual_channels) - 1);
        for (NodeId source = 0; source < graph.node_count(); ++source) {
            for (NodeId destination = 0; destination < graph.node_count(); ++destination) {
                const RouterId last = graph.router_of(destination);
                for (RouterId at = graph.router_of(source); at != last;) {
                    const RouteChoice ours = routing->route(at, destination);
                    const RouteChoice theirs = golden->route(at, destination);
                    ASSERT_EQ(ours.port, theirs.port) << at << " to " << destination;
                    ASSERT_EQ(ours.virtual_channels & all, theirs.virtual_channels & all)
                        << at << " to " << destination;
                    at = graph.link(graph.out_link(at, ours.port)).to;
                }
            }
        }
    }
    for (const char* table :
         {"shortest_path", "shortest_path/ports", "shortest_path/flow", "shortest_path/paths",
          "lash", "lash/ports", "lash/flow", "lash/paths", "up_down", "up_down/ports",
          "up_down/flow", "up_down/paths", "dimension_order_balanced"}) {
        EXPECT_GE(seen[table], 2) << table;
    }
}

TEST(RandomMachine, CasesAreReproducibleAndCoverTheContract) {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 1400; ++seed) {
        const RandomCase random = random_case(seed);
        EXPECT_EQ(describe(random), describe(random_case(seed)));
        const Program& program = random.program;
        const Rate rate = random.config.node.injection_bandwidth;
        ++seen[random.config.fabric.topology.kind];
        ++seen[random.config.fabric.routing];
        ++seen["spread " + name_of(random.config.fabric.spread)];
        ++seen["vcs " + std::to_string(random.config.fabric.virtual_channels)];
        if (random.config.fabric.virtual_channels > 1) {
            ++seen[name_of(random.config.fabric.switch_arbitration)];
        } else {
            EXPECT_EQ(random.config.fabric.switch_arbitration, SwitchArbitration::kRoundRobin);
        }
        ++seen[name_of(random.config.fabric.switching)];
        ++seen[name_of(random.config.node.port_model)];
        if (random.config.fabric.combining_delay > 0) ++seen["combining delay"];
        if (random.config.fabric.setup_delay > 1) ++seen["set-up delay"];
        ++seen["depth " + std::to_string(random.config.fabric.buffer_depth)];
        ++seen[program.name + (program.barrier_cycles ? " barrier" : "")];
        ++seen[name_of(random.config.fabric.link_delay.model)];
        if (program.transfers.empty()) ++seen["nothing is sent"];
        const bool slow = rate.numerator < rate.denominator;
        if (slow) ++seen["slow memory"];
        if (random.config.node.serialize_overhead && random.config.node.send_overhead > 0) {
            ++seen[slow ? "serial startup, slow memory" : "serial startup"];
        }
        std::set<std::string> traffic;
        for (const Transfer& t : program.transfers) {
            if (t.source == t.destination) traffic.insert("self");
            if (t.bytes == 0) traffic.insert("empty");
            if (!t.after.empty()) traffic.insert("after");
            if (t.streams) traffic.insert(t.after.size() > 1 ? "combines" : "streams");
            if (t.port != 0) traffic.insert("named port");
            if (t.is_copy) traffic.insert("copy, " + name_of(random.config.node.port_model));
            if (t.time != 0) traffic.insert("time");
            if (random.config.packet_format().packets(t.bytes) > 1) traffic.insert("packets");
        }
        for (const std::string& kind : traffic) ++seen[kind];
    }
    for (const char* kind : {"mesh",
                             "hypercube",
                             "torus",
                             "how",
                             "ghc",
                             "express_mesh",
                             "custom",
                             "up_down",
                             "up_down_adaptive",
                             "shortest_path",
                             "lash",
                             "dimension_order_balanced",
                             "spread ports",
                             "spread flow",
                             "spread paths",
                             "west_first",
                             "negative_first",
                             "odd_even",
                             "minimal_adaptive",
                             "o1turn",
                             "valiant",
                             "ugal_local",
                             "ugal_global",
                             "progressive_adaptive",
                             "express_shortest",
                             "vcs 1",
                             "vcs 2",
                             "vcs 3",
                             "vcs 4",
                             "vcs 5",
                             "vcs 8",
                             "round_robin",
                             "wormhole",
                             "virtual_cut_through",
                             "store_and_forward",
                             "circuit",
                             "set-up delay",
                             "combining delay",
                             "per_packet",
                             "depth 1",
                             "depth 2",
                             "depth 16",
                             "uniform",
                             "hotspot",
                             "permutations",
                             "permutations barrier",
                             "random steps",
                             "random steps barrier",
                             "dependent",
                             "linear",
                             "physical",
                             "constant",
                             "nothing is sent",
                             "slow memory",
                             "serial startup",
                             "serial startup, slow memory",
                             "self",
                             "empty",
                             "after",
                             "single",
                             "one_output",
                             "same_value",
                             "independent",
                             "neighbours",
                             "neighbours barrier",
                             "named port",
                             "copy, same_value",
                             "streams",
                             "combines",
                             "time",
                             "packets"}) {
        EXPECT_GE(seen[kind], 5) << kind;
    }
}

}  // namespace
}  // namespace flitscope
