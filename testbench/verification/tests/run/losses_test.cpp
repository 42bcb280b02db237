// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links and nodes that fail during a run, and retransmitted packets (hw/TIMING.md, "Faults while
// running"): the cycle engine against the golden model on random machines, and losses on small ones
// that one can follow. FLITSCOPE_DEPTH=all takes more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/faulted_network.h"
#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "models/topology/faults/faults.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/verification/reference/losses.h"
#include "testbench/verification/tests/support/depth.h"
#include "testbench/verification/tests/support/fault_sections.h"

namespace flitscope {
namespace {

std::uint64_t seeds() { return cases_of(50, 5'000); }

/// Seeds of machines that found what others had not.
constexpr std::array<std::uint64_t, 1> kRareSeeds{3516};

void expect_equal(std::uint64_t seed, LossTotals& totals) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    CompareRun run;
    run.order = seed % 2 == 0 ? hw::ScanOrder::kAscending : hw::ScanOrder::kDescending;
    run.observed = seed % 5 != 0;
    try {
        const Machine machine = loss_machine(seed);
        vary(run, machine.graph.router_count(), seed);
        ASSERT_EQ(compare_losses(machine, run, totals), "");
    } catch (const std::exception& error) {
        FAIL() << error.what();
    }
}

TEST(RandomLosses, AreTheSameInTheCycleEngineAndTheGoldenModel) {
    LossTotals totals;
    for (const std::uint64_t seed : kRareSeeds) expect_equal(seed, totals);
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
        expect_equal(seed, totals);
        if (HasFatalFailure()) return;
    }
    const LossCounts& losses = totals.losses;
    fmt::print(
        "{} machines: {} packets, {} busy intervals and {} flit-hops equal; {} packets with {} "
        "flits lost, {} discarded, {} sent again, {} duplicates; {} runs failed, {} complete in "
        "spite of losses\n",
        seeds(), totals.compared.packets, totals.compared.busy_intervals, totals.compared.flit_hops,
        losses.packets_lost, losses.flits_lost, losses.packets_discarded, losses.packets_repeated,
        losses.duplicates, totals.failed, totals.complete);
    // The campaign has seen what it is about.
    EXPECT_GT(losses.packets_lost, seeds() / 4);
    EXPECT_GT(losses.packets_discarded, seeds() / 10);
    EXPECT_GT(losses.packets_repeated, seeds());
    EXPECT_GT(losses.duplicates, seeds() / 4);
    EXPECT_GT(totals.failed, seeds() / 20);
    EXPECT_GT(totals.complete, seeds() / 40);
}

/// The flits in each FIFO and on the wire that leads to it, as an observer has to count them.
class HeldFlits final : public ChannelObserver {
public:
    explicit HeldFlits(const Machine& machine)
        : map_(machine.graph),
          vcs_(machine.config.fabric.virtual_channels),
          sendings_(static_cast<std::size_t>(map_.count()) * vcs_),
          held_(sendings_.size()) {}

    void on_grant(ChannelId, std::uint32_t, const Message&, Cycle) override {}
    void on_send_begin(ChannelId channel, std::uint32_t vc, ChannelId popped,
                       std::uint32_t popped_vc, Cycle cycle) override {
        sendings_[at(channel, vc)] = {cycle, popped, popped_vc};
    }
    void on_send_end(ChannelId channel, std::uint32_t vc, Cycle cycle) override {
        const Sending& sending = sendings_[at(channel, vc)];
        const auto flits = static_cast<std::int64_t>(cycle - sending.since);
        if (!map_.is_ejection(channel)) held_[at(channel, vc)] += flits;
        if (sending.popped != channel) held_[at(sending.popped, sending.popped_vc)] -= flits;
    }
    void on_release(ChannelId, std::uint32_t, Cycle) override {}
    void on_cut(ChannelId, std::uint32_t, Cycle) override { ++cut_; }
    void on_loss(ChannelId channel, std::uint32_t vc, Cycle, Cycle) override {
        ++lost_;
        --held_[at(channel, vc)];
    }

    std::uint64_t cut() const { return cut_; }
    std::uint64_t lost() const { return lost_; }
    bool is_empty() const {
        return std::all_of(held_.begin(), held_.end(), [](std::int64_t n) { return n == 0; });
    }

private:
    struct Sending {
        Cycle since = 0;
        ChannelId popped = 0;
        std::uint32_t popped_vc = 0;
    };
    std::size_t at(ChannelId channel, std::uint32_t vc) const {
        return static_cast<std::size_t>(channel) * vcs_ + vc;
    }

    ChannelMap map_;
    std::uint32_t vcs_;
    std::vector<Sending> sendings_;
    std::vector<std::int64_t> held_;
    std::uint64_t cut_ = 0;
    std::uint64_t lost_ = 0;
};

TEST(RandomLosses, AreToldToObserversFlitByFlit) {
    std::uint64_t cut = 0;
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const FreshKernel kernel;
        const Machine machine = loss_machine(seed);
        HeldFlits held(machine);
        SimulationOptions options;
        options.channels = &held;
        options.threads = 1 + seed % 2;
        const SimulationResult result = simulate(machine, "cycle", options);
        EXPECT_TRUE(held.is_empty());
        EXPECT_EQ(held.lost(), result.losses ? result.losses->flits_lost : 0);
        cut += held.cut();
        lost += held.lost();
    }
    EXPECT_GT(cut, 10U);
    EXPECT_GT(lost, 100U);
}

/// Contended traffic on a small network, in a separate simulator.
SimulationResult simulate_text(const std::string& text) {
    const FreshKernel kernel;
    const Machine machine = build_machine(parse_config(text, "losses_test"));
    return simulate(machine, "auto", {});
}

/// A ring of six nodes.
SimulationResult run_ring(const std::string& faults, const std::string& node,
                          const std::string& traffic) {
    return simulate_text(
        fmt::format("fabric: {{topology: {{kind: torus, dims: [6]}}, virtual_channels: 2, "
                    "buffer_depth: 4}}\nfaults: {{{}}}\nnode: {{{}}}\ntraffic: {{{}}}\n",
                    faults, node, traffic));
}

TEST(LaterFaults, CutAWormWhichReleasesWhatItHolds) {
    // Messages of 400 flits that all begin in cycle 0: some are cut, the others continue.
    const SimulationResult result =
        run_ring("links: [1-2], at: 100", "", "schedule: gen, message_bytes: 3200");
    EXPECT_EQ(result.verdict, Verdict::kFailed);
    ASSERT_TRUE(result.losses);
    EXPECT_TRUE(result.losses->has_failed);
    EXPECT_GT(result.losses->packets_lost, 0U);
    EXPECT_GT(result.losses->flits_lost, 0U);
    EXPECT_EQ(result.losses->packets_discarded, 0U);
    EXPECT_GT(result.messages_delivered, 0U);
    EXPECT_LT(result.messages_delivered, result.messages_expected);
    ASSERT_FALSE(result.problems.empty());
    EXPECT_NE(result.problems.front().find("were not delivered"), std::string::npos);
    const auto missing = std::count_if(
        result.problems.begin(), result.problems.end(), [](const std::string& problem) {
            return problem.find("never arrived") != std::string::npos;
        });
    EXPECT_GT(missing, 0) << testing::PrintToString(result.problems);
}

/// On a triangle the link 0-1 is long, and fails in cycle `at` while credits for a message over it
/// are on their way back to node 0. Returns the packet behind it, which goes to node 2.
PacketTimes packet_behind_a_lost_one(std::uint32_t virtual_channels, bool observed, Cycle at) {
    Machine machine{{}, build_ghc({3}), {}, {}, {}, {}, {}};
    for (const LinkId id :
         {machine.graph.out_link(RouterId(0), 1), machine.graph.out_link(RouterId(1), 1)}) {
        machine.graph.set_delay(id, 50);
    }
    machine.config.fabric.routing = "up_down";
    machine.config.fabric.buffer_depth = 60;
    machine.config.fabric.virtual_channels = virtual_channels;
    machine.routing = make_routing(machine.config, machine.graph);
    FaultsConfig faults;
    faults.links = {"0-1"};
    faults.at = at;
    machine.config.faults = faults;
    Graph left = with_faults(machine.config, machine.graph);
    auto routing = make_routing(machine.config, left);
    machine.later = std::make_shared<const FaultedNetwork>(
        FaultedNetwork{at, std::move(left), std::move(routing), {}});
    Program program;
    program.nodes = 3;
    program.ordering = Ordering::kTimed;
    for (const auto& [destination, bytes] : {std::pair{1U, 8000U}, std::pair{2U, 8U}}) {
        program.transfers.push_back({0, destination, bytes});
    }
    machine.program = std::make_shared<const Program>(std::move(program));
    CompareRun run;
    run.observed = observed;
    const std::vector<PacketTimes> packets = run_fabric(machine, run).record.packets;
    const auto second = std::find_if(packets.begin(), packets.end(),
                                     [](const PacketTimes& packet) { return packet.message == 1; });
    return second == packets.end() ? PacketTimes{} : *second;
}

TEST(LaterFaults, LeaveNoneWaitingForTheCreditsOfALostPacket) {
    for (const std::uint32_t virtual_channels : {1U, 2U}) {
        for (const bool observed : {false, true}) {
            for (const Cycle at : {61, 70, 100}) {
                SCOPED_TRACE(fmt::format("{} channels, at {}", virtual_channels, at));
                const PacketTimes packet = packet_behind_a_lost_one(virtual_channels, observed, at);
                // Nothing is sent in cycle `at`; over a router, a link of one cycle, and a router.
                EXPECT_EQ(packet.head_injected, at + 1);
                EXPECT_EQ(packet.tail_delivered, at + 5);
            }
        }
    }
}

/// A machine of the kind that seldom shows it: with a held switch, what follows a lost packet in
/// its FIFO competes for the switch like any other.
TEST(LaterFaults, LeaveTheSwitchToNobody) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "held.graph.yaml")
        << "nodes: 7\nlinks:\n"
           "  - {from: 1, to: 0, from_port: 4, to_port: 10, delay: 3, both: true}\n"
           "  - {from: 6, to: 2, from_port: 12, to_port: 6, delay: 5, both: true}\n"
           "  - {from: 0, to: 4, from_port: 5, to_port: 2, delay: 1, both: true}\n"
           "  - {from: 2, to: 3, from_port: 8, to_port: 4, delay: 3, both: true}\n"
           "  - {from: 2, to: 1, from_port: 10, to_port: 7, delay: 1, both: true}\n"
           "  - {from: 2, to: 0, from_port: 11, to_port: 3, delay: 5, both: true}\n"
           "  - {from: 3, to: 5, from_port: 9, to_port: 10, delay: 1, both: true}\n"
           "  - {from: 6, to: 3, from_port: 6, to_port: 2, delay: 2, both: true}\n"
           "  - {from: 3, to: 4, from_port: 7, to_port: 3, delay: 3, both: true}\n"
           "  - {from: 0, to: 3, from_port: 2, to_port: 10, delay: 5, both: true}\n"
           "  - {from: 5, to: 1, from_port: 4, to_port: 6, delay: 2, both: true}\n";
    std::ofstream(folder + "held.csv")
        << "source,destination,bytes,step\n1,6,6,0\n2,1,16,0\n1,6,19,0\n2,6,27,0\n5,3,24,0\n"
           "5,6,55,0\n";
    const Machine machine = build_machine(parse_config(
        fmt::format("fabric: {{topology: {{kind: custom, file: {0}held.graph.yaml}}, "
                    "routing: up_down, virtual_channels: 2, switch_arbitration: per_packet, "
                    "buffer_depth: 4, flit_bits: 24, allow_deadlock: true}}\n"
                    "node: {{recv_overhead: 7, packet_bytes: 5, injection_bandwidth: 2/3}}\n"
                    "faults: {{links: [6-2], nodes: [1], at: 50}}\n"
                    "traffic: {{program: {0}held.csv, barrier: {{fixed: 30}}}}\n"
                    "limits: {{max_cycles: 60000}}\n",
                    folder),
        "losses_test"));
    for (const bool observed : {false, true}) {
        CompareRun run;
        run.observed = observed;
        LossTotals totals;
        EXPECT_EQ(compare_losses(machine, run, totals), "");
        EXPECT_GT(totals.losses.packets_lost, 0U);
    }
}

TEST(LaterFaults, CostNothingThatIsSentAgain) {
    const SimulationResult result =
        run_ring("links: [1-2], at: 100", "retransmit: {timeout: 3000, tries: 2}",
                 "schedule: gen, message_bytes: 3200");
    EXPECT_EQ(result.verdict, Verdict::kComplete) << testing::PrintToString(result.problems);
    ASSERT_TRUE(result.losses);
    EXPECT_GT(result.losses->packets_lost, 0U);
    EXPECT_GE(result.losses->packets_repeated, result.losses->packets_lost);
    EXPECT_EQ(result.messages_delivered, result.messages_expected);
}

/// A pattern on a torus of 8 x 8, three nodes of which die in cycle `at`.
SimulationResult run_torus(const std::string& traffic, Cycle at, Cycle measured) {
    return simulate_text(
        fmt::format("fabric: {{topology: {{kind: torus, dims: [8, 8]}}, virtual_channels: 2, "
                    "routing: up_down}}\nfaults: {{nodes: [5, 10, 20], at: {}}}\n"
                    "traffic: {{message_bytes: 64, warmup_cycles: 2000, measure_cycles: {}, {}}}\n",
                    at, measured, traffic));
}

TEST(LaterFaults, OfNodesLeaveNoBacklogBehind) {
    const std::string traffic[] = {
        "pattern: neighbour",
        "pattern: uniform",
        "pattern: neighbour, reply_bytes: 16, reply_delay: 50",
    };
    for (const std::string& of : traffic) {
        for (const Cycle at : {500, 3000, 15000, 21990}) {  // in the warm-up, and in both halves
            SCOPED_TRACE(fmt::format("{} at {}", of, at));
            const SimulationResult result = run_torus(of + ", injection_rate: 0.05", at, 20000);
            ASSERT_TRUE(result.measured);
            EXPECT_TRUE(result.losses->has_failed);
            EXPECT_TRUE(result.measured->is_whole);
            EXPECT_FALSE(result.measured->is_overloaded());
            // Packets in flight, or waiting for their tails.
            EXPECT_LT(std::abs(result.measured->backlog_growth()), 61 * 9);
            EXPECT_NEAR(result.measured->offered(), 0.05, 0.003);
        }
    }
}

TEST(LaterFaults, DoNotHideWhatPilesUp) {
    const std::string traffic = "pattern: uniform, injection_rate: 0.6";
    const SimulationResult result = run_torus(traffic, 3000, 2000);
    ASSERT_TRUE(result.measured);
    EXPECT_TRUE(result.measured->is_overloaded());
    // Those that fail after the measurement have piled up as much as others.
    const SimulationResult later = run_torus(traffic, 4000, 2000);
    ASSERT_TRUE(later.measured);
    EXPECT_TRUE(later.losses->has_failed);
    EXPECT_EQ(later.measured->forgone, (std::array<std::int64_t, 2>{}));
    EXPECT_EQ(later.measured->backlog_growth(),
              static_cast<std::int64_t>(later.measured->flits_generated()) -
                  static_cast<std::int64_t>(later.measured->flits_delivered()));
}

TEST(LaterFaults, OfLinksLeaveWhatIsLostOutOfTheBacklog) {
    // Few messages, but long ones: nothing is under way as the measurement ends.
    const std::string traffic =
        "pattern: tornado, message_bytes: 8000, arrivals: periodic, injection_rate: 0.1, "
        "warmup_cycles: 0, measure_cycles: 19000";
    const SimulationResult lost = run_ring("links: [1-2], at: 6000", "", traffic);
    ASSERT_TRUE(lost.measured);
    EXPECT_GT(lost.losses->packets_lost, 0U);
    EXPECT_EQ(lost.losses->flits_forgone, 1001 * lost.losses->packets_lost);
    EXPECT_EQ(lost.measured->backlog_growth(), 0);
    const SimulationResult repeated =
        run_ring("links: [1-2], at: 6000", "retransmit: {timeout: 3000, tries: 2}", traffic);
    EXPECT_EQ(repeated.losses->flits_forgone, 0U);
    EXPECT_EQ(repeated.measured->backlog_growth(), 0);
}

TEST(LaterFaults, BehindTheEndOfARunChangeNothing) {
    const std::string traffic = "schedule: gen, message_bytes: 64";
    const SimulationResult whole = run_ring("", "", traffic);
    const SimulationResult later = run_ring("links: [1-2], at: 100000", "", traffic);
    EXPECT_EQ(later.verdict, Verdict::kComplete);
    EXPECT_EQ(later.cycles, whole.cycles);
    EXPECT_EQ(later.channel_flits, whole.channel_flits);
    ASSERT_TRUE(later.losses);
    EXPECT_FALSE(later.losses->has_failed);
    EXPECT_FALSE(whole.losses);
}

TEST(Retransmission, DeliversNothingTwice) {
    // So soon that much is sent again that is only slow: the scoreboard finds what comes twice.
    const SimulationResult result =
        run_ring("", "retransmit: {timeout: 5, tries: 4}", "schedule: naive, message_bytes: 400");
    EXPECT_EQ(result.verdict, Verdict::kComplete) << testing::PrintToString(result.problems);
    ASSERT_TRUE(result.losses);
    EXPECT_GT(result.losses->duplicates, 0U);
    EXPECT_EQ(result.losses->duplicates, result.losses->packets_repeated);  // nothing was lost
    EXPECT_EQ(result.messages_delivered, result.messages_expected);
}

/// Whatever is taken ends by itself, and says what is missing or delivers all.
TEST(MutatedLosses, EndByThemselves) {
    FaultSections sections(23);
    const char* const traffic[] = {
        "schedule: gen, message_bytes: 120",
        "schedule: naive, message_bytes: 40",
        "schedule: pex-gen, message_bytes: 64, barrier: true",
        "schedule: allreduce, message_bytes: 512, algorithm: ring",
        "schedule: halo-2d, message_bytes: 256",
        "pattern: uniform, injection_rate: 0.4, message_bytes: 60, warmup_cycles: 0, "
        "measure_cycles: 300"};
    const char* const topologies[] = {"{kind: mesh, dims: [5, 5]}", "{kind: torus, dims: [4, 6]}",
                                      "{kind: hypercube, dimensions: 5}",
                                      "{kind: fat_tree, arity: 2, height: 4}",
                                      "{kind: mesh, dims: [4, 4], concentration: [1, 2]}"};
    const std::size_t texts = cases_of(400, 10'000);
    std::size_t taken = 0;
    std::size_t failed = 0;
    for (std::size_t i = 0; i < texts; ++i) {
        std::string node = "packet_bytes: 100";
        if (sections.below(2) == 0) {
            node += fmt::format(", retransmit: {{timeout: {}, tries: {}}}",
                                sections.below(20) == 0 ? 0 : 1 + sections.below(2000),
                                1 + sections.below(4));
        }
        const std::string text = fmt::format(
            "fabric: {{topology: {}, virtual_channels: {}}}\nfaults: {}\nnode: {{{}}}\n"
            "traffic: {{{}}}\nlimits: {{max_cycles: 200000}}\n",
            topologies[sections.below(std::size(topologies))], 1 + sections.below(3),
            sections.next(), node, traffic[sections.below(std::size(traffic))]);
        SCOPED_TRACE(fmt::format("text {}:\n{}", i, text));
        try {
            const SimulationResult result = simulate_text(text);
            ++taken;
            ASSERT_TRUE(result.verdict == Verdict::kComplete || result.verdict == Verdict::kFailed)
                << name_of(result.verdict) << testing::PrintToString(result.problems);
            if (result.verdict == Verdict::kComplete) continue;
            ++failed;
            ASSERT_TRUE(result.losses);
            ASSERT_TRUE(result.losses->has_failed);
            ASSERT_NE(result.problems.front().find("were not delivered"), std::string::npos)
                << result.problems.front();
        } catch (const ConfigError& error) {
            ASSERT_FALSE(error.findings().empty());
        }
    }
    fmt::print("{} texts: {} run, of which {} end without all that they send\n", texts, taken,
               failed);
    EXPECT_GT(taken, texts / 10);
    EXPECT_GT(failed, texts / 100);
}

}  // namespace
}  // namespace flitscope
