// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Link loads and lower bounds on cases that can be counted by hand.
#include "models/performance/bounds.h"
#include "models/config/config.h"

#include "models/performance/bisection.h"
#include "models/performance/link_load.h"
#include "models/performance/zero_load_paths.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/graph.h"
#include "traffic/program/earliest_begins.h"
#include "traffic/program/program_report.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace flitscope {
namespace {

LowerBounds bounds_of(const Config& config, const Graph& graph, const std::vector<Flow>& flows) {
    const auto routing = make_routing(config, graph);
    ZeroLoadPaths paths(config, graph, *routing);
    return lower_bounds(config, paths, flows);
}

// --- Link load -----------------------------------------------------------------------------------

TEST(LinkLoad, SumsWeightsAlongRoutesAndClears) {
    const Graph graph = build_mesh({2, 3});
    const auto routing = make_routing(Config(), graph);
    LinkLoad load(graph, *routing);
    EXPECT_EQ(load.max(), 0U);
    EXPECT_EQ(load.busiest(), kNoLink);
    load.add(0, 5, 10);  // 0-1-2-5
    load.add(1, 2, 3);
    load.add(4, 4, 99);
    EXPECT_EQ(load.max(), 13U);
    EXPECT_EQ(graph.link(load.busiest()).from, RouterId(1));
    EXPECT_EQ(graph.link(load.busiest()).to, RouterId(2));
    EXPECT_EQ(std::accumulate(load.loads().begin(), load.loads().end(), 0U), 33U);
    load.clear();
    EXPECT_EQ(load.max(), 0U);
    EXPECT_EQ(load.busiest(), kNoLink);
    EXPECT_EQ(std::accumulate(load.loads().begin(), load.loads().end(), 0U), 0U);
}

TEST(LinkLoad, IsBusyUntilTheLastOfWhatComesLateHasCrossed) {
    const Graph graph = build_mesh({4});
    const auto routing = make_routing(Config(), graph);
    LinkLoad load(graph, *routing);
    load.add(1, 2, 5, kNoLink, 100);
    EXPECT_EQ(load.busy_until(), 105U);
    load.add(0, 3, 6, kNoLink, 98);
    EXPECT_EQ(load.busy_until(), 109U);
    load.add(2, 3, 40, kNoLink, 20);
    EXPECT_EQ(load.busy_until(), 109U);
    EXPECT_EQ(load.max(), 46U);
    load.clear();
    EXPECT_EQ(load.busy_until(), 0U);
}

TEST(LinkLoad, BusiestIsTheLowestNumberedOfEquals) {
    const Graph graph = build_mesh({4});
    const auto routing = make_routing(Config(), graph);
    for (const bool forward : {true, false}) {
        LinkLoad load(graph, *routing);
        load.add(forward ? 0 : 3, forward ? 3 : 0, 2);
        load.add(forward ? 3 : 0, forward ? 0 : 3, 2);
        EXPECT_EQ(load.busiest(), 0U);
    }
}

class Lost final : public Routing {
public:
    explicit Lost(const Graph& graph) : Routing(graph.shared_places()) {}
    std::string name() const override { return "lost"; }

private:
    RouteChoice hop(RouterId at, NodeId) const override { return {at == RouterId(0) ? 1U : 2U}; }
};

TEST(LinkLoad, RefusesARouteThatDoesNotArrive) {
    const Graph graph = build_mesh({4});
    const Lost routing(graph);
    LinkLoad load(graph, routing);
    EXPECT_THROW(load.add(0, 3, 1), std::logic_error);
}

TEST(LinkLoad, CompleteExchangeLoadsTheMiddleOfALineWithAllPairsAcross) {
    const Graph graph = build_mesh({8});
    const auto routing = make_routing(Config(), graph);
    LinkLoad load(graph, *routing);
    for (const Transfer& t : gen(8, 1).transfers) load.add(t.source, t.destination, 1);
    for (RouterId router; router + 1 < 8; ++router) {
        EXPECT_EQ(load.loads()[graph.out_link(router, 1)], (router + 1) * (7 - router));
    }
    EXPECT_EQ(load.max(), 16U);
}

// --- Middle cut ----------------------------------------------------------------------------------

TEST(MiddleCut, CutsTheLongestDimensionOfAMeshInHalf) {
    EXPECT_EQ(middle_cut(build_mesh({4, 8})).up, 4U);
    EXPECT_EQ(middle_cut(build_mesh({8, 4})).up, 4U);
    EXPECT_EQ(middle_cut(build_mesh({3, 3, 5})).up, 9U);
    const NodeCut cut = middle_cut(build_mesh({2, 5}));
    EXPECT_EQ(cut.upper, (std::vector<bool>{false, false, true, true, true,  //
                                            false, false, true, true, true}));
    EXPECT_EQ(cut.up, 2U);
}

TEST(MiddleCut, TiesCutTheFirstDimension) {
    const NodeCut cut = middle_cut(build_mesh({4, 4}));
    for (RouterId router; router < 16; ++router) EXPECT_EQ(cut.upper[router], router >= 8);
    EXPECT_EQ(cut.up, 4U);
}

TEST(MiddleCut, SplitsAHypercubeByItsTopBit) {
    const NodeCut cut = middle_cut(build_hypercube(5));
    for (RouterId router; router < 32; ++router) EXPECT_EQ(cut.upper[router], router >= 16);
    EXPECT_EQ(cut.up, 16U);
}

TEST(MiddleCut, OfASingleNodeHasNoLinks) {
    EXPECT_EQ(middle_cut(build_mesh({1})).up, 0U);
    EXPECT_EQ(middle_cut(build_hypercube(0)).up, 0U);
}

TEST(MiddleCut, CutsAGraphWithoutAGridInRouterOrder) {
    Graph graph("custom", {5}, 3);
    for (RouterId router; router < 5; ++router) {
        Link link;  // a directed ring: one link of the cut per direction
        link.from = router;
        link.from_port = 1;
        link.to = RouterId((router + 1) % 5);
        link.to_port = 2;
        graph.add_link(link);
    }
    const NodeCut cut = middle_cut(graph);
    EXPECT_EQ(cut.upper, (std::vector<bool>{false, false, true, true, true}));
    EXPECT_EQ(cut.up, 1U);
}

// --- Bounds --------------------------------------------------------------------------------------

TEST(Bounds, CountFlitsAtEveryKindOfChannel) {
    // A line of four: 0->3, 1->3 and 0->2 with 10, 20 and 5 flits.
    const LowerBounds bounds =
        bounds_of(Config(), build_mesh({4}), {{0, 3, 10}, {1, 3, 20}, {0, 2, 5}});
    EXPECT_EQ(bounds.injection, 20U);
    EXPECT_EQ(bounds.ejection, 30U);
    EXPECT_EQ(bounds.link, 35U);       // 1->2 carries all
    EXPECT_EQ(bounds.bisection, 35U);  // and is the cut
    // 20 flits over two links: tail injected in cycle 19, 1 to the router, 2 x (1 + 1) for the
    // links, delivered in cycle 24.
    EXPECT_EQ(bounds.latency, 25U);
    EXPECT_EQ(bounds.max(), 35U);
    // Tails in cycles 9, 19 and 4, and 1 + 2 x 3, 1 + 2 x 2 and 1 + 2 x 2 on the way.
    EXPECT_DOUBLE_EQ(bounds.mean_latency.value(), (16 + 24 + 9) / 3.0);
}

TEST(Bounds, LatencyCountsEveryDelayOfTheIdleNetwork) {
    Config config;
    config.fabric.router_delay = 3;
    config.fabric.link_delay.cycles = 5;
    config.node.send_overhead = 100;
    Graph graph = build_mesh({2, 3});
    apply_link_delay(graph, config.fabric.link_delay, config.clock_ns);
    // 0->5: three hops of 3 + 5, injection 3, startup 100, tail 6 cycles after the head, + 1.
    EXPECT_EQ(bounds_of(config, graph, {{0, 5, 7}}).latency, 100U + 6 + 3 + 3 * 8 + 1);
    EXPECT_EQ(bounds_of(config, graph, {{0, 5, 1}, {4, 5, 2}}).latency, 100U + 3 + 3 * 8 + 1);
}

TEST(Bounds, NoZeroLoadPathIsLongerThanTheLongest) {
    Config config;
    config.node.send_overhead = 100;
    for (const Graph& graph : {build_mesh({5}), build_mesh({3, 4}), build_mesh({2, 2, 2})}) {
        const auto routing = make_routing(config, graph);
        ZeroLoadPaths paths(config, graph, *routing);
        Cycle longest = 0;
        for (NodeId from = 0; from < graph.node_count(); ++from) {
            for (NodeId to = 0; to < graph.node_count(); ++to) {
                if (from == to) continue;
                longest =
                    std::max(longest, ZeroLoadMessage(config).delivered(7, paths.path(from, to)));
            }
        }
        const Cycle most = longest_idle(config, graph, 7);
        EXPECT_GE(most, longest) << graph.description();
        EXPECT_LE(most - 106, 2 * (longest - 106)) << graph.description();
    }
}

TEST(Bounds, PacketsAreStoredOnTheirWay) {
    Config config;
    config.fabric.switching = Switching::kStoreAndForward;
    config.fabric.buffer_depth = 16;
    config.fabric.combining_delay = 20;
    config.fabric.router_delay = 2;
    Graph graph = build_mesh({2, 3});
    apply_link_delay(graph, config.fabric.link_delay, config.clock_ns);
    // 0->5: router_delay + H (F - 1 + d) + (H - 1) combining_delay with d = 3, and + 1.
    EXPECT_EQ(bounds_of(config, graph, {{0, 5, 7}}).latency, 2U + 3 * (6 + 3) + 2 * 20 + 1);
    EXPECT_EQ(bounds_of(config, graph, {{0, 1, 7}}).latency, 2U + (6 + 3) + 1);
    // Packets of 4, 4 and 2 flits: all are behind the first, which is stored like the others.
    config.node.packet_bytes = 24;
    EXPECT_EQ(bounds_of(config, graph, {{0, 5, 10}}).latency, 2U + 9 + 3 * 3 + 2 * (3 + 20) + 1);
}

TEST(Bounds, SlowMemoryDelaysTheLastPacket) {
    Config config;
    config.node.injection_bandwidth = {2, 3};
    const Graph graph = build_mesh({2});
    // 7 flits at 2/3 are assembled in ceil(21/2) = 11 cycles; then the packet leaves as a whole.
    LowerBounds bounds = bounds_of(config, graph, {{0, 1, 7}});
    EXPECT_EQ(bounds.injection, 11U);
    EXPECT_EQ(bounds.latency, 11U + 6 + 1 + 2 + 1);
    // Packets of 1 + 2 flits: the last of 7 flits has 1; only it is still to be sent at cycle 11.
    config.node.packet_bytes = 16;
    bounds = bounds_of(config, graph, {{0, 1, 7}});
    EXPECT_EQ(bounds.latency, 11U + 0 + 1 + 2 + 1);
    // 6 flits are two full packets.
    EXPECT_EQ(bounds_of(config, graph, {{0, 1, 6}}).latency, 9U + 2 + 1 + 2 + 1);
    // Messages of one node add up: 14 flits take 21 cycles.
    EXPECT_EQ(bounds_of(config, graph, {{0, 1, 7}, {0, 1, 7}}).injection, 21U);
}

TEST(Bounds, BisectionRoundsUpAndTakesTheWorseDirection) {
    const Graph graph = build_mesh({2, 4});  // two links of the cut per direction
    LowerBounds bounds = bounds_of(Config(), graph, {{0, 2, 3}, {5, 7, 4}, {3, 0, 2}});
    EXPECT_EQ(bounds.bisection, 4U);
    bounds = bounds_of(Config(), graph, {{0, 2, 1}, {3, 0, 9}, {2, 3, 100}});
    EXPECT_EQ(bounds.bisection, 5U);
}

TEST(Bounds, CountFromTheBeginOfMessages) {
    // Flits of messages that begin in cycle 1000 or later, then of all: whichever ends later.
    const Graph graph = build_mesh({4});
    LowerBounds bounds = bounds_of(Config(), graph,
                                   {{0, 3, 10, kNoLink, 0},
                                    {0, 3, 4, kNoLink, 1000},
                                    {0, 3, 5, kNoLink, 1000},
                                    {1, 0, 2, kNoLink, 1010}});
    EXPECT_EQ(bounds.injection, 1012U);
    EXPECT_EQ(bounds.ejection, 1012U);
    EXPECT_EQ(bounds.link, 1012U);
    EXPECT_EQ(bounds.bisection, 1009U);
    EXPECT_EQ(bounds.latency, 1010U + 1 + 1 + 2 + 1);
    bounds = bounds_of(Config(), graph, {{0, 3, 4, kNoLink, 7}, {0, 3, 50, kNoLink, 2}});
    EXPECT_EQ(bounds.injection, 56U);
    EXPECT_EQ(bounds.ejection, 56U);
    EXPECT_EQ(bounds.link, 56U);
    EXPECT_EQ(bounds.bisection, 56U);
    EXPECT_EQ(bounds.latency, 2U + 49 + 1 + 3 * 2 + 1);
    // The last of many does not make the bound when it is short.
    bounds = bounds_of(Config(), graph, {{0, 1, 500, kNoLink, 0}, {0, 1, 1, kNoLink, 100}});
    EXPECT_EQ(bounds.injection, 501U);
}

TEST(Bounds, CutsRoundUpFromEveryBegin) {
    const Graph graph = build_mesh({2, 4});  // two links of the cut per direction
    const LowerBounds bounds = bounds_of(
        Config(), graph, {{0, 2, 3, kNoLink, 40}, {1, 3, 8, kNoLink, 20}, {7, 4, 30, kNoLink, 0}});
    EXPECT_EQ(bounds.bisection, 42U);
}

TEST(Bounds, SerialStartupsAddUpAtTheNode) {
    Config config;
    config.node.send_overhead = 100;
    const std::vector<Flow> flows = {{0, 1, 7}, {0, 1, 5}, {0, 1, 9}, {1, 0, 20}};
    EXPECT_EQ(bounds_of(config, build_mesh({2}), flows).injection, 121U);
    config.node.serialize_overhead = true;
    LowerBounds bounds = bounds_of(config, build_mesh({2}), flows);
    EXPECT_EQ(bounds.injection, 321U);
    EXPECT_EQ(bounds.ejection, 121U);  // no flit moves before the first startup is over
    EXPECT_EQ(bounds.link, 121U);
    config.node.injection_bandwidth = {1, 2};  // each is assembled by itself
    EXPECT_EQ(bounds_of(config, build_mesh({2}), flows).injection, 300U + 14 + 10 + 18);
    config.node.injection_bandwidth = {2, 3};
    EXPECT_EQ(bounds_of(config, build_mesh({2}), flows).injection, 300U + 11 + 8 + 14);
}

TEST(Bounds, CircuitsOfANodeAreSetUpOneByOne) {
    Config config;
    config.fabric.switching = Switching::kCircuit;
    config.node.send_overhead = 10;
    // The set-up of a path continues while the message before it streams.
    const LowerBounds bounds =
        bounds_of(config, build_mesh({2}), {{0, 1, 7}, {0, 1, 5}, {0, 1, 90}});
    EXPECT_EQ(bounds.injection, 10U + 10 + 90);
    EXPECT_EQ(bounds.ejection, 112U);
}

TEST(Bounds, ShallowBuffersLetFlitsWaitForSlots) {
    Config config;
    config.fabric.buffer_depth = 2;
    // A slot of a link comes back after 1 + 1 + 1 cycles, one of an injection channel after 2.
    const Graph graph = build_mesh({2});
    LowerBounds bounds = bounds_of(config, graph, {{0, 1, 7}, {0, 1, 4}});
    EXPECT_EQ(bounds.link, 5U * 3 + 0 + 1);
    EXPECT_EQ(bounds.injection, 11U);
    EXPECT_EQ(bounds.latency, 3U * 3 + 0 + 3 + 1);
    config.fabric.virtual_channels = 2;  // a packet stays in one of them
    bounds = bounds_of(config, graph, {{0, 1, 7}, {0, 1, 4}});
    EXPECT_EQ(bounds.link, 11U);
    EXPECT_EQ(bounds.latency, 3U * 3 + 0 + 3 + 1);
    config.fabric.buffer_depth = 1;
    EXPECT_EQ(bounds_of(config, graph, {{0, 1, 7}}).injection, 7U);
    EXPECT_EQ(bounds_of(config, graph, {{0, 1, 7}}).latency, 6U * 3 + 3 + 1);
}

TEST(Bounds, CountNoLinkWhereThePathIsOpenAndTakeTheFastestOne) {
    Graph graph = build_mesh({3, 3});
    for (LinkId id = 0; id < graph.link_count(); ++id) graph.set_delay(id, 9);
    // The way round, 0 to 3 to 4 to 1, is the fast one: to the south, east and north.
    for (const auto& [router, port] :
         std::vector<std::pair<std::uint32_t, PortId>>{{0, 3}, {3, 1}, {4, 4}}) {
        graph.set_delay(graph.out_link(RouterId(router), port), 1);
    }
    Config config;
    config.fabric.virtual_channels = 2;
    config.fabric.buffer_depth = 32;  // long links stream
    const std::vector<Flow> flows{{4, 5, 7}, {0, 1, 10}, {0, 2, 1}};
    const auto fixed = make_dimension_order(graph);
    ZeroLoadPaths fixed_paths(config, graph, *fixed);
    const LowerBounds straight = lower_bounds(config, fixed_paths, flows);
    EXPECT_EQ(straight.link, 11U);
    EXPECT_EQ(straight.latency, 1U + 2 * 10 + 1);  // 0 to 2
    for (const auto& open : {make_valiant(graph, 2, 1), make_minimal_adaptive(graph)}) {
        ZeroLoadPaths open_paths(config, graph, *open);
        const LowerBounds bounds = lower_bounds(config, open_paths, flows);
        EXPECT_EQ(bounds.link, 0U);
        EXPECT_EQ(bounds.latency, 1U + 3 * 2 + 10 + 1);  // 0 to 2 by way of 3
        EXPECT_EQ(bounds.injection, straight.injection);
        EXPECT_EQ(bounds.bisection, straight.bisection);
    }
}

// --- What messages come after --------------------------------------------------------------------

std::vector<Cycle> begins_of(const Config& config, const Graph& graph, const Program& program) {
    ProgramFlows messages(program, config.packet_format());
    const auto routing = make_routing(config, graph);
    ZeroLoadPaths paths(config, graph, *routing);
    set_earliest_begins(program, messages, config, paths);
    std::vector<Cycle> begins;
    for (std::size_t id = 0; id < messages.size(); ++id) begins.push_back(messages.begin(id));
    return begins;
}

TEST(EarliestBegins, FollowTheStepsOfEveryNode) {
    Config config;
    config.node.send_overhead = 10;
    config.node.recv_overhead = 5;
    const Graph graph = build_mesh({4});
    Program program = empty_program("steps", 4, 5);
    program.send(0, 1, 24, 0);  // 4 flits
    program.send(1, 0, 8, 0);   // 2 flits
    program.send(1, 2, 8, 1);
    program.send(0, 1, 8, 1);
    program.send(3, 2, 8, 2);
    // Delivered in cycle 10 + 3 + 3 and 10 + 1 + 3; the receiver continues after 5 more.
    EXPECT_EQ(begins_of(config, graph, program), (std::vector<Cycle>{0, 0, 22, 20, 0}));
    program.barrier_cycles = 100;
    EXPECT_EQ(begins_of(config, graph, program),
              (std::vector<Cycle>{0, 0, 122, 122, 122 + 20 + 100}));
}

TEST(EarliestBegins, FollowWhatTimedMessagesComeAfter) {
    const Config config;
    const Graph graph = build_mesh({4});
    Program program = empty_program("timed", 4, 3);
    program.ordering = Ordering::kTimed;
    program.send(0, 1, 24, 0);
    program.send(1, 2, 24, 0);
    program.send(1, 3, 8, 0);
    program.transfers.change(1, [](Transfer& t) { t.after = {0}; });
    program.transfers.change(2, [](Transfer& t) { t.time = 3; });
    // Delivered in cycle 3 + 3; the later one of two sends of a node waits for the earlier.
    EXPECT_EQ(begins_of(config, graph, program), (std::vector<Cycle>{0, 7, 7}));
}

TEST(Bounds, AreTheSameInWhateverOrderMessagesAreListed) {
    constexpr std::size_t kMessages = 13'000;
    const Graph graph = build_mesh({4, 4});
    for (const Cycle disorder : {1U, 2U, 40U, 100'000U}) {
        SCOPED_TRACE(disorder);
        std::mt19937_64 random(disorder);
        std::vector<Flow> flows;
        for (std::size_t i = 0; i < kMessages; ++i) {
            const auto source = static_cast<NodeId>(random() % 16);
            const auto destination = static_cast<NodeId>((source + 1 + random() % 15) % 16);
            // The first of all may be the last to begin.
            const std::size_t place = disorder == 2 && i < 4000 ? i + 100'000 : i;
            flows.push_back(
                {source, destination, 1 + random() % 9, kNoLink, place / 2 + random() % disorder});
        }
        const LowerBounds listed = bounds_of(Config(), graph, flows);
        std::stable_sort(flows.begin(), flows.end(),
                         [](const Flow& a, const Flow& b) { return a.begin < b.begin; });
        const LowerBounds sorted = bounds_of(Config(), graph, flows);
        EXPECT_EQ(listed.injection, sorted.injection);
        EXPECT_EQ(listed.ejection, sorted.ejection);
        EXPECT_EQ(listed.link, sorted.link);
        EXPECT_EQ(listed.bisection, sorted.bisection);
        EXPECT_EQ(listed.latency, sorted.latency);
    }
}

TEST(Bounds, OfNothingAreZero) {
    const LowerBounds bounds = bounds_of(Config(), build_mesh({4}), {});
    EXPECT_EQ(bounds.max(), 0U);
    EXPECT_EQ(bounds_of(Config(), build_mesh({1}), {}).max(), 0U);
}

TEST(Bounds, OfACompleteExchangeAreTheTextbookOnes) {
    // 8x8 mesh, messages of 1 + 4 flits: 63 messages per node, 32 * 32 messages across 8 links.
    const Graph graph = build_mesh({8, 8});
    const Program program = pex(64, 32);
    const auto routing = make_routing(Config(), graph);
    ZeroLoadPaths paths(Config(), graph, *routing);
    const LowerBounds bounds =
        lower_bounds(Config(), paths, ProgramFlows(program, PacketFormat{64, 1, 0}));
    EXPECT_EQ(bounds.injection, 63U * 5);
    EXPECT_EQ(bounds.ejection, 63U * 5);
    EXPECT_EQ(bounds.bisection, 32U * 32 * 5 / 8);
    EXPECT_EQ(bounds.link, 32U * 32 * 5 / 8);  // a^3/4 = 128 messages over the middle links
    EXPECT_EQ(bounds.latency, 5U - 1 + 1 + 14 * 2 + 1);
}

TEST(Bounds, SaturateInsteadOfWrapping) {
    Config config;
    config.node.injection_bandwidth = {1, 1'000'000};
    const std::uint64_t huge = 1ULL << 60;
    const LowerBounds bounds = bounds_of(config, build_mesh({2}), {{0, 1, huge}});
    EXPECT_GE(bounds.injection, huge);
    EXPECT_EQ(bounds.ejection, huge);
    // 2048 cycles for every flit of one slot.
    constexpr Cycle kLast = std::numeric_limits<Cycle>::max();
    config = {};
    config.fabric.buffer_depth = 1;
    config.fabric.router_delay = 2046;
    const LowerBounds slow = bounds_of(config, build_mesh({2}), {{0, 1, huge}});
    EXPECT_EQ(slow.injection, kLast);
    EXPECT_EQ(slow.link, kLast);
    EXPECT_EQ(slow.latency, kLast);
    Flow late{0, 1, 3};
    late.begin = kLast - 1;
    EXPECT_EQ(bounds_of({}, build_mesh({2}), {late}).link, kLast);
    const std::vector<Flow> many(20, {0, 1, huge});
    EXPECT_EQ(bounds_of({}, build_mesh({2}), many).link, kLast);
}

}  // namespace
}  // namespace flitscope
