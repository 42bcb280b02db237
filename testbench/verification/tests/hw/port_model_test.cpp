// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Port models: closed forms of nodes with a channel for every link, the waits of copies and
// streams, and who refuses them. Random machines are compared in golden_test.
#include "models/fabric/port_model.h"
#include "models/config/value_named.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/compare/verify.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/engines.h"
#include "testbench/verification/reference/compare.h"
#include "testbench/verification/tests/support/fabric_fixture.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "tlm/engine/fabric.h"
#include "traffic/program/channel_rules.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

// Cycles in addition to those of flits, for all machines in this file unless they say otherwise.
constexpr Cycle kStartup = 7;
constexpr Cycle kReceive = 5;
constexpr Cycle kHop = 2 * 2 + 3;  // injection, link, ejection: router_delay 2, link_delay 3

Machine machine_of(const std::string& topology, const std::string& model,
                   const std::string& traffic, const std::string& more = "") {
    return build_machine(parse_config(
        fmt::format(
            "fabric: {{topology: {{{}}}, router_delay: 2, link_delay: 3, buffer_depth: 16}}\n"
            "node: {{port_model: {}, send_overhead: {}, recv_overhead: {}{}}}\n"
            "traffic: {{{}}}\n",
            topology, model, kStartup, kReceive, more, traffic),
        "t.yaml"));
}

std::string error_of(const std::string& topology, const std::string& model,
                     const std::string& traffic, const std::string& more = "") {
    return refused_with([&] { machine_of(topology, model, traffic, more); });
}

/// The cycles of a run that ends well and is the same in the golden model.
Cycle cycles_of(const Machine& machine) {
    CompareCounts counts;
    EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
    const Outcome outcome = run(machine);
    EXPECT_EQ(outcome.result.verdict, Verdict::kComplete);
    EXPECT_GE(outcome.result.cycles, machine.bounds.max());
    return outcome.result.cycles;
}

constexpr std::uint32_t kFlits = 50;  // flits of every message of a collective, header included

Cycle cycles_of(const char* schedule, const char* algorithm, const std::string& model,
                std::uint32_t p, std::uint32_t w) {
    return cycles_of(
        machine_of(fmt::format("kind: how, dims: [{}], window: {}", p, w), model,
                   fmt::format("schedule: {}, algorithm: {}, message_bytes: {}, barrier: {}",
                               schedule, algorithm, 8 * (kFlits - 1),
                               std::string(algorithm) == "windows" ? "true" : "false")));
}

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }
std::uint32_t ceil_lg(std::uint32_t a) {
    std::uint32_t lg = 0;
    while (1U << lg < a) ++lg;
    return lg;
}

struct Line {
    std::uint32_t p;
    std::uint32_t w;
};
const Line kLines[] = {{8, 2}, {8, 4}, {8, 7}, {16, 3}, {16, 4}};

/// Ziavras: t_s + S m t_w + (S - 1) t_c for S steps, with t_s = startup + kHop, m t_w = flits and
/// t_c = startup + kHop + receive.
TEST(PortModels, StoreAndForwardTakesTheStepsOfThePaper) {
    const auto expected = [](Cycle steps) {
        return kStartup + kHop + steps * kFlits + (steps - 1) * (kStartup + kHop + kReceive);
    };
    for (const Line& line : kLines) {
        SCOPED_TRACE(fmt::format("p {} w {}", line.p, line.w));
        const std::uint32_t blocks = ceil_div(line.p - 1, line.w);
        const std::uint32_t s1 = ceil_lg(line.w + 1);
        const std::uint32_t s2 = line.w + 1 >= line.p ? 0 : ceil_div(line.p - (1U << s1), line.w);
        const auto cycles = [&line](const char* schedule, const char* model) {
            return cycles_of(schedule, "windows", model, line.p, line.w);
        };
        EXPECT_EQ(cycles("broadcast", "one_output"), expected(s1 + s2));
        EXPECT_EQ(cycles("broadcast", "same_value"), expected(blocks));
        EXPECT_EQ(cycles("broadcast", "independent"), expected(blocks));
        EXPECT_EQ(cycles("allgather", "one_output"), expected(line.p - 1));
        EXPECT_EQ(cycles("allgather", "same_value"),
                  expected(blocks + (line.p - 1) / (2 * line.w)));
        EXPECT_EQ(cycles("allgather", "independent"), expected(blocks));
        EXPECT_EQ(cycles("scatter", "one_output"), expected(line.p - 1));
        EXPECT_EQ(cycles("scatter", "independent"), expected(blocks));
        EXPECT_EQ(cycles("relayed-exchange", "same_value"), expected(line.p * line.p / 4));
    }
    EXPECT_EQ(cycles_of("relayed-exchange", "windows", "independent", 8, 2), expected(11));
}

/// A hop of a stream takes one cycle more than that of a flit: it is ejected, then injected.
TEST(PortModels, WormholeBroadcastFlowsThroughTheNodes) {
    for (const Line& line : kLines) {
        SCOPED_TRACE(fmt::format("p {} w {}", line.p, line.w));
        const Cycle blocks = ceil_div(line.p - 1, line.w);
        for (const char* model : {"same_value", "independent"}) {
            EXPECT_EQ(cycles_of("broadcast", "windows_wormhole", model, line.p, line.w),
                      kStartup + blocks * (kHop + 1) + kFlits - 1);
        }
        // With one output a node sends the value again for every child: s1 m + s2 (erratum).
        const Cycle s1 = ceil_lg(std::min(line.w + 1, line.p));
        const Cycle s2 = line.w + 1 >= line.p ? 0 : ceil_div(line.p - (1U << s1), line.w);
        EXPECT_EQ(cycles_of("broadcast", "windows_wormhole", "one_output", line.p, line.w),
                  kStartup + s1 * kFlits - 1 + (1 + s2) * (kHop + 1));
    }
}

/// One message length (5.1): the nodes of the root's row send along it and along their columns at
/// once.
TEST(PortModels, WormholeBroadcastInTwoDimensionsTakesTheHopsOfBoth) {
    for (const Line& row : {Line{4, 2}, Line{8, 2}, Line{8, 7}}) {
        const Cycle hops = 2 * ceil_div(row.p - 1, row.w);
        for (const char* model : {"same_value", "independent"}) {
            SCOPED_TRACE(fmt::format("{} x {}, w {}, {}", row.p, row.p, row.w, model));
            const Machine machine = machine_of(
                fmt::format("kind: how, dims: [{0}, {0}], window: {1}", row.p, row.w), model,
                fmt::format("schedule: broadcast, algorithm: windows_wormhole, message_bytes: {}",
                            8 * (kFlits - 1)));
            EXPECT_EQ(cycles_of(machine), kStartup + hops * (kHop + 1) + kFlits - 1);
        }
    }
}

TEST(PortModels, OtherWormholeCollectivesAreLimitedByTheBusiestChannel) {
    const auto expected = [](Cycle messages) { return kStartup + messages * kFlits + kHop; };
    for (const Line& line : kLines) {
        SCOPED_TRACE(fmt::format("p {} w {}", line.p, line.w));
        const Cycle blocks = ceil_div(line.p - 1, line.w);
        const auto cycles = [&line](const char* schedule, const char* model) {
            return cycles_of(schedule, "windows_wormhole", model, line.p, line.w);
        };
        EXPECT_EQ(cycles("allgather", "one_output"), expected(line.p - 1));
        EXPECT_EQ(cycles("allgather", "independent"), expected(blocks));
        EXPECT_EQ(cycles("scatter", "same_value"), expected(line.p - 1));
        EXPECT_EQ(cycles("scatter", "independent"), expected(blocks));
        EXPECT_EQ(cycles("relayed-exchange", "one_output"), expected(line.p * line.p / 4));
        EXPECT_LE(cycles("allgather", "same_value"),
                  expected(blocks + (line.p - 1) / (2 * line.w)));
    }
}

/// Programs by hand on 5 nodes around node 0, whose port k leads to node k.
class Star : public testing::Test {
protected:
    static Machine machine(const std::string& model, Program program) {
        Config config;
        config.node.port_model = value_named(kPortModels, model).value();
        config.fabric.buffer_depth = 4;
        Graph graph = star(5, 5);
        if (config.node.has_channels_per_link()) graph.use_per_link_endpoints();
        auto routing = make_shortest_path(graph);
        EXPECT_TRUE(validate(program).empty());
        return make_machine(config, std::move(graph), std::move(routing), std::move(program));
    }
    /// Of `flits` flits, header included.
    static Transfer send(NodeId from, NodeId to, std::uint64_t flits, PortId port = 0) {
        Transfer transfer{from, to, 8 * (flits - 1)};
        transfer.port = static_cast<std::uint16_t>(port);
        return transfer;
    }
    static Transfer copy(Transfer transfer, NodeId to, PortId port) {
        transfer.destination = to;
        transfer.port = static_cast<std::uint16_t>(port);
        transfer.is_copy = true;
        return transfer;
    }
    static Program timed(std::vector<Transfer> transfers) {
        Program program = steps(5, std::move(transfers));
        program.ordering = Ordering::kTimed;
        return program;
    }
    /// When heads are injected and tails delivered, by message.
    static std::vector<std::pair<Cycle, Cycle>> times(const Machine& machine) {
        CompareCounts counts;
        EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
        std::vector<std::pair<Cycle, Cycle>> all;
        for (const PacketRecord& p : run(machine).packets) {
            all.emplace_back(p.head_injected, p.tail_delivered);
        }
        return all;
    }
    using Times = std::vector<std::pair<Cycle, Cycle>>;
};

TEST_F(Star, IndependentPortsSendAllAtOnce) {
    Program program = steps(5, {send(0, 1, 10), send(0, 2, 6), send(0, 3, 8), send(0, 1, 2)});
    EXPECT_EQ(times(machine("independent", program)), (Times{{0, 12}, {0, 8}, {0, 10}, {10, 14}}));
    EXPECT_EQ(times(machine("one_output", program)),
              (Times{{0, 12}, {10, 18}, {16, 26}, {24, 28}}));
    // Values that are not said to be copies are not sent together.
    EXPECT_EQ(times(machine("same_value", program)),
              (Times{{0, 12}, {10, 18}, {16, 26}, {24, 28}}));
}

TEST_F(Star, StartupsOfIndependentPortsRunSideBySide) {
    Machine one = machine("independent", steps(5, {send(0, 1, 10), send(0, 2, 10)}));
    one.config.node.send_overhead = 30;
    EXPECT_EQ(times(one), (Times{{30, 42}, {30, 42}}));
}

TEST_F(Star, ReceivesOverAllPortsAtOnce) {
    const Program program = steps(5, {send(1, 0, 10), send(2, 0, 10), send(3, 0, 10)});
    for (const char* model : {"one_output", "same_value", "independent"}) {
        EXPECT_EQ(times(machine(model, program)), (Times{{0, 12}, {0, 12}, {0, 12}})) << model;
    }
    EXPECT_EQ(times(machine("single", program)), (Times{{0, 12}, {0, 22}, {0, 32}}));
}

TEST_F(Star, CopiesLeaveInTheSameCyclesOfAllChannels) {
    const Transfer value = send(0, 1, 10, 1);
    const Program program = steps(5, {value, copy(value, 2, 2), copy(value, 4, 4), send(0, 3, 5)});
    EXPECT_EQ(times(machine("same_value", program)), (Times{{0, 12}, {0, 12}, {0, 12}, {10, 17}}));
    EXPECT_EQ(times(machine("one_output", program)),
              (Times{{0, 12}, {10, 22}, {20, 32}, {30, 37}}));
}

// Between its packets, too.
TEST_F(Star, ACopyOfWhatIsBeingSentIsRefused) {
    Machine one = machine("same_value", steps(5, {}));
    one.config.node.packet_bytes = 16;
    const FreshKernel kernel;
    const auto fabric = make_fabric("cycle", one.config, one.graph, *one.routing);
    SendOptions to_port;
    to_port.port = 1;
    fabric->port(0).send({0, 0, 1, 0, 64}, 0, to_port);
    std::size_t refused = 0;
    const RunControl control = inspected_every(1, [&](Cycle cycle) {
        SendOptions copy;
        copy.port = 2;
        copy.is_copy = true;
        EXPECT_THROW(fabric->port(0).send({1, 0, 2, 0, 64}, cycle, copy), std::invalid_argument);
        ++refused;
        return true;
    });
    EXPECT_EQ(run_to_rest(*fabric, control), RunEnd::kIdle);
    EXPECT_GE(refused, 12U);  // flits
}

/// Node 2's link to node 4 is busy with a message from node 1 when the copies come.
TEST(PortModels, CopiesWaitForTheSlowestChannel) {
    Config config;
    config.node.port_model = PortModel::kSameValue;
    config.fabric.buffer_depth = 2;
    Graph graph = build_how({4}, {1});
    graph.use_per_link_endpoints();
    Transfer through;  // along the line, over the link from 1 to 2
    through.source = 0;
    through.destination = 3;
    through.bytes = 8 * 39;
    Transfer value{1, 0, 8 * 9};
    value.time = 10;
    value.port = 2;
    Transfer copy = value;
    copy.destination = 2;
    copy.port = 1;
    copy.is_copy = true;
    Program program = steps(4, {through, value, copy});
    program.ordering = Ordering::kTimed;
    auto routing = make_dimension_order(graph);
    const Machine machine =
        make_machine(config, std::move(graph), std::move(routing), std::move(program));
    CompareCounts counts;
    EXPECT_EQ(compare_machine_with_golden(machine, {}, counts), "");
    const std::vector<PacketRecord> packets = run(machine).packets;
    // Two flits of either go out; then the FIFO before the busy link is full, and the other channel
    // waits with it although its own way is free.
    EXPECT_EQ(packets[1].head_injected, 10U);
    EXPECT_EQ(packets[2].head_injected, 10U);
    EXPECT_EQ(packets[1].tail_injected, packets[2].tail_injected);
    EXPECT_GT(packets[1].tail_injected, packets[0].tail_delivered - 10);
}

TEST_F(Star, StreamsFollowFlitByFlit) {
    Transfer onward = send(0, 2, 10);
    onward.after = {0};
    const Program whole = timed({send(1, 0, 10), onward});
    EXPECT_EQ(times(machine("one_output", whole)), (Times{{0, 12}, {13, 25}}));
    onward.streams = true;
    Program program = timed({send(1, 0, 10), onward});
    // The head is ejected in cycle 3 and continues in cycle 4.
    for (const char* model : {"one_output", "same_value", "independent"}) {
        EXPECT_EQ(times(machine(model, program)), (Times{{0, 12}, {4, 16}})) << model;
    }
    // A packet that has arrived when the send begins does not hold it up.
    program.transfers.change(1, [](Transfer& t) { t.time = 8; });
    EXPECT_EQ(times(machine("one_output", program)), (Times{{0, 12}, {8, 20}}));
    program.transfers.change(1, [](Transfer& t) { t.time = 40; });
    EXPECT_EQ(times(machine("one_output", program)), (Times{{0, 12}, {40, 52}}));
}

TEST_F(Star, StreamsCombineSeveralValues) {
    Transfer sum = send(0, 3, 10);
    sum.after = {0, 1};
    sum.streams = true;
    Transfer late = send(2, 0, 10);
    late.time = 5;
    // Flits of the later value come from cycle 5 + 3 on.
    EXPECT_EQ(times(machine("one_output", timed({send(1, 0, 10), late, sum}))),
              (Times{{0, 12}, {5, 17}, {9, 21}}));
}

TEST_F(Star, StreamsHoldUpTheirQueueAlone) {
    Transfer onward = send(0, 2, 10);
    onward.after = {0};
    onward.streams = true;
    Transfer late = send(1, 0, 10);
    late.time = 20;
    const Program program = timed({late, onward, send(0, 3, 5)});
    EXPECT_EQ(times(machine("one_output", program)), (Times{{20, 32}, {24, 36}, {34, 41}}));
    EXPECT_EQ(times(machine("independent", program)), (Times{{20, 32}, {24, 36}, {0, 7}}));
}

TEST_F(Star, EveryLinkHasItsOwnEnds) {
    const Machine m = machine("one_output", steps(5, {send(1, 0, 3), send(0, 4, 7)}));
    const ChannelMap map(m.graph);
    EXPECT_EQ(map.count(), 3 * m.graph.link_count());
    const LinkId in = m.graph.out_link(RouterId(1), 1);
    const LinkId out = m.graph.out_link(RouterId(0), 4);
    EXPECT_EQ(map.name(map.injection_of(out)), "inject_000_004");
    EXPECT_EQ(map.name(map.ejection_of(in)), "eject_001_000");
    EXPECT_EQ(map.node(map.ejection_of(in)), 0U);
    const std::vector<std::uint64_t> flits = run(m).result.channel_flits;
    EXPECT_EQ(flits[map.injection_of(out)], 7U);
    EXPECT_EQ(flits[map.ejection_of(out)], 7U);
    EXPECT_EQ(flits[map.ejection_of(in)], 3U);
    EXPECT_EQ(flits[map.injection_of(in)], 3U);
    EXPECT_EQ(flits[map.ejection_of(m.graph.out_link(RouterId(4), 1))], 0U);
}

TEST(PortModels, MessagesTakeTheLinkThatTheyName) {
    Config config;
    config.node.port_model = PortModel::kOneOutput;
    Graph graph = build_mesh({3, 3});
    graph.use_per_link_endpoints();
    Transfer transfer;  // from a corner to the opposite one, down first
    transfer.destination = 8;
    transfer.bytes = 72;
    transfer.port = 3;
    auto routing = make_dimension_order(graph);
    const LinkId down = graph.out_link(RouterId(0), 3);
    ASSERT_EQ(detour(transfer, graph, *routing), down);
    const Machine machine = make_machine(config, graph, std::move(routing), steps(9, {transfer}));
    const Outcome outcome = run(machine);
    EXPECT_EQ(outcome.result.channel_flits[down], 10U);
    EXPECT_EQ(outcome.result.channel_flits[graph.out_link(RouterId(0), 1)], 0U);
    EXPECT_EQ(outcome.packets[0].tail_delivered, 1U + 4 * 2 + 9);
}

/// A program file in the folder of temporary files.
std::string program_file(const std::string& text) {
    const std::string path = testing::TempDir() + "program.csv";
    std::ofstream(path) << text;
    return path;
}

std::string error_of_program(const std::string& model, const std::string& text,
                             const std::string& more = "") {
    return error_of("kind: mesh, dims: [3, 3]", model, "program: " + program_file(text), more);
}

TEST(PortModels, ProgramsAreCheckedWithFileAndLine) {
    const std::string columns = "source,destination,bytes,time,after,port,copy,streams\n";
    EXPECT_EQ(error_of_program("one_output", columns + "0,1,8,0,,1,0,0\n1,2,8,0,0,1,0,1\n"), "");
    EXPECT_THAT(error_of_program("single", columns + "0,1,8,0,,1,0,0\n"),
                HasSubstr(".csv:2:1: error: message 0 names port 1, and nodes have one channel"));
    EXPECT_THAT(error_of_program("single", columns + "0,1,8,0,,0,0,0\n1,2,8,0,0,0,0,1\n"),
                HasSubstr(".csv:3:1: error: message 1 streams, which needs an interface with"));
    EXPECT_THAT(error_of_program("one_output", columns + "0,1,8,0,,2,0,0\n"),
                HasSubstr(".csv:2:1: error: node 0 has no link at port 2 (ports with links: 1 (to "
                          "node 1), 3 (to node 3))"));
    EXPECT_THAT(error_of_program("one_output", columns + "0,1,80,0,,0,0,0\n1,2,80,0,0,0,0,1\n",
                                 ", packet_bytes: 64"),
                HasSubstr(".csv:3:1: error: message 1 streams in several packets"));
    EXPECT_THAT(error_of_program("same_value", columns + "0,1,8,0,,1,0,0\n0,4,8,0,,3,1,0\n"),
                HasSubstr(".csv:3:1: error: message 1 is one of several copies and does not name "
                          "the port of a link to its destination, node 4"));
    EXPECT_THAT(error_of_program("same_value", columns + "0,1,8,0,,1,0,0\n0,1,8,0,,1,1,0\n"),
                HasSubstr(".csv:3:1: error: messages 0 and 1 are copies over the same port"));
}

/// Four messages round a square, each along its second dimension first.
TEST(PortModels, DetoursThatCanDeadlockAreFound) {
    const std::string columns = "source,destination,bytes,step,port\n";
    const auto cycle_of = [&](const std::string& rows) {
        const std::string path = program_file(columns + rows);
        return machine_of("kind: mesh, dims: [3, 3]", "one_output", "program: " + path)
            .dependency_cycle;
    };
    EXPECT_TRUE(cycle_of("0,4,800,0,3\n").empty());
    EXPECT_FALSE(cycle_of("0,4,800,0,3\n4,0,800,0,4\n").empty());
}

TEST(PortModels, AreRefusedWhereTheyCannotBeHad) {
    const std::string mesh = "kind: mesh, dims: [4, 4]";
    const std::string exchange = "schedule: gen";
    EXPECT_EQ(error_of(mesh, "independent", exchange), "");
    EXPECT_THAT(error_of(mesh, "one_output", "pattern: uniform"),
                HasSubstr("t.yaml:2:20: error: port_model one_output is for programs"));
    EXPECT_THAT(error_of("kind: how, dims: [8], window: 2", "single",
                         "schedule: broadcast, algorithm: windows_wormhole"),
                HasSubstr("windows_wormhole streams, for which nodes need a channel for every "
                          "link (node.port_model: single)"));
    const auto config = [&](const std::string& fabric) {
        return parse_config("fabric: {topology: {" + mesh + "}" + fabric +
                                "}\nnode: {port_model: same_value}\ntraffic: {schedule: gen}\n",
                            "t.yaml");
    };
    const auto text = [&](const std::string& fabric) -> std::string {
        return refused_with([&] { build_machine(config(fabric)); });
    };
    EXPECT_EQ(text(""), "");
    EXPECT_THAT(
        text(", virtual_channels: 2, routing: minimal_adaptive"),
        HasSubstr("t.yaml:2:20: error: port_model same_value needs to know the output link"));
    EXPECT_THAT(text(", virtual_channels: 2, routing: o1turn"),
                HasSubstr("routing o1turn does not determine"));

    const Machine machine = build_machine(config(""));
    EXPECT_EQ(choose_engine(machine, "auto").engine->name, "cycle");
    EXPECT_THROW(choose_engine(machine, "tlm"), ConfigError);
    EXPECT_THAT(find_engine("tlm")->refusal(machine)->reason,
                HasSubstr("node.port_model: same_value"));
    const Machine rtl = build_machine(config(", router: rtl"));
    EXPECT_THAT(find_engine("cycle")->refusal(rtl)->reason,
                HasSubstr("which RTL routers do not have"));
    EXPECT_THROW(require_runnable(rtl), ConfigError);
    EXPECT_THAT(refused_with([&] { verify(machine, {}); }),
                HasSubstr("set node.port_model: single"));
}

TEST(PortModels, OtherSwitchingMethodsWorkAsWell) {
    for (const char* switching : {"virtual_cut_through", "store_and_forward"}) {
        for (const char* model : {"one_output", "same_value", "independent"}) {
            const Machine machine = build_machine(parse_config(
                fmt::format("fabric: {{topology: {{kind: how, dims: [4, 4], window: 2}}, "
                            "switching: {}}}\n"
                            "node: {{port_model: {}}}\n"
                            "traffic: {{schedule: broadcast, algorithm: windows_wormhole, "
                            "message_bytes: 56}}\n",
                            switching, model),
                "t.yaml"));
            EXPECT_EQ(difference_from_golden(machine, 15 * 8), "") << switching << ' ' << model;
        }
    }
}

}  // namespace
}  // namespace flitscope
