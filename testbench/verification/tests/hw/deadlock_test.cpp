// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that wait for each other are found and named, and congestion is not taken for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hw/verilated/rtl_limitations.h"
#include "hw/verilated/rtl_routers.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/support/ring_graph.h"
#include "traffic/endpoints/generator.h"

namespace flitscope {
namespace {

using testing::IsEmpty;

/// Around the ring; packets change to virtual channel 1 after router 0, which breaks the cycle.
class DatelineRouting final : public Routing {
public:
    DatelineRouting(const Graph& ring, bool dateline)
        : Routing(ring.shared_places()), dateline_(dateline) {}
    std::string name() const override { return "dateline"; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        const RouterId last = router_of(destination);
        if (at == last) return {kLocalPort};
        if (!dateline_) return {1};
        return {1, static_cast<std::uint8_t>(at > last ? 1 : 2)};
    }

private:
    bool dateline_;
};

/// Every node sends 64 flits `distance` nodes down the ring at once.
Program around(NodeId nodes, NodeId distance) {
    Program program = steps(nodes, {});
    for (NodeId node = 0; node < nodes; ++node) {
        program.transfers.push_back({node, (node + distance) % nodes, 504});
    }
    return program;
}

/// An engine, and an arbitration of the switch that it can do.
struct Engine {
    const char* name;
    SwitchArbitration switch_arbitration;
    Allocation allocation = Allocation::kSequential;
};

/// A fabric without generators: all messages are handed over before the run.
struct BareFabric {
    BareFabric(const Engine& engine, const Config& config, const Graph& graph,
               const Routing& routing, const Program& program)
        : owner(make_fabric(engine.name, config, graph, routing)), fabric(*owner) {
        for (MessageId id = 0; id < program.transfers.size(); ++id) {
            const Transfer& t = program.transfers[id];
            fabric.port(t.source).send({id, t.source, t.destination, t.step, t.bytes}, t.time);
        }
    }
    FreshKernel kernel;
    std::unique_ptr<Fabric> owner;
    Fabric& fabric;
};

class FindDeadlock : public testing::TestWithParam<Engine> {
protected:
    FindDeadlock() {
        config.fabric.switch_arbitration = GetParam().switch_arbitration;
        config.fabric.allocation = GetParam().allocation;
    }
    Config config;
};

INSTANTIATE_TEST_SUITE_P(
    Engines, FindDeadlock,
    testing::Values(Engine{"cycle", SwitchArbitration::kRoundRobin},
                    Engine{"cycle", SwitchArbitration::kPerPacket},
                    Engine{"cycle", SwitchArbitration::kPerPacket, Allocation::kCombined},
                    Engine{"tlm", SwitchArbitration::kPerPacket},
                    Engine{"tlm", SwitchArbitration::kPerPacket, Allocation::kCombined}),
    [](const auto& engine) {
        return std::string(engine.param.name) + "_" + name_of(engine.param.switch_arbitration) +
               "_" + name_of(engine.param.allocation);
    });

TEST_P(FindDeadlock, NamesEveryPacketAndChannelOfADeadlock) {
    const Graph graph = ring(4);
    const ChannelMap map(graph);
    const DatelineRouting routing(graph, false);
    config.fabric.buffer_depth = 2;
    BareFabric bare(GetParam(), config, graph, routing, around(4, 2));
    EXPECT_EQ(run_to_rest(bare.fabric), RunEnd::kIdle);
    const std::vector<WaitingPacket> cycle = bare.fabric.find_deadlock();
    // Packet i fills the FIFO of link i and waits for link i + 1; that is held by packet i + 1,
    // which waits in its injection channel for a credit of the FIFO that it has filled.
    ASSERT_EQ(cycle.size(), 8U);
    for (NodeId k = 0; k < 4; ++k) {
        const NodeId next = (k + 1) % 4;
        const WaitingPacket& head = cycle[2 * k];
        EXPECT_EQ(head.message.id, k);
        EXPECT_EQ(head.at, map.link(k));
        EXPECT_EQ(head.wants, map.link(next));
        EXPECT_FALSE(head.granted);
        const WaitingPacket& body = cycle[2 * k + 1];
        EXPECT_EQ(body.message.id, next);
        EXPECT_EQ(body.message.destination, (next + 2) % 4);
        EXPECT_EQ(body.at, map.injection(next));
        EXPECT_EQ(body.wants, map.link(next));
        EXPECT_TRUE(body.granted);
    }
    EXPECT_THAT(bare.fabric.broken_invariants(false), IsEmpty());
    EXPECT_FALSE(bare.fabric.broken_invariants(true).empty());
}

/// Packets that fit into a FIFO leave the links behind them free, and are stuck all the same.
TEST_P(FindDeadlock, FullFifosBehindFreeLinksAreACycle) {
    const Graph graph = ring(4);
    const ChannelMap map(graph);
    const DatelineRouting routing(graph, false);
    config.fabric.buffer_depth = 2;
    Program program = steps(4, {});
    for (NodeId node = 0; node < 4; ++node) {
        for (int i = 0; i < 2; ++i) {
            program.transfers.push_back({node, (node + 2) % 4, 8});  // a header and a flit
        }
    }
    BareFabric bare(GetParam(), config, graph, routing, program);
    EXPECT_EQ(run_to_rest(bare.fabric), RunEnd::kIdle);
    const std::vector<WaitingPacket> cycle = bare.fabric.find_deadlock();
    EXPECT_FALSE(cycle.empty());
    if (GetParam().allocation == Allocation::kSequential) return;  // others are granted the links
    ASSERT_EQ(cycle.size(), 4U);
    for (const WaitingPacket& head : cycle) {
        EXPECT_FALSE(head.granted);
        EXPECT_TRUE(map.is_link(head.at));
        EXPECT_EQ(head.wants, (head.at + 1) % 4);
    }
}

TEST_P(FindDeadlock, EachPacketWaitsForTheNextOneWithSeveralVirtualChannels) {
    const Graph graph = ring(5);
    const DatelineRouting routing(graph, false);
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 3;
    BareFabric bare(GetParam(), config, graph, routing, around(5, 4));
    EXPECT_EQ(run_to_rest(bare.fabric), RunEnd::kIdle);
    const std::vector<WaitingPacket> cycle = bare.fabric.find_deadlock();
    ASSERT_FALSE(cycle.empty());
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const WaitingPacket& next = cycle[(i + 1) % cycle.size()];
        if (cycle[i].granted) {
            EXPECT_EQ(next.at, cycle[i].wants) << i;  // whoever is at the front there is in the way
        } else {
            EXPECT_EQ(next.wants, cycle[i].wants) << i;  // the next one holds the channel
            EXPECT_TRUE(next.granted) << i;
        }
    }
}

TEST_P(FindDeadlock, SimulationReportsTheDeadlock) {
    config.fabric.allow_deadlock = true;
    config.fabric.buffer_depth = 2;
    const Graph graph = ring(4);
    const Machine machine =
        make_machine(config, graph, std::make_unique<DatelineRouting>(graph, false), around(4, 2));
    const FreshKernel kernel;
    const SimulationResult result = simulate(machine, GetParam().name, {});
    EXPECT_EQ(result.verdict, Verdict::kDeadlock);
    ASSERT_EQ(result.problems.size(), 8U);
    EXPECT_EQ(result.problems[0],
              "message 0 (node 0 to node 2, step 1) at the end of link_000_001 waits for "
              "link_001_002, which the next one holds");
}

TEST_P(FindDeadlock, DatelineBreaksTheCycleAndEqualsGoldenModel) {
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 2;
    const Graph graph = ring(5);
    for (const NodeId distance : {2U, 3U, 4U}) {
        SCOPED_TRACE(distance);
        const Machine machine = make_machine(
            config, graph, std::make_unique<DatelineRouting>(graph, true), around(5, distance));
        CompareRun run;
        run.engine = GetParam().name;
        CompareCounts counts;
        for (const hw::ScanOrder order : {hw::ScanOrder::kAscending, hw::ScanOrder::kDescending}) {
            run.order = order;
            EXPECT_EQ(compare_machine_with_golden(machine, run, counts), "");
        }
        EXPECT_EQ(counts.flit_hops, 2U * 64 * 5 * distance);
    }
}

TEST_P(FindDeadlock, FindsNothingInACongestedNetworkAtAnyTime) {
    for (const std::uint32_t vcs : {1U, 3U}) {
        SCOPED_TRACE(vcs);
        config.fabric.virtual_channels = vcs;
        config.fabric.buffer_depth = 1;
        config.fabric.link_delay.cycles = 2;
        const Graph graph = build_topology([this] {
            Config c = config;
            c.fabric.topology.kind = "mesh";
            c.fabric.topology.dims = {3, 3};
            return c;
        }());
        const auto routing = make_dimension_order(graph);
        BareFabric bare(GetParam(), config, graph, *routing, hot_traffic(9, 120, 5));
        EXPECT_GT(cycles_without_deadlock(bare.fabric), 400U);
    }
}

const Engine kAdaptiveEngines[] = {{"cycle", SwitchArbitration::kRoundRobin},
                                   {"tlm", SwitchArbitration::kPerPacket},
                                   {"tlm", SwitchArbitration::kPerPacket, Allocation::kCombined}};

/// The choices of minimal_adaptive, with the escape as one of them.
class UnmarkedEscape final : public Routing {
public:
    explicit UnmarkedEscape(const Graph& graph)
        : Routing(graph.shared_places()), marked_(make_minimal_adaptive(graph)) {}
    std::string name() const override { return "unmarked"; }
    PathChoice path_choice() const override { return PathChoice::kAdaptive; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return marked_->route(at, destination);
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        RouteChoices marked;
        marked_->route(query, marked);
        choices.clear();
        for (std::size_t i = 0; i < marked.size(); ++i) choices.add(marked[i]);
    }

private:
    std::unique_ptr<Routing> marked_;
};

/// Everybody sends to anybody, all at once.
Program crowd(NodeId nodes, std::uint64_t seed, std::uint64_t max_bytes = 30) {
    Program program = hot_traffic(nodes, std::size_t{60} * nodes, seed, max_bytes);
    std::mt19937_64 random(seed);
    program.transfers.change_all([&](Transfer& t) {
        t.destination = static_cast<NodeId>((t.source + 1 + random() % (nodes - 1)) % nodes);
    });
    return program;
}

/// A packet can only get stuck behind another packet, where it cannot ask for the escape.
TEST(AdaptiveRouting, NeedsEmptyFifosBesideTheEscape) {
    Config config;
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 4;
    config.fabric.allow_deadlock = true;
    const Graph graph = build_mesh({6, 6});
    int deadlocks = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        SCOPED_TRACE(seed);
        const auto result_of = [&](std::unique_ptr<Routing> routing) {
            const Machine machine =
                make_machine(config, graph, std::move(routing), crowd(36, seed));
            const FreshKernel kernel;
            return simulate(machine, "cycle", {});
        };
        EXPECT_EQ(result_of(make_minimal_adaptive(graph)).verdict, Verdict::kComplete);
        const SimulationResult unmarked = result_of(std::make_unique<UnmarkedEscape>(graph));
        if (unmarked.verdict != Verdict::kDeadlock) continue;
        ++deadlocks;
        EXPECT_GE(unmarked.problems.size(), 2U);
    }
    EXPECT_GE(deadlocks, 1);
}

TEST(AdaptiveRouting, FindsNothingToWaitForInACongestedNetworkAtAnyTime) {
    struct Case {
        Graph graph;
        std::unique_ptr<Routing> routing;
        std::uint32_t vcs;
    };
    std::vector<Case> cases;
    const auto add = [&](Graph graph, auto make, std::uint32_t vcs) {
        auto routing = make(graph);
        cases.push_back({std::move(graph), std::move(routing), vcs});
    };
    add(build_mesh({5, 5}), make_minimal_adaptive, 2);
    add(build_torus({3, 3}), make_minimal_adaptive, 3);
    add(build_mesh({3, 3}), make_odd_even, 1);
    add(build_mesh({3, 3}), make_west_first, 2);
    for (const Case& test : cases) {
        SCOPED_TRACE(test.routing->name());
        Config config;
        config.fabric.virtual_channels = test.vcs;
        config.fabric.buffer_depth = 2;
        config.fabric.link_delay.cycles = 2;
        for (const Engine& engine : kAdaptiveEngines) {
            config.fabric.switch_arbitration = engine.switch_arbitration;
            config.fabric.allocation = engine.allocation;
            BareFabric bare(engine, config, test.graph, *test.routing,
                            crowd(test.graph.node_count(), 5, 150));
            EXPECT_GT(cycles_without_deadlock(bare.fabric), 300U);
        }
    }
}

/// Credits that take long, and packets that use up all there are: most outputs are open without
/// one.
TEST(AdaptiveRouting, EqualsGoldenModelWhereCreditsAreRare) {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        SCOPED_TRACE(seed);
        Config config;
        config.fabric.virtual_channels = 1 + seed % 2;
        config.fabric.buffer_depth = 1;
        config.fabric.link_delay.cycles = 3 + seed % 4;
        const Graph graph = build_mesh({3, 4});
        for (const Engine& engine : kAdaptiveEngines) {
            config.fabric.switch_arbitration = engine.switch_arbitration;
            config.fabric.allocation = engine.allocation;
            auto routing = seed % 3 == 0 ? make_odd_even(graph) : make_west_first(graph);
            const Machine machine =
                make_machine(config, graph, std::move(routing), hot_traffic(12, 400, seed, 16));
            ASSERT_EQ(difference_from_golden(machine, 500, engine.name), "");
        }
    }
}

TEST(AdaptiveRouting, IsRefusedByRtlRouters) {
    Config config;
    config.fabric.virtual_channels = 2;
    const Graph graph = build_mesh({4, 4});
    const auto adaptive = make_odd_even(graph);
    const auto by_lot = make_valiant(graph, 2, 1);
    config.fabric.router = RouterKind::kRtl;
    for (const Routing* const routing : {adaptive.get(), by_lot.get()}) {
        EXPECT_THAT(
            refused_with([&] { hw::RtlRouters rtl(config, graph, *routing); }),
            testing::HasSubstr("RTL routers route by the destination of a packet only, and " +
                               routing->name() + " needs more"));
    }
}

TEST(ObliviousRouting, OfTwoPathsIsRefusedByOtherRoutersOnly) {
    Config config;
    config.fabric.virtual_channels = 2;
    const Graph graph = build_mesh({4, 4});
    const auto two_paths = make_o1turn(graph, 2, 1);
    config.fabric.router = RouterKind::kRtl;
    EXPECT_FALSE(hw::verilated_refusal(config, graph, *two_paths));
    RtlModule theirs;
    theirs.top = "theirs";
    config.fabric.router = theirs;
    const auto refusal = hw::verilated_refusal(config, graph, *two_paths);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->key, "fabric.routing");
    EXPECT_THAT(refusal->reason, testing::HasSubstr("'theirs' is not ours"));
}

/// Round a ring either way, whichever is free.
class EitherWay final : public Routing {
public:
    explicit EitherWay(const Graph& ring) : Routing(ring.shared_places()) {}
    std::string name() const override { return "either way"; }
    PathChoice path_choice() const override { return PathChoice::kAdaptive; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return {at == router_of(destination) ? kLocalPort : 1};
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        if (query.at == router_of(query.destination)) return choices.add({kLocalPort});
        choices.add({1});
        choices.add({2});
    }
};

/// Round a ring one way. Packets prefer virtual channel 0; once under way they may have 1 as well.
class LaterOnEitherChannel final : public Routing {
public:
    explicit LaterOnEitherChannel(const Graph& ring) : Routing(ring.shared_places()) {}
    std::string name() const override { return "later on either channel"; }
    PathChoice path_choice() const override { return PathChoice::kAdaptive; }
    RouteChoice hop(RouterId at, NodeId destination) const override {
        return {at == router_of(destination) ? kLocalPort : 1};
    }
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        if (query.at == router_of(query.destination)) return choices.add({kLocalPort});
        choices.add({1, 1});
        if (query.at != router_of(query.source)) choices.add({1, 2});
    }
};

/// Each packet has filled the first FIFO on its way before its head can be seen there, and would
/// wait for the next packet of the ring if virtual channel 0 were all that it could have.
TEST(AdaptiveRouting, APacketWithAnotherChoiceThatIsFreeWaitsForNobody) {
    Config config;
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 2;
    Graph graph = ring(4);
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, 3);
    const LaterOnEitherChannel routing(graph);
    for (const Engine& engine : kAdaptiveEngines) {
        config.fabric.switch_arbitration = engine.switch_arbitration;
        config.fabric.allocation = engine.allocation;
        BareFabric bare(engine, config, graph, routing, around(4, 2));
        EXPECT_GT(cycles_without_deadlock(bare.fabric), 64U);
    }
}

TEST(AdaptiveRouting, DeadlockOfPacketsThatWaitForAllTheirChoicesIsNamed) {
    Config config;
    config.fabric.buffer_depth = 2;
    const Graph graph = build_torus({4});
    Program program = around(4, 2);
    for (NodeId node = 0; node < 4; ++node) program.transfers.push_back(program.transfers[node]);
    const EitherWay routing(graph);
    for (const Engine& engine : kAdaptiveEngines) {
        config.fabric.allocation = engine.allocation;
        BareFabric bare(engine, config, graph, routing, program);
        EXPECT_EQ(run_to_rest(bare.fabric), RunEnd::kIdle);
        const std::vector<WaitingPacket> cycle = bare.fabric.find_deadlock();
        ASSERT_GE(cycle.size(), 2U);
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            const WaitingPacket& next = cycle[(i + 1) % cycle.size()];
            EXPECT_TRUE(next.at == cycle[i].wants || next.wants == cycle[i].wants) << i;
        }
    }
}

}  // namespace
}  // namespace flitscope
