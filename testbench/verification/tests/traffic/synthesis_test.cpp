// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules that are found: as short as is known to be possible, complete and free of contention by
// a check that shares nothing with the searches; bounds against all cuts of small graphs and
// against lengths measured anew; and a check that notices what is wrong with a schedule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/config/config.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/ring_graph.h"
#include "traffic/schedules/synthesis/arborescences.h"
#include "traffic/schedules/synthesis/bounds/collective_bound.h"
#include "traffic/schedules/synthesis/bounds/partition_bound.h"
#include "traffic/schedules/synthesis/chunk_check.h"
#include "traffic/schedules/synthesis/packed_trees.h"
#include "traffic/schedules/synthesis/reduction_trees.h"
#include "traffic/schedules/synthesis/relay.h"
#include "traffic/schedules/synthesis/request_rules.h"
#include "traffic/schedules/synthesis/synthesizer.h"

namespace flitscope::synthesis {
namespace {

/// A network and the data that searches need of it.
struct Network {
    Config config;
    Graph graph;
    std::unique_ptr<Routing> routing;

    Network(Config given, Graph built) : config(std::move(given)), graph(std::move(built)) {
        if (config.node.has_channels_per_link()) graph.use_per_link_endpoints();
        routing = make_routing(config, graph);
    }
};

Config config_of(const std::string& topology, const std::string& ports) {
    return parse_config(fmt::format("fabric: {{topology: {{{}}}, virtual_channels: 2}}\n"
                                    "node: {{port_model: {}}}\n",
                                    topology, ports),
                        "test");
}

Network network(const std::string& topology, const std::string& ports = "independent") {
    Config config = config_of(topology, ports);
    Graph graph = build_topology(config);
    return {std::move(config), std::move(graph)};
}

/// A random connected graph in which every node has `degree` channels.
Network random_regular(NodeId nodes, NodeId degree, unsigned seed,
                       const std::string& ports = "independent") {
    std::mt19937 random(seed);
    for (;;) {
        std::vector<NodeId> ends;
        for (NodeId node = 0; node < nodes; ++node) ends.insert(ends.end(), degree, node);
        std::shuffle(ends.begin(), ends.end(), random);
        Graph graph("custom", {nodes}, degree + 1);
        std::vector<std::vector<bool>> joined(nodes, std::vector<bool>(nodes));
        std::vector<PortId> ports_used(nodes);
        bool is_simple = true;
        for (std::size_t e = 0; e < ends.size() && is_simple; e += 2) {
            const NodeId a = ends[e];
            const NodeId b = ends[e + 1];
            is_simple = a != b && !joined[a][b];
            if (!is_simple) break;
            joined[a][b] = joined[b][a] = true;
            const PortId at_a = ++ports_used[a];
            const PortId at_b = ++ports_used[b];
            graph.add_link({RouterId(a), at_a, RouterId(b), at_b});
            graph.add_link({RouterId(b), at_b, RouterId(a), at_a});
        }
        if (!is_simple) continue;
        std::vector<NodeId> reached{0};
        std::vector<bool> seen(nodes);
        seen[0] = true;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (NodeId next = 0; next < nodes; ++next) {
                if (!joined[reached[i]][next] || seen[next]) continue;
                seen[next] = true;
                reached.push_back(next);
            }
        }
        if (reached.size() != nodes) continue;
        Config config = config_of("kind: mesh, dims: [2]", ports);
        config.fabric.routing = "shortest_path";
        return {std::move(config), std::move(graph)};
    }
}

/// The network with channels that need 1 to 4 cycles for a flit, as many both ways.
Network with_rates(Network net, unsigned seed) {
    for (LinkId id = 0; id < net.graph.link_count(); ++id) {
        const Link& link = net.graph.link(id);
        const auto [low, high] = std::minmax(link.from, link.to);
        net.graph.set_rate(id, 1 + (7 * low + 3 * high + seed) % 4);
    }
    return net;
}

SynthesisRequest request(Collective collective, std::uint32_t chunks) {
    SynthesisRequest result;
    result.collective = collective;
    result.chunks = chunks;
    result.bytes = 4096;
    return result;
}

/// A schedule that has been proved: complete, and no two messages of a round share anything.
ChunkSchedule proved(const Network& net, const SynthesisRequest& asked) {
    const ChunkSchedule found = synthesize(asked, net.config, net.graph, *net.routing);
    EXPECT_EQ(check_completeness(found, net.graph, *net.routing), std::vector<std::string>());
    EXPECT_EQ(check_begins(found, net.config, net.graph, *net.routing), std::vector<std::string>());
    const RoundContention most = contention(found, net.config, net.graph, *net.routing);
    EXPECT_EQ(most.link, 1);
    EXPECT_EQ(most.send, 1);
    EXPECT_EQ(most.receive, 1);
    return found;
}

TEST(Synthesis, OverSlowLinksAChunkTakesSeveralRounds) {
    for (unsigned seed = 0; seed < cases_of(2, 8); ++seed) {
        for (const char* ports : {"independent", "single"}) {
            const Network net = with_rates(random_regular(10, 3, seed, ports), seed);
            for (const CollectiveName& known : collective_names()) {
                for (const Method method :
                     {Method::kMatching, Method::kTrees, Method::kFlow, Method::kAuto}) {
                    SynthesisRequest asked = request(known.collective, 3);
                    asked.method = method;
                    if (obstacle(asked, net.config, net.graph, *net.routing, {})) continue;
                    SCOPED_TRACE(
                        fmt::format("{} by {}, {} {}", known.name, name_of(method), ports, seed));
                    const ChunkSchedule found = proved(net, asked);
                    if (found.period == 0 || has_one_destination(known.collective)) continue;
                    EXPECT_GE(found.rounds.size(),
                              bound_of(found.task, net.config, net.graph).rounds);
                }
            }
        }
    }
}

struct Known {
    const char* topology;
    std::uint32_t chunks;
    std::size_t rounds;
};

TEST(Synthesis, AllGathersTakeTheRoundsOfTacos) {
    const std::vector<Known> values = {
        {"kind: mesh, dims: [5, 5]", 1, 12},     {"kind: mesh, dims: [10, 10]", 2, 99},
        {"kind: mesh, dims: [7, 12]", 3, 125},   {"kind: mesh, dims: [3, 3, 3]", 1, 9},
        {"kind: mesh, dims: [3, 4, 5]", 2, 40},  {"kind: mesh, dims: [4, 2, 3]", 3, 23},
        {"kind: torus, dims: [3, 3, 3]", 1, 5},  {"kind: torus, dims: [3, 4, 5]", 2, 20},
        {"kind: torus, dims: [4, 2, 3]", 3, 14},
    };
    for (const Known& value : values) {
        SCOPED_TRACE(value.topology);
        const Network net = network(value.topology);
        const ChunkSchedule found = proved(net, request(Collective::kAllGather, value.chunks));
        EXPECT_EQ(found.rounds.size(), value.rounds);
        EXPECT_EQ(bound_of(found.task, net.config, net.graph).rounds, value.rounds);
    }
}

TEST(Synthesis, ReduceScattersAreAsShortAsAllGathersBackwards) {
    for (const char* topology : {"kind: mesh, dims: [5, 5]", "kind: torus, dims: [3, 4, 5]"}) {
        SCOPED_TRACE(topology);
        const Network net = network(topology);
        const ChunkSchedule gathers = proved(net, request(Collective::kAllGather, 2));
        const ChunkSchedule reduces = proved(net, request(Collective::kReduceScatter, 2));
        EXPECT_EQ(reduces.rounds.size(), gathers.rounds.size());
        SynthesisRequest asked = request(Collective::kAllReduce, 2);
        asked.method = Method::kMatching;
        const ChunkSchedule both = proved(net, asked);
        EXPECT_EQ(both.rounds.size(), reduces.rounds.size() + gathers.rounds.size());
    }
}

TEST(Synthesis, ExchangesOnGridsOfEvenSidesTakeTheRoundsOfTheirBound) {
    const std::vector<Known> values = {
        {"kind: mesh, dims: [4, 4]", 1, 16},    {"kind: mesh, dims: [6, 6]", 1, 54},
        {"kind: mesh, dims: [8, 8]", 1, 128},   {"kind: torus, dims: [4, 4]", 1, 8},
        {"kind: torus, dims: [8, 8]", 1, 64},   {"kind: hypercube, dimensions: 6", 1, 32},
        {"kind: mesh, dims: [10, 10]", 1, 250},
    };
    for (const Known& value : values) {
        SCOPED_TRACE(value.topology);
        const Network net = network(value.topology);
        const ChunkSchedule found = proved(net, request(Collective::kAllToAll, value.chunks));
        EXPECT_EQ(found.rounds.size(), value.rounds);
        const CollectiveBound bound =
            bound_of(found.task, net.config, net.graph, found.rounds.size());
        EXPECT_EQ(bound.kind, BoundKind::kLengths);
        EXPECT_EQ(bound.rounds, value.rounds);
    }
}

TEST(Synthesis, ExchangesOnRandomRegularGraphsAreWithinATenthOfTheirBound) {
    for (unsigned seed = 0; seed < cases_of(4, 12); ++seed) {
        const NodeId nodes = 16 + 8 * (seed % 5);
        const NodeId degree = 3 + seed % 3;
        SCOPED_TRACE(fmt::format("{} nodes, degree {}, seed {}", nodes, degree, seed));
        const Network net = random_regular(nodes, degree, seed);
        const ChunkSchedule found = proved(net, request(Collective::kAllToAll, 4));
        const CollectiveBound bound = bound_of(found.task, net.config, net.graph);
        EXPECT_GE(found.rounds.size(), bound.rounds);
        EXPECT_LE(static_cast<double>(found.rounds.size()), 1.10 * 4 * bound.share.value());
    }
}

/// Two complete graphs of four routers, joined by one channel.
Network two_halves() {
    Graph graph("custom", {8}, 5);
    std::vector<PortId> used(8);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        const PortId at_a = ++used[a];
        const PortId at_b = ++used[b];
        graph.add_link({RouterId(a), at_a, RouterId(b), at_b});
        graph.add_link({RouterId(b), at_b, RouterId(a), at_a});
    };
    for (const std::uint32_t half : {0U, 4U}) {
        for (std::uint32_t a = 0; a < 4; ++a) {
            for (std::uint32_t b = a + 1; b < 4; ++b) join(half + a, half + b);
        }
    }
    join(0, 4);
    Config config = config_of("kind: mesh, dims: [2]", "independent");
    config.fabric.routing = "shortest_path";
    return {std::move(config), std::move(graph)};
}

/// Complete graphs of four, three and three routers, each joined to the others by one channel.
Network ring_of_groups() {
    Graph graph("custom", {10}, 6);
    std::vector<PortId> used(10);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        const PortId at_a = ++used[a];
        const PortId at_b = ++used[b];
        graph.add_link({RouterId(a), at_a, RouterId(b), at_b});
        graph.add_link({RouterId(b), at_b, RouterId(a), at_a});
    };
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> groups = {{0, 4}, {4, 7}, {7, 10}};
    for (const auto& [first, end] : groups) {
        for (std::uint32_t a = first; a < end; ++a) {
            for (std::uint32_t b = a + 1; b < end; ++b) join(a, b);
        }
        join(end - 1, end % 10);
    }
    Config config = config_of("kind: mesh, dims: [2]", "independent");
    config.fabric.routing = "shortest_path";
    return {std::move(config), std::move(graph)};
}

/// A ring in one direction, with a chord: links that have no reverse.
Network one_way_ring() {
    Graph graph("custom", {6}, 3);
    for (RouterId router; router < 6; ++router) {
        graph.add_link({router, 1, RouterId((router + 1) % 6), 1});
    }
    graph.add_link({RouterId(0), 2, RouterId(3), 2});
    Config config = config_of("kind: mesh, dims: [2]", "independent");
    config.fabric.routing = "shortest_path";
    return {std::move(config), std::move(graph)};
}

/// The error in links as a tree from `root` that spans `members`, senders before receivers.
std::string tree_fault(const std::vector<std::uint32_t>& links, const Neighbours& network,
                       const std::vector<NodeId>& members, NodeId root) {
    std::vector<bool> reached(network.nodes);
    reached[root] = true;
    for (const std::uint32_t l : links) {
        const NeighbourLink& link = network.links[l];
        if (!reached[link.from]) return fmt::format("{} sends before it is reached", link.from);
        if (reached[link.to]) return fmt::format("{} is reached twice", link.to);
        reached[link.to] = true;
    }
    for (const NodeId member : members) {
        if (!reached[member]) return fmt::format("{} is not reached", member);
    }
    return "";
}

class TreePackings : public testing::Test {
protected:
    static std::vector<Network> networks() {
        std::vector<Network> result;
        for (const char* topology : {"kind: mesh, dims: [4, 5]", "kind: torus, dims: [3, 4]",
                                     "kind: hypercube, dimensions: 4", "kind: mesh, dims: [7]"}) {
            result.push_back(network(topology));
        }
        for (unsigned seed = 0; seed < 6; ++seed) {
            result.push_back(random_regular(12 + 2 * seed, 3 + seed % 3, seed));
        }
        result.push_back(two_halves());
        result.push_back(one_way_ring());
        return result;
    }
};

TEST_F(TreePackings, AreArborescencesOnNoLinkMoreOftenThanTheCutBoundSays) {
    for (const Network& net : networks()) {
        const Neighbours neighbours(net.graph, *net.routing);
        for (const Collective collective : {Collective::kAllGather, Collective::kBroadcast}) {
            for (const std::uint32_t chunks : {1U, 2U, 5U}) {
                SCOPED_TRACE(
                    fmt::format("{} {} {}", net.graph.description(), name_of(collective), chunks));
                const Task task = task_of(request(collective, chunks), net.graph);
                const std::uint64_t capacity = bound_of(task, net.config, net.graph).rounds;
                std::vector<RootDemand> roots;
                for (const NodeId node : task.members) {
                    if (collective == Collective::kAllGather || node == task.root) {
                        roots.push_back({node, chunks});
                    }
                }
                const auto packing =
                    pack_arborescences(neighbours, task.members, roots, capacity, 1);
                ASSERT_TRUE(packing.has_value());
                std::vector<std::uint64_t> used(neighbours.links.size());
                std::vector<std::uint32_t> trees(neighbours.nodes);
                for (const Arborescence& tree : *packing) {
                    EXPECT_EQ(tree_fault(tree.links, neighbours, task.members, tree.root), "");
                    trees[tree.root] += tree.copies;
                    for (const std::uint32_t l : tree.links) used[l] += tree.copies;
                }
                for (const RootDemand& demand : roots) EXPECT_EQ(trees[demand.root], chunks);
                EXPECT_LE(*std::max_element(used.begin(), used.end()), capacity);
                // The bound is one: with less there is no packing.
                EXPECT_FALSE(pack_arborescences(neighbours, task.members, roots, capacity - 1, 1));
            }
        }
    }
}

TEST_F(TreePackings, GiveSlowLinksWhatTheyCarryMeanwhile) {
    for (Network& regular : networks()) {
        const Network net = with_rates(std::move(regular), 1);
        SCOPED_TRACE(net.graph.description());
        const Neighbours neighbours(net.graph, *net.routing);
        const Task task = task_of(request(Collective::kAllGather, 12), net.graph);
        const std::uint64_t bound = bound_of(task, net.config, net.graph).rounds;
        const auto trees = packed_trees(task, neighbours, neighbours.backwards(), bound, 1);
        EXPECT_GE(largest_load(trees, neighbours), bound);
        EXPECT_LE(static_cast<double>(largest_load(trees, neighbours)),
                  1.04 * static_cast<double>(bound));
    }
}

TEST_F(TreePackings, OfReductionsLeadToTheirRootAndFromIt) {
    for (const Network& net : networks()) {
        SCOPED_TRACE(net.graph.description());
        const Neighbours neighbours(net.graph, *net.routing);
        const Neighbours backwards = neighbours.backwards();
        const Task task = task_of(request(Collective::kAllReduce, 4), net.graph);
        const std::uint64_t enough = bound_of(task, net.config, net.graph).rounds;
        const std::vector<ChunkTrees> trees =
            reduction_trees(task, neighbours, backwards, enough, 0.8, 1);
        ASSERT_EQ(trees.size(), task.chunk_count());
        std::vector<std::uint64_t> used(neighbours.links.size());
        for (const ChunkTrees& tree : trees) {
            EXPECT_EQ(tree_fault(tree.spreading, neighbours, task.members, tree.root), "");
            const std::vector<std::uint32_t> outwards(tree.combining.rbegin(),
                                                      tree.combining.rend());
            EXPECT_EQ(tree_fault(outwards, backwards, task.members, tree.root), "");
            for (const std::uint32_t l : tree.spreading) ++used[l];
            for (const std::uint32_t l : tree.combining) ++used[l];
        }
        const std::uint64_t most = *std::max_element(used.begin(), used.end());
        EXPECT_EQ(largest_load(trees, neighbours), most);
        EXPECT_GE(most, enough);
        EXPECT_LE(static_cast<double>(most), 1.15 * static_cast<double>(enough) + 1);
    }
}

/// Rounds are the load of the fullest link, plus an addition for the depth of the trees.
TEST_F(TreePackings, MakeSchedulesCloseToTheirBound) {
    struct Slack {
        Collective collective;
        std::uint32_t chunks;
        double factor;
        double rounds;
    };
    const std::vector<Slack> slacks = {{Collective::kAllGather, 8, 1.05, 1},
                                       {Collective::kReduceScatter, 8, 1.05, 1},
                                       {Collective::kBroadcast, 64, 1, 6},
                                       {Collective::kAllReduce, 8, 1.2, 2}};
    for (const Network& net : networks()) {
        for (const Slack& slack : slacks) {
            SCOPED_TRACE(fmt::format("{} {}", net.graph.description(), name_of(slack.collective)));
            SynthesisRequest asked = request(slack.collective, slack.chunks);
            asked.method = Method::kTrees;
            const ChunkSchedule found = proved(net, asked);
            EXPECT_EQ(found.method, "trees");
            const std::uint64_t bound = bound_of(found.task, net.config, net.graph).rounds;
            EXPECT_GE(found.rounds.size(), bound);
            EXPECT_LE(static_cast<double>(found.rounds.size()),
                      slack.factor * static_cast<double>(bound) + slack.rounds);
        }
    }
}

TEST(Synthesis, AutoTakesTheMethodThatPromisesTheLeastTime) {
    for (const char* topology : {"kind: mesh, dims: [4, 4]", "kind: torus, dims: [4, 4]"}) {
        const Network net = network(topology);
        for (const Collective collective : {Collective::kAllReduce, Collective::kBroadcast}) {
            SCOPED_TRACE(fmt::format("{} {}", topology, name_of(collective)));
            SynthesisRequest asked = request(collective, 0);
            const ChunkSchedule best = proved(net, asked);
            const double least = estimated_cycles(best, net.config, net.graph);
            for (const Method method : {Method::kMatching, Method::kTrees}) {
                asked.method = method;
                const ChunkSchedule found = proved(net, asked);
                EXPECT_EQ(found.method, name_of(method));
                EXPECT_LE(least, estimated_cycles(found, net.config, net.graph));
            }
        }
    }
}

/// A reduction does not wait for all others before its result is handed out.
TEST(Synthesis, AllReducesOnMeshesAreShorterThanTheirHalvesOneAfterTheOther) {
    const Network net = network("kind: mesh, dims: [8, 8]");
    const ChunkSchedule reduces = proved(net, request(Collective::kReduceScatter, 4));
    const ChunkSchedule gathers = proved(net, request(Collective::kAllGather, 4));
    const ChunkSchedule both = proved(net, request(Collective::kAllReduce, 4));
    EXPECT_EQ(reduces.rounds.size() + gathers.rounds.size(), 252);
    EXPECT_LE(both.rounds.size(), 175);
    EXPECT_GE(both.rounds.size(), 144);
}

/// Blocks that all nodes are to have are sent as often in few messages as in many.
TEST(Synthesis, TheBestIsNoWorseThanFewMessages) {
    for (const char* topology : {"kind: torus, dims: [4, 4]", "kind: mesh, dims: [5, 7]"}) {
        const Network net = network(topology, "single");
        for (const Collective collective :
             {Collective::kAllGather, Collective::kReduceScatter, Collective::kAllReduce}) {
            SCOPED_TRACE(fmt::format("{} {}", topology, name_of(collective)));
            SynthesisRequest asked = request(collective, 0);
            const auto cycles = [&](Method method) {
                asked.method = method;
                return estimated_cycles(synthesize(asked, net.config, net.graph, *net.routing),
                                        net.config, net.graph);
            };
            EXPECT_LE(cycles(Method::kAuto), cycles(Method::kCombining));
            EXPECT_LE(cycles(Method::kAuto), cycles(Method::kMatching));
        }
    }
}

TEST(Synthesis, NodesWithOneChannelSendAndReceiveOneMessageInARound) {
    const Network net = network("kind: mesh, dims: [6, 6]", "single");
    for (const CollectiveName& known : collective_names()) {
        SCOPED_TRACE(known.name);
        const ChunkSchedule found = proved(net, request(known.collective, 2));
        const CollectiveBound bound = bound_of(found.task, net.config, net.graph);
        EXPECT_GE(found.rounds.size(), bound.rounds);
        EXPECT_TRUE(found.by_the_clock);
        EXPECT_EQ(found.period == 0, found.cycles != 0);  // a timetable
    }
}

TEST(Synthesis, SchedulesGoRoundWhatIsDead) {
    Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "node: {port_model: independent}\n"
        "faults: {links: [5-6], nodes: [10]}\n",
        "test");
    const Graph whole = build_topology(config);
    std::vector<bool> dead_links(whole.link_count());
    for (LinkId id = 0; id < whole.link_count(); ++id) {
        const Link& link = whole.link(id);
        const std::pair<RouterId, RouterId> ends = std::minmax(link.from, link.to);
        dead_links[id] = ends == std::pair(RouterId(5), RouterId(6));
    }
    std::vector<bool> dead_routers(whole.router_count());
    dead_routers[10] = true;
    const Network net(
        config, whole.without(dead_links, dead_routers, std::vector<bool>(whole.node_count())));
    for (const CollectiveName& known : collective_names()) {
        SCOPED_TRACE(known.name);
        const ChunkSchedule found = proved(net, request(known.collective, 2));
        EXPECT_EQ(found.task.members.size(), 15);
        EXPECT_GE(found.rounds.size(), bound_of(found.task, net.config, net.graph).rounds);
    }
}

/// The largest demand over capacity of all sets of vertices.
Fraction largest_of_all_cuts(const Task& task, const CapacityGraph& capacities) {
    Fraction largest;
    std::vector<bool> inside(capacities.vertices);
    for (std::uint32_t set = 0; set < 1U << capacities.vertices; ++set) {
        for (std::uint32_t v = 0; v < capacities.vertices; ++v) inside[v] = (set >> v & 1) != 0;
        const std::uint64_t demand = demand_of(task, capacities, inside);
        if (demand == 0) continue;
        const Fraction bound{demand, capacity_of(capacities, inside)};
        if (largest < bound) largest = bound;
    }
    return largest;
}

/// If every node has one link, a channel per link is one channel.
TEST(CollectiveBounds, OfNodesWithOneLinkAreThoseOfOneChannel) {
    const auto share = [](const Network& net) {
        const Task task = task_of(request(Collective::kAllReduce, 1), net.graph);
        return bound_of(task, net.config, net.graph).share.value();
    };
    for (const char* ports : {"independent", "single"}) {
        Config config = config_of("kind: mesh, dims: [2]", ports);
        config.fabric.routing = "shortest_path";
        EXPECT_DOUBLE_EQ(share({std::move(config), ring(16)}), 15.0 / 8) << ports;
    }
    EXPECT_DOUBLE_EQ(share(network("kind: fat_tree, arity: 4, height: 2", "single")), 15.0 / 8);
}

TEST(CollectiveBounds, CutsAreTheLargestOfAll) {
    int compared = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
        for (const char* ports : {"independent", "single"}) {
            const bool has_routers = std::string(ports) == "single";
            Network net = has_routers ? random_regular(6, 3, seed, ports)
                                      : random_regular(10, 3, seed, ports);
            if (seed % 2 != 0) net = with_rates(std::move(net), seed);
            const CapacityGraph capacities(net.config, net.graph);
            for (const CollectiveName& known : collective_names()) {
                if (known.collective == Collective::kAllToAll) continue;
                SCOPED_TRACE(fmt::format("{} {} {}", known.name, ports, seed));
                const Task task = task_of(request(known.collective, 1), net.graph);
                const std::optional<Cut> cut = largest_cut(task, capacities);
                ASSERT_TRUE(cut.has_value());
                const Fraction bound = cut->bound().reduced();
                const Fraction all = largest_of_all_cuts(task, capacities).reduced();
                EXPECT_EQ(bound.numerator, all.numerator);
                EXPECT_EQ(bound.denominator, all.denominator);
                ++compared;
            }
        }
    }
    EXPECT_EQ(compared, 60);
}

/// The bound by a cut into a thin part: two meshes joined by one channel.
TEST(CollectiveBounds, AThinPlaceBoundsAllGathersByWhatLiesBeforeIt) {
    const Network net = two_halves();
    const Task gathers = task_of(request(Collective::kAllGather, 1), net.graph);
    const CollectiveBound bound = bound_of(gathers, net.config, net.graph);
    EXPECT_EQ(bound.rounds, 4);
    ASSERT_TRUE(bound.cut.has_value());
    EXPECT_EQ(std::count(bound.cut->inside.begin(), bound.cut->inside.end(), true), 4);
    const Task exchange = task_of(request(Collective::kAllToAll, 1), net.graph);
    EXPECT_EQ(bound_of(exchange, net.config, net.graph).rounds, 16);
}

/// A line of three nodes whose links need 2 and 3 cycles for a flit: two blocks cross the second.
TEST(CollectiveBounds, SlowLinksTakeTheirCyclesForEveryFlit) {
    Network net = network("kind: mesh, dims: [3]");
    for (LinkId id = 0; id < net.graph.link_count(); ++id) {
        const Link& link = net.graph.link(id);
        net.graph.set_rate(id, 2 + std::min(link.from, link.to));
    }
    const auto rounds = [&](Collective collective) {
        return bound_of(task_of(request(collective, 1), net.graph), net.config, net.graph).rounds;
    };
    EXPECT_EQ(rounds(Collective::kAllGather), 6);
    EXPECT_EQ(rounds(Collective::kBroadcast), 3);
    EXPECT_EQ(rounds(Collective::kAllToAll), 6);
}

/// There the middle of the network is not narrower than the nodes' own channels.
TEST(CollectiveBounds, NodesWithOneChannelReceiveAllBlocksOverIt) {
    const Network net = network("kind: hypercube, dimensions: 7", "single");
    const Task task = task_of(request(Collective::kAllToAll, 1), net.graph);
    const CollectiveBound bound = bound_of(task, net.config, net.graph);
    EXPECT_EQ(bound.share.numerator, 127);
    EXPECT_EQ(bound.share.denominator, 1);
}

TEST(CollectiveBounds, LengthsGiveTheirBoundMeasuredAnew) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        const Network net = random_regular(12, 3, seed, seed % 2 == 0 ? "independent" : "single");
        const CapacityGraph capacities(net.config, net.graph);
        const Task task = task_of(request(Collective::kAllToAll, 1), net.graph);
        const CollectiveBound bound = bound_of(task, net.config, net.graph);
        ASSERT_TRUE(bound.lengths.has_value());
        // Floyd and Warshall's algorithm; the search uses Dijkstra's.
        constexpr std::uint64_t kFar = 1ULL << 40;
        const std::uint32_t n = capacities.vertices;
        std::vector<std::vector<std::uint64_t>> distance(n, std::vector<std::uint64_t>(n, kFar));
        std::uint64_t volume = 0;
        for (std::uint32_t v = 0; v < n; ++v) distance[v][v] = 0;
        for (std::size_t a = 0; a < capacities.arcs.size(); ++a) {
            const CapacityGraph::Arc& arc = capacities.arcs[a];
            const std::uint64_t length = bound.lengths->lengths[a];
            volume += length * arc.capacity;
            distance[arc.from][arc.to] = std::min(distance[arc.from][arc.to], length);
        }
        for (std::uint32_t by = 0; by < n; ++by) {
            for (std::uint32_t from = 0; from < n; ++from) {
                for (std::uint32_t to = 0; to < n; ++to) {
                    distance[from][to] =
                        std::min(distance[from][to], distance[from][by] + distance[by][to]);
                }
            }
        }
        std::uint64_t sum = 0;
        for (const NodeId from : capacities.members) {
            for (const NodeId to : capacities.members) sum += distance[from][to];
        }
        const Fraction anew = Fraction{sum, volume}.reduced();
        EXPECT_EQ(bound.share.numerator, anew.numerator);
        EXPECT_EQ(bound.share.denominator, anew.denominator);
        // No worse than lengths that are all alike.
        const ArcLengths alike =
            with_bound(capacities, std::vector<std::uint64_t>(capacities.arcs.size(), 1));
        EXPECT_FALSE(bound.share < alike.bound);
    }
}

/// Calls `visit` with every partition of `vertices` vertices, as a part number for each.
template <class Visit>
void for_all_partitions(std::uint32_t vertices, Visit visit) {
    std::vector<std::uint32_t> part(vertices);
    const auto assign = [&](const auto& self, std::uint32_t v, std::uint32_t parts) -> void {
        if (v == vertices) {
            visit(part, parts);
            return;
        }
        for (part[v] = 0; part[v] <= parts; ++part[v]) {
            self(self, v + 1, std::max(parts, part[v] + 1));
        }
    };
    assign(assign, 0, 0);
}

TEST(CollectiveBounds, PartitionsAreTheLargestOfAll) {
    std::vector<Network> networks;
    for (unsigned seed = 0; seed < 6; ++seed) networks.push_back(random_regular(8, 3, seed));
    networks.push_back(one_way_ring());
    networks.push_back(network("kind: mesh, dims: [2, 4]"));
    networks.push_back(ring_of_groups());
    std::size_t larger_parts = 0;
    for (const Network& net : networks) {
        SCOPED_TRACE(net.graph.description());
        const CapacityGraph capacities(net.config, net.graph);
        Fraction largest;
        for_all_partitions(capacities.vertices, [&](const auto& part, std::uint32_t parts) {
            std::uint64_t between = 0;
            for (const CapacityGraph::Arc& arc : capacities.arcs) {
                if (part[arc.from] != part[arc.to]) between += arc.capacity;
            }
            if (parts < 2) return;
            const Fraction bound{2 * std::uint64_t{parts - 1}, between};
            if (largest < bound) largest = bound;
        });
        const Partition found = largest_partition(capacities, {0, 1});
        EXPECT_EQ(found.bound().reduced().numerator, largest.reduced().numerator);
        EXPECT_EQ(found.bound().reduced().denominator, largest.reduced().denominator);
        if (found.parts < capacities.vertices) ++larger_parts;
    }
    EXPECT_GE(larger_parts, 1);
}

/// Three groups: between them every value goes four times, over six links. Cuts of two halves and
/// nodes for themselves say less, and the schedule needs no more.
TEST(CollectiveBounds, ThinPlacesBetweenSeveralPartsBoundAllReduces) {
    const Network net = ring_of_groups();
    SynthesisRequest asked = request(Collective::kAllReduce, 16);
    asked.method = Method::kTrees;
    const ChunkSchedule found = proved(net, asked);
    const CollectiveBound bound = bound_of(found.task, net.config, net.graph);
    EXPECT_EQ(bound.kind, BoundKind::kTransfers);
    EXPECT_EQ(bound.share.numerator, 2);
    EXPECT_EQ(bound.share.denominator, 3);
    ASSERT_TRUE(bound.partition.has_value());
    EXPECT_LT(bound.partition->parts, 10);
    EXPECT_EQ(bound.rounds, 107);
    EXPECT_LE(found.rounds.size(), 115);
}

TEST(CollectiveBounds, AllReducesSendEveryValueTwice) {
    const Network net = network("kind: mesh, dims: [4, 4]", "single");
    const Task task = task_of(request(Collective::kAllReduce, 1), net.graph);
    const CollectiveBound bound = bound_of(task, net.config, net.graph);
    EXPECT_EQ(bound.kind, BoundKind::kTransfers);
    EXPECT_EQ(bound.share.numerator, 15);
    EXPECT_EQ(bound.share.denominator, 8);
}

TEST(CollectiveBounds, ShortMessagesAreBoundByTheLongestWay) {
    const Network net = network("kind: mesh, dims: [8, 8]");
    SynthesisRequest asked = request(Collective::kBroadcast, 1);
    asked.bytes = 8;
    const CollectiveBound bound = bound_of(task_of(asked, net.graph), net.config, net.graph);
    EXPECT_EQ(bound.kind, BoundKind::kLatency);
    EXPECT_EQ(bound.from, 0);
    EXPECT_EQ(bound.to, 63);
    // A router, 14 links with a router each, header and one flit.
    EXPECT_EQ(bound.cycles, 1 + 14 * 2 + 2);
}

class BrokenSchedule : public testing::Test {
protected:
    /// The result of the check for a schedule changed by `change`.
    template <class Change>
    std::vector<std::string> findings(Collective collective, Change change) {
        ChunkSchedule schedule =
            synthesize(request(collective, 1), net_.config, net_.graph, *net_.routing);
        EXPECT_TRUE(check_completeness(schedule, net_.graph, *net_.routing).empty());
        change(schedule);
        return check_completeness(schedule, net_.graph, *net_.routing);
    }

    Network net_ = network("kind: mesh, dims: [3, 3]");
};

TEST_F(BrokenSchedule, AMoveThatIsMissingIsFound) {
    for (const CollectiveName& known : collective_names()) {
        SCOPED_TRACE(known.name);
        EXPECT_FALSE(findings(known.collective, [](ChunkSchedule& s) {
                         s.rounds[s.rounds.size() / 2].pop_back();
                     }).empty());
    }
}

TEST_F(BrokenSchedule, AMoveThatComesTooEarlyIsFound) {
    for (const CollectiveName& known : collective_names()) {
        SCOPED_TRACE(known.name);
        EXPECT_FALSE(findings(known.collective, [](ChunkSchedule& s) {
                         std::reverse(s.rounds.begin(), s.rounds.end());
                     }).empty());
    }
}

TEST_F(BrokenSchedule, APartThatCountsTwiceIsFound) {
    for (const Collective collective : {Collective::kReduceScatter, Collective::kAllReduce}) {
        EXPECT_FALSE(findings(collective, [](ChunkSchedule& s) {
                         s.rounds.insert(s.rounds.begin() + 1, s.rounds.front());
                     }).empty());
    }
}

TEST_F(BrokenSchedule, AMoveThatLeadsNowhereIsFound) {
    EXPECT_FALSE(findings(Collective::kAllGather, [](ChunkSchedule& s) {
                     s.rounds[0][0].to = s.rounds[0][0].from;
                 }).empty());
    EXPECT_FALSE(findings(Collective::kAllGather, [](ChunkSchedule& s) {
                     s.rounds[0][0].to = (s.rounds[0][0].to + 5) % 9;
                 }).empty());
    EXPECT_FALSE(findings(Collective::kAllGather, [](ChunkSchedule& s) {
                     s.rounds[0][0].chunk = 9;
                 }).empty());
}

TEST_F(BrokenSchedule, MessagesThatShareALinkAreCounted) {
    ChunkSchedule schedule =
        synthesize(request(Collective::kAllGather, 1), net_.config, net_.graph, *net_.routing);
    schedule.rounds[0].push_back(schedule.rounds[0].front());
    schedule.rounds[0].push_back(schedule.rounds[0].front());
    const RoundContention most = contention(schedule, net_.config, net_.graph, *net_.routing);
    EXPECT_EQ(most.link, 3);
    EXPECT_EQ(most.send, 3);
    EXPECT_EQ(most.receive, 3);
}

/// Two nodes on a slow link each, at the ends of a node with both.
TEST(ChunkCheck, ASlowLinkBringsItsChunkAfterItsRounds) {
    Network net = network("kind: mesh, dims: [3]");
    for (LinkId id = 0; id < net.graph.link_count(); ++id) net.graph.set_rate(id, 3);
    ChunkSchedule schedule;
    schedule.task = task_of(request(Collective::kBroadcast, 1), net.graph);
    schedule.by_the_clock = true;
    schedule.period = 1;
    const Neighbours neighbours(net.graph, *net.routing);
    const auto move = [&](NodeId from, NodeId to) {
        for (const NeighbourLink& link : neighbours.links) {
            if (link.from == from && link.to == to) {
                return ChunkMove{from, to, link.port, link.arrival, 0, false, link.rounds};
            }
        }
        return ChunkMove{};
    };
    schedule.rounds = {{move(0, 1)}, {}, {}, {move(1, 2)}, {}, {}};
    EXPECT_TRUE(check_completeness(schedule, net.graph, *net.routing).empty());
    EXPECT_EQ(reversed_in_time(schedule.rounds)[0].at(0).from, 1);
    EXPECT_EQ(reversed_in_time(schedule.rounds)[3].at(0).from, 0);
    std::swap(schedule.rounds[2], schedule.rounds[3]);
    EXPECT_FALSE(check_completeness(schedule, net.graph, *net.routing).empty());
    schedule.rounds = {{move(0, 1)}, {}, {move(0, 1)}, {}, {}, {move(1, 2)}, {}, {}};
    EXPECT_EQ(contention(schedule, net.config, net.graph, *net.routing).link, 2);
    schedule.rounds = {{move(0, 1)}, {}, {}, {move(0, 1)}, {}, {}, {move(1, 2)}, {}, {}};
    EXPECT_EQ(contention(schedule, net.config, net.graph, *net.routing).link, 1);
}

TEST(ChunkSchedule, VectorsAreCutIntoPiecesThatAddUp) {
    for (const CollectiveName& known : collective_names()) {
        Task task;
        task.collective = known.collective;
        task.nodes = 5;
        task.members = {0, 1, 2, 3, 4};
        task.chunks = 3;
        task.bytes = 100;
        std::uint64_t sum = 0;
        for (std::uint64_t chunk = 0; chunk < task.chunk_count(); ++chunk) {
            sum += task.chunk_bytes(chunk);
        }
        const std::uint64_t blocks = known.collective == Collective::kAllReduce ? 1 : task.blocks();
        EXPECT_EQ(sum, 100 * blocks) << known.name;
    }
}

TEST(ChunkSchedule, ByTheClockWhatIsPassedOnComesAfterWhatBroughtIt) {
    const Network net = network("kind: mesh, dims: [4, 4]", "single");
    const ChunkSchedule found =
        synthesize(request(Collective::kAllGather, 1), net.config, net.graph, *net.routing);
    const Program program = to_program(found, "test");
    EXPECT_EQ(program.ordering, Ordering::kTimed);
    EXPECT_TRUE(validate(program).empty());
    std::size_t own = 0;
    for (const Transfer& transfer : program.transfers) {
        if (transfer.after.empty()) {
            ++own;  // the sender's own block
            continue;
        }
        ASSERT_EQ(transfer.after.size(), 1);
        const Transfer& before = program.transfers[transfer.after.front()];
        EXPECT_EQ(before.destination, transfer.source);
        EXPECT_LE(before.time + found.period, transfer.time);
    }
    EXPECT_GE(own, 16);
    EXPECT_LT(own, program.transfers.size());
}

}  // namespace
}  // namespace flitscope::synthesis
