// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of messages: priorities and weights, their separation, and errors. golden_test shows that
// every cycle is as in hw/TIMING.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/class_arbiter.h"
#include "models/routing/channel_dependency.h"
#include "models/routing/virtual_networks.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/tests/support/refused_with.h"

namespace flitscope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kMesh =
    "fabric: {topology: {kind: mesh, dims: [4, 4]}, virtual_channels: 2, classes: [low, high]";

Machine machine_of(const std::string& fabric, const std::string& traffic) {
    return build_machine(
        parse_config(fabric + "}\ntraffic: {" + traffic + "}\n", "classes.yaml", {}, "."));
}

SimulationResult run(const Machine& machine) {
    const FreshKernel kernel;
    return simulate(machine, "cycle", {});
}

std::string refusal_of(const std::string& fabric, const std::string& traffic) {
    return refused_with([&] {
        const Machine machine = machine_of(fabric, traffic);
        require_deadlock_freedom(machine);
    });
}

TEST(ClassArbiter, PrefersTheHighestPriorityThatCompetes) {
    hw::ClassPolicy policy;
    policy.channels_per_class = 1;
    policy.priorities = {1, 3, 0, 3};
    const hw::ClassArbiter arbiter(policy);
    EXPECT_EQ(arbiter.preferred(0b1111), 0b1010);
    EXPECT_EQ(arbiter.preferred(0b0101), 0b0001);
    EXPECT_EQ(arbiter.preferred(0b0100), 0b0100);
}

TEST(ClassArbiter, ServesRoundsByWeight) {
    hw::ClassPolicy policy;
    policy.channels_per_class = 1;
    policy.weights = {3, 1};
    hw::ClassArbiter arbiter(policy);
    std::string served;
    for (int i = 0; i < 12; ++i) {
        const hw::ClassMask preferred = arbiter.preferred(0b11);
        const MessageClass winner = (preferred & 2) != 0 ? 1 : 0;  // as soon as it may
        arbiter.sent(winner);
        served += static_cast<char>('0' + winner);
    }
    EXPECT_EQ(served, "100010001000");
}

TEST(ClassArbiter, LeavesTurnsThatNobodyTakesToTheOthers) {
    hw::ClassPolicy policy;
    policy.channels_per_class = 1;
    policy.weights = {2, 5};
    hw::ClassArbiter arbiter(policy);
    for (int i = 0; i < 7; ++i) {
        EXPECT_EQ(arbiter.preferred(0b01), 0b01) << i;
        arbiter.sent(0);
    }
    EXPECT_EQ(arbiter.preferred(0b11), 0b11);  // both have budget in the round that began last
}

TEST(ClassArbiter, BudgetsOfOtherPrioritiesStay) {
    hw::ClassPolicy policy;
    policy.channels_per_class = 1;
    policy.priorities = {0, 0, 1};
    policy.weights = {1, 1, 1};
    hw::ClassArbiter arbiter(policy);
    arbiter.sent(0);
    arbiter.sent(2);
    arbiter.sent(2);  // a separate round
    EXPECT_EQ(arbiter.preferred(0b011), 0b010);
}

/// Two virtual channels: a packet stays in the one that it came in, and may escape to the first.
class SameChannel final : public Routing {
public:
    explicit SameChannel(const Graph& graph) : Routing(graph.shared_places()) {}
    std::string name() const override { return "same channel"; }
    PathChoice path_choice() const override { return PathChoice::kAdaptive; }
    RouteChoice hop(RouterId, NodeId) const override { return {3}; }  // any virtual channel
    void hops(const RouteQuery& query, RouteChoices& choices) const override {
        choices.clear();
        choices.add({2, static_cast<VcMask>(1U << query.in_vc)});
        choices.add_escape({1, 1});
    }
};

TEST(VirtualNetworks, AreTheRoutingAloneOnTheirChannels) {
    const auto networks =
        make_virtual_networks(std::make_unique<SameChannel>(build_mesh({2})), 3, 2);
    EXPECT_EQ(networks->route(RouterId(0), 1).port, 3U);
    EXPECT_EQ(networks->route(RouterId(0), 1).virtual_channels, 0b111111);
    hw::ClassPolicy policy;  // the router's idea of them
    policy.channels_per_class = 2;
    for (std::uint32_t vc = 0; vc < 6; ++vc) {
        RouteQuery query;
        query.in_vc = vc;
        RouteChoices choices;
        networks->route(query, choices);
        ASSERT_EQ(choices.size(), 2U);
        ASSERT_EQ(choices.escape(), 1U);
        EXPECT_EQ(choices[0].virtual_channels, 1 << vc);
        EXPECT_EQ(choices[1].virtual_channels, 1 << vc / 2 * 2);
        EXPECT_EQ(policy.channels_of(static_cast<hw::ClassMask>(1 << policy.class_of(vc))),
                  0b11U << vc / 2 * 2);
    }
}

/// One node is sent more than it can take, by messages of both classes.
const std::string kHotspot =
    "pattern: hotspot, root: 5, hotspot_fraction: 1, message_bytes: 32, injection_rate: 0.4, "
    "warmup_cycles: 2000, measure_cycles: 20000, classes: {low: 1, high: 1}";

/// Flits per cycle that this node takes of a class, without those that it sends to others, half of
/// them of each class.
double taken(const SimulationResult& result, std::size_t of) {
    constexpr double kSent = 0.4 / 2;
    return static_cast<double>(result.classes.at(of).flits) /
               static_cast<double>(result.measured->cycles) -
           kSent;
}

TEST(MessageClasses, ShareAChannelByTheirWeights) {
    const SimulationResult equal = run(machine_of(kMesh, kHotspot));
    EXPECT_NEAR(taken(equal, 0), 0.5, 0.05);
    const SimulationResult three =
        run(machine_of(std::string(kMesh) + ", class_weights: [1, 3]", kHotspot));
    EXPECT_NEAR(taken(three, 0), 0.25, 0.02);
    EXPECT_NEAR(taken(three, 1), 0.75, 0.02);
}

TEST(MessageClasses, TheHigherPriorityTakesAllThatItCanUse) {
    const std::string fabric = std::string(kMesh) + ", class_priorities: [0, 1]";
    const SimulationResult starved = run(machine_of(fabric, kHotspot));
    EXPECT_LT(taken(starved, 0), 0.03);
    EXPECT_GT(taken(starved, 1), 0.97);
    // Under a load that both get through, it is only earlier.
    const SimulationResult light = run(machine_of(
        fabric,
        "pattern: uniform, message_bytes: 64, injection_rate: 0.3, classes: {low: 3, high: "
        "1}"));
    EXPECT_EQ(light.verdict, Verdict::kComplete);
    EXPECT_LT(light.classes[1].latency.mean(), light.classes[0].latency.mean());
    EXPECT_EQ(light.classes[0].latency.count() + light.classes[1].latency.count(),
              light.latency.count());
}

TEST(MessageClasses, AreCountedApartOnEveryChannelEvenIfTheRunIsCut) {
    // Four times as many flits as can be taken: at its limit packets are everywhere.
    const Machine machine =
        machine_of(kMesh,
                   "pattern: uniform, message_bytes: 40, injection_rate: 0.9, warmup_cycles: 0, "
                   "measure_cycles: 3000, classes: {low: 1, high: 2}}\nlimits: {max_cycles: 2000");
    SimulationOptions options;
    options.count_sendings = true;
    const FreshKernel kernel;
    const SimulationResult result = simulate(machine, "cycle", options);
    EXPECT_EQ(result.verdict, Verdict::kTimeout);
    ASSERT_EQ(result.class_sendings.size(), 2U);
    for (ChannelId channel = 0; channel < result.channel_flits.size(); ++channel) {
        const ChannelSendings::Counts& all = result.sendings[channel];
        const ChannelSendings::Counts& low = result.class_sendings[0][channel];
        const ChannelSendings::Counts& high = result.class_sendings[1][channel];
        EXPECT_EQ(low.flits + high.flits, result.channel_flits[channel]) << channel;
        EXPECT_EQ(low.packets + high.packets, all.packets) << channel;
        EXPECT_EQ(low.starts + high.starts, all.starts) << channel;
        if (channel == 0) {
            EXPECT_GT(low.flits, 0U);
            EXPECT_GT(high.flits, low.flits);
        }
    }
}

TEST(MessageClasses, DoNotChangeWhatIsSentWhen) {
    const std::string traffic = "pattern: uniform, injection_rate: 0.2, message_bytes: 16";
    const Machine plain =
        machine_of("fabric: {topology: {kind: mesh, dims: [4, 4]}, virtual_channels: 2", traffic);
    const Machine classes = machine_of(kMesh, traffic + ", classes: {low: 1, high: 2}");
    const Program of_plain = materialise(plain.config, plain.graph);
    const Program of_classes = materialise(classes.config, classes.graph);
    ASSERT_EQ(of_plain.transfers.size(), of_classes.transfers.size());
    std::size_t high = 0;
    for (std::size_t i = 0; i < of_plain.transfers.size(); ++i) {
        EXPECT_EQ(of_plain.transfers[i].time, of_classes.transfers[i].time);
        EXPECT_EQ(of_plain.transfers[i].destination, of_classes.transfers[i].destination);
        high += of_classes.transfers[i].message_class;
    }
    EXPECT_NEAR(static_cast<double>(high) / static_cast<double>(of_plain.transfers.size()), 2.0 / 3,
                0.03);
}

TEST(MessageClasses, OffersOnlyWhatBeganHoweverRareAClassIs) {
    // Sources look far ahead of the run for the next message of class low.
    const std::string traffic =
        "pattern: uniform, injection_rate: 0.1, message_bytes: 64, classes: {low: 1, high: 2000}";
    const std::string cut =
        ", warmup_cycles: 500, measure_cycles: 100000}\nlimits: {max_cycles: 2500";
    const SimulationResult part = run(machine_of(kMesh, traffic + cut));
    EXPECT_EQ(part.verdict, Verdict::kTimeout);
    ASSERT_TRUE(part.measured);
    EXPECT_EQ(part.measured->cycles, 2000U);
    EXPECT_NEAR(part.measured->offered(), 0.1, 0.01);
    EXPECT_LT(part.measured->backlog_growth(), 500);
    const SimulationResult steady =
        run(machine_of(kMesh, traffic + "}\nsteady: {half_width: 0.1, max_cycles: 1000000"));
    EXPECT_EQ(steady.verdict, Verdict::kComplete);
    EXPECT_GE(steady.messages_expected, steady.messages_delivered);
    EXPECT_LT(steady.messages_expected, steady.messages_delivered + 50);
}

TEST(MessageClasses, FollowTheLengthWhereThatIsAsked) {
    const Machine machine =
        machine_of(kMesh,
                   "pattern: uniform, message_lengths: {8: 1, 64: 1}, length_classes: {8: high, "
                   "64: low}");
    const Program program = materialise(machine.config, machine.graph);
    ASSERT_FALSE(program.transfers.empty());
    for (const Transfer& t : program.transfers) EXPECT_EQ(t.message_class, t.bytes == 8 ? 1 : 0);
}

TEST(MessageClasses, AScheduleIsOfOneOfThem) {
    const Machine machine =
        machine_of(kMesh, "schedule: naive, message_bytes: 16, classes: {high: 1}");
    for (const Transfer& t : machine.program->transfers) ASSERT_EQ(t.message_class, 1);
    const SimulationResult result = run(machine);
    EXPECT_EQ(result.verdict, Verdict::kComplete);
    EXPECT_EQ(result.classes[0].delivered, 0U);
    EXPECT_EQ(result.classes[1].delivered, machine.program->transfers.size());
    EXPECT_THAT(refusal_of(kMesh, "schedule: naive, classes: {high: 1, low: 1}"),
                HasSubstr("have one class"));
}

/// Requests of one flit between all nodes, and long replies.
std::string exchanges(const std::string& more) {
    return "pattern: uniform, message_bytes: 8, reply_bytes: 200, injection_rate: 1, "
           "warmup_cycles: 0, measure_cycles: 3000, reply_queue: 1" +
           more;
}

/// For a deadlock: requests wait for nodes that are full of them, and these for the first in their
/// queues of replies; no node is only reported as sending.
void expect_cycle_through_nodes(const SimulationResult& result) {
    ASSERT_THAT(result.problems, Not(IsEmpty()));
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < result.problems.size(); ++i) {
        const std::string& problem = result.problems[i];
        EXPECT_THAT(problem, HasSubstr("message "));
        const std::size_t at = problem.find(" waits for eject_");
        if (at == std::string::npos) continue;
        ++nodes;
        EXPECT_THAT(problem, HasSubstr("whose request queue is full"));
        const std::string node = problem.substr(at + 17, 3);
        const std::string& next = result.problems[(i + 1) % result.problems.size()];
        EXPECT_THAT(next, HasSubstr("first in the queue of replies of node " +
                                    std::to_string(std::stoi(node)) + ' '));
        EXPECT_THAT(next, HasSubstr("inject_" + node + ", which has no credit"));
    }
    EXPECT_GT(nodes, 0U);
}

TEST(ReplyQueue, InOneVirtualNetworkIsACycleAndDeadlocks) {
    const std::string fabric = "fabric: {topology: {kind: mesh, dims: [4, 4]}, buffer_depth: 2";
    const std::string refusal = refusal_of(fabric, exchanges(""));
    EXPECT_THAT(refusal, HasSubstr("requests and replies can deadlock"));
    EXPECT_THAT(refusal, HasSubstr("link_"));
    const Machine machine = machine_of(fabric + ", allow_deadlock: true", exchanges(""));
    EXPECT_FALSE(machine.reply_cycle.empty());
    const SimulationResult result = run(machine);
    EXPECT_EQ(result.verdict, Verdict::kDeadlock);  // not only in theory
    expect_cycle_through_nodes(result);
}

/// As links of the cycle are held by requests that wait for nodes, which wait to reply.
TEST(ReplyQueue, WhoWaitsForWhomIsNamedInEveryRouter) {
    const std::string traffic = exchanges(", classes: {low: 1, high: 1}, reply_class: high");
    for (const char* const more :
         {"virtual_channels: 2, buffer_depth: 2",
          "virtual_channels: 2, buffer_depth: 2, allocation: combined",
          "virtual_channels: 2, buffer_depth: 27, switching: virtual_cut_through",
          "virtual_channels: 4, buffer_depth: 2, routing: minimal_adaptive"}) {
        const std::string fabric =
            "fabric: {topology: {kind: mesh, dims: [4, 4]}, classes: [low, high], "
            "allow_deadlock: true, " +
            std::string(more);
        const SimulationResult result = run(machine_of(fabric, traffic));
        ASSERT_EQ(result.verdict, Verdict::kDeadlock) << more;
        expect_cycle_through_nodes(result);
    }
}

TEST(ReplyQueue, RepliesInAVirtualNetworkOfTheirOwnAlwaysCome) {
    const std::string more = ", classes: {low: 1}, reply_class: high";
    const std::string fabric = std::string(kMesh) + ", buffer_depth: 2";
    const Machine machine = machine_of(fabric, exchanges(more));
    EXPECT_THAT(machine.reply_cycle, IsEmpty());
    const SimulationResult result = run(machine);
    EXPECT_EQ(result.verdict, Verdict::kComplete);
    EXPECT_GT(result.replies->replies_delivered, 100U);
    // A class that has requests, too, helps nobody.
    EXPECT_THAT(refusal_of(fabric, exchanges(", classes: {low: 1, high: 1}, reply_class: high")),
                HasSubstr("requests and replies can deadlock"));
}

TEST(ReplyQueue, HoldsBackWhoAsksTooMuch) {
    const std::string one = exchanges(", classes: {low: 1}, reply_class: high, reply_delay: 50");
    std::string any = one;
    any.replace(any.find("reply_queue: 1"), 14, "reply_queue: 0");
    const SimulationResult few = run(machine_of(kMesh, one));
    const SimulationResult all = run(machine_of(kMesh, any));
    ASSERT_EQ(few.replies->replies_delivered, all.replies->replies_delivered);
    // A node is busy with a request for the delay, and until 26 flits of its reply have left.
    constexpr Cycle kBusy = 50 + 26;
    EXPECT_GT(few.cycles, few.replies->replies_delivered / 16 * kBusy);
    EXPECT_LT(all.cycles, few.cycles * 2 / 3);
}

TEST(MessageClasses, RefuseWhatDoesNotFit) {
    const auto fabric = [](const std::string& keys) {
        return "fabric: {topology: {kind: mesh, dims: [4, 4]}, " + keys;
    };
    const std::string traffic = "pattern: uniform";
    EXPECT_THAT(refusal_of(fabric("virtual_channels: 3, classes: [a, b]"), traffic),
                HasSubstr("2 classes cannot share 3 virtual channels"));
    EXPECT_THAT(refusal_of(fabric("virtual_channels: 2, classes: [a, a]"), traffic),
                HasSubstr("class 'a' is named twice"));
    EXPECT_THAT(refusal_of(fabric("virtual_channels: 2, classes: [a]"), traffic),
                HasSubstr("a list of 2 to 16 names, found 1 of them"));
    for (const char* const name : {"none", "\"none\"", "\"null\"", "\"Null\"", "\"NULL\""}) {
        const std::string classes = std::string("virtual_channels: 2, classes: [a, ") + name + ']';
        EXPECT_THAT(refusal_of(fabric(classes), traffic),
                    HasSubstr("error: a class cannot be called '"))
            << name;
    }
    EXPECT_THAT(
        refusal_of(fabric("virtual_channels: 2, classes: [a, b], class_weights: [1]"), traffic),
        HasSubstr("1 entries for 2 classes"));
    EXPECT_THAT(refusal_of(kMesh, traffic + ", classes: {hihg: 1}"),
                HasSubstr("there is no class 'hihg'"));
    EXPECT_THAT(refusal_of(kMesh, traffic + ", reply_bytes: 8, reply_class: none_such"),
                HasSubstr("there is no class 'none_such'"));
    EXPECT_THAT(refusal_of(kMesh, traffic + ", message_lengths: {8: 1, 16: 1}, length_classes: {8: "
                                            "low}"),
                HasSubstr("messages of 16 bytes have no class"));
    EXPECT_THAT(refusal_of(fabric("virtual_channels: 2"), traffic + ", classes: {a: 1}"),
                HasSubstr("a fabric without 'classes'"));
    // Datelines need two virtual channels in every network.
    EXPECT_THAT(refusal_of("fabric: {topology: {kind: torus, dims: [8, 8]}, virtual_channels: 2, "
                           "classes: [low, high]",
                           traffic),
                HasSubstr("can deadlock"));
    EXPECT_THAT(
        refusal_of(fabric("switching: circuit"), traffic + ", reply_bytes: 8, reply_queue: 1"),
        HasSubstr("the receiver of a circuit accepts any circuit"));
    EXPECT_EQ(refusal_of("fabric: {topology: {kind: torus, dims: [8, 8]}, virtual_channels: 4, "
                         "classes: [low, high]",
                         traffic),
              "");
}

TEST(MessageClasses, AreCalledTheSameInTheConfigurationThatARunWrites) {
    // Words that other readers of YAML take for truth or numbers, and some that only look odd.
    for (const std::string name : {"true", "no", "Off", "y", "None", "NONE", "nil", "nan", "inf",
                                   "e5", "_1", "auto", "default", "Nullable"}) {
        SCOPED_TRACE(name);
        const std::string text =
            "fabric: {topology: {kind: mesh, dims: [4, 4]}, virtual_channels: 2, classes: [a, " +
            name + "]}\ntraffic: {pattern: uniform, reply_bytes: 8, message_lengths: {8: 1}, " +
            "length_classes: {8: " + name + "}, reply_class: " + name + "}\n";
        const Config config = parse_config(text, "classes.yaml");
        const Config again = parse_config(to_yaml(config), "again.yaml");
        EXPECT_EQ(to_yaml(again), to_yaml(config));
        EXPECT_EQ(again.fabric.classes, config.fabric.classes);
        EXPECT_EQ(again.traffic.length_classes, config.traffic.length_classes);
        EXPECT_EQ(again.traffic.reply_class, name);
    }
}

TEST(MessageClasses, OfATraceInCsvAreThoseOfTheFabric) {
    const std::string file = testing::TempDir() + "message_classes_trace.csv";
    const std::string trace = "trace: {file: " + file + ", format: csv}";
    std::ofstream(file) << "source,destination,bytes,time,class\n0,1,64,0,1\n1,2,64,0,0\n";
    const Machine machine = machine_of(kMesh, trace);
    EXPECT_EQ(machine.program->transfers.message_class(0), 1);
    EXPECT_EQ(machine.program->transfers.message_class(1), 0);
    const SimulationResult result = run(machine);
    EXPECT_EQ(result.classes[0].delivered, 1U);
    EXPECT_EQ(result.classes[1].delivered, 1U);
    EXPECT_THAT(refusal_of(kMesh, trace + ", classes: {low: 1}"),
                HasSubstr("the messages of this trace name their classes themselves"));
    EXPECT_THAT(refusal_of("fabric: {topology: {kind: mesh, dims: [4, 4]}", trace),
                HasSubstr("trace.csv:2:1: error: message 0 is of class 1 (name classes in "
                          "fabric.classes, or leave `class` out)"));
    std::ofstream(file) << "source,destination,bytes,time,class\n0,1,64,0,1\n1,2,64,0,2\n";
    EXPECT_THAT(refusal_of(kMesh, trace),
                HasSubstr("trace.csv:3:1: error: message 1 is of class 2 (fabric.classes names 0 "
                          ".. 1)"));
}

}  // namespace
}  // namespace flitscope
