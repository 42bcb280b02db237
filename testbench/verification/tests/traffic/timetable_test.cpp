// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Timetables of messages that go all their way at once: places against a search cycle by cycle,
// found timetables against the schedules of the catalogue, as simulated, and their time, known
// without a simulation, against one on machines of all kinds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/routing/routing_factory.h"
#include "models/topology/families/topologies.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/app/run/simulation.h"
#include "testbench/app/schedule_synthesis/synthesis_run.h"
#include "testbench/verification/tests/support/depth.h"
#include "traffic/schedules/synthesis/direct/known_exchanges.h"
#include "traffic/schedules/synthesis/direct/round_chain.h"
#include "traffic/schedules/synthesis/direct/timetable.h"
#include "traffic/schedules/synthesis/direct/timetable_search.h"
#include "traffic/schedules/synthesis/direct_schedule.h"

namespace flitscope::synthesis {
namespace {

/// A line of six, whose last link has that delay, and the others one of 1.
std::string line_with_a_slow_end(std::uint32_t delay) {
    const std::string file =
        (std::filesystem::path(testing::TempDir()) / fmt::format("slow_{}.yaml", delay)).string();
    std::ofstream out(file);
    out << "nodes: 6\nlinks:\n";
    for (int node = 0; node < 5; ++node) {
        out << fmt::format("  - {{from: {}, to: {}, both: true, delay: {}}}\n", node, node + 1,
                           node == 4 ? delay : 1);
    }
    return fmt::format("kind: custom, file: {}", file);
}

/// A machine whose nodes have one channel each way, and an exchange on it.
struct Exchange {
    Config config;
    Graph graph;
    std::unique_ptr<Routing> routing;
    Task task;

    explicit Exchange(const std::string& topology, std::uint64_t bytes = 256,
                      const std::string& fabric = "", const std::string& node = "")
        : config(parse_config(
              fmt::format("fabric: {{topology: {{{}}}, virtual_channels: 2, switch_arbitration: "
                          "per_packet{}}}\nnode: {{port_model: single{}}}\n",
                          topology, fabric, node),
              "test")),
          graph(build_topology(config)),
          routing(make_routing(config, graph)) {
        SynthesisRequest request;
        request.collective = Collective::kAllToAll;
        request.chunks = 1;
        request.bytes = bytes;
        task = task_of(request, graph);
    }
    MessageRoutes ways() const { return {task, config, graph, *routing}; }
};

class Timetables : public testing::Test {
protected:
    /// Whether the message meets one of the others, looked up channel by channel.
    static bool meets(const MessageRoutes& ways, const Timetable& timetable, std::uint32_t message,
                      Cycle begin) {
        for (std::uint32_t other = 0; other < ways.messages(); ++other) {
            if (other == message || timetable.begin(other) == kNever) continue;
            for (const MessageRoutes::Use& a : ways.of(message)) {
                for (const MessageRoutes::Use& b : ways.of(other)) {
                    if (a.channel != b.channel) continue;
                    const Cycle at = begin + a.offset;
                    const Cycle there = timetable.begin(other) + b.offset;
                    const Cycle busy = ways.busy(a);
                    if (at < there + ways.busy(b) && there < at + busy) return true;
                }
            }
        }
        return false;
    }
};

TEST_F(Timetables, GiveTheFirstPlaceInWhichAMessageMeetsNobody) {
    // Messages that keep a channel for as long as each other, and for longer and shorter.
    for (const bool is_even : {true, false}) {
        const Exchange exchange(is_even ? "kind: mesh, dims: [3, 3]" : line_with_a_slow_end(9), 64,
                                is_even ? "" : ", buffer_depth: 4");
        const MessageRoutes ways = exchange.ways();
        Timetable timetable(ways);
        std::mt19937 random(7);
        std::vector<std::uint32_t> placed;
        for (int step = 0; step < 300; ++step) {
            const auto message = static_cast<std::uint32_t>(random() % ways.messages());
            if (timetable.begin(message) != kNever) {
                timetable.remove(message);
                continue;
            }
            Cycle first = 0;
            while (meets(ways, timetable, message, first)) ++first;
            ASSERT_EQ(timetable.earliest(message), first);
            // Whom it would meet in any place.
            const Cycle any = random() % 200;
            bool is_met = false;
            timetable.visit_met(message, any, [&](std::uint32_t) { return !(is_met = true); });
            ASSERT_EQ(is_met, meets(ways, timetable, message, any));
            // Not always the first one, so that there are gaps.
            Cycle begin = random() % 2 == 0 ? first : first + random() % 40;
            while (meets(ways, timetable, message, begin)) ++begin;
            timetable.place(message, begin);
        }
    }
}

TEST_F(Timetables, RoundsShareNoChannel) {
    const Exchange exchange("kind: torus, dims: [4, 6]");
    const MessageRoutes ways = exchange.ways();
    std::vector<int> times(ways.messages());
    for (const std::vector<std::uint32_t>& round : direct_rounds(ways, 1)) {
        std::vector<bool> taken(ways.channels());
        for (const std::uint32_t message : round) {
            ++times[message];
            for (const MessageRoutes::Use& use : ways.of(message)) {
                EXPECT_FALSE(taken[use.channel]);
                taken[use.channel] = true;
            }
        }
    }
    EXPECT_EQ(std::count(times.begin(), times.end(), 1), ways.messages());
}

TEST_F(Timetables, KnownExchangesHaveEveryMessageOnce) {
    for (const char* topology : {"kind: mesh, dims: [4, 4]", "kind: mesh, dims: [3, 5]",
                                 "kind: hypercube, dimensions: 3"}) {
        SCOPED_TRACE(topology);
        const Exchange exchange(topology);
        Task task = exchange.task;
        task.chunks = 2;
        const auto known =
            known_exchanges(task, exchange.config, exchange.graph, *exchange.routing);
        EXPECT_GE(known.size(), 3);
        for (const MessageRounds& rounds : known) {
            std::vector<int> times(task.chunk_count());
            for (const auto& round : rounds) {
                for (const std::uint32_t message : round) ++times[message];
            }
            EXPECT_EQ(std::count(times.begin(), times.end(), 1), times.size());
        }
    }
}

/// The rounds of an exchange on a torus whose steps fill its links: in a chain they are the same,
/// and end sooner by a part of the time between them.
TEST_F(Timetables, ChainedRoundsFollowEachOtherMoreClosely) {
    const Exchange exchange("kind: torus, dims: [12, 12]", 1024);
    const MessageRoutes ways = exchange.ways();
    MessageRounds rounds =
        known_exchanges(exchange.task, exchange.config, exchange.graph, *exchange.routing).front();
    ASSERT_EQ(rounds.size(), 12 * 12 * 12 / 8);
    MessageRounds chained = chained_rounds(ways, rounds, 1);
    EXPECT_EQ(chained, chained_rounds(ways, rounds, 1));
    const auto end_of = [&](const MessageRounds& order) {
        TimetableSearch search(ways, 1);
        search.offer(order);
        return search.end();
    };
    const Cycle least = ways.least_end();
    EXPECT_LT(4 * (end_of(chained) - least), 3 * (end_of(rounds) - least));
    EXPECT_LT(static_cast<double>(end_of(chained)), 1.04 * static_cast<double>(least));
    EXPECT_EQ(chained.front(), rounds.front());
    std::sort(rounds.begin(), rounds.end());
    std::sort(chained.begin(), chained.end());
    EXPECT_EQ(chained, rounds);
}

TEST_F(Timetables, AreFoundAgainWithTheSameSeed) {
    const Exchange exchange("kind: mesh, dims: [4, 4]");
    const MessageRoutes ways = exchange.ways();
    std::vector<std::vector<Cycle>> begins;
    for (const std::uint64_t seed : {1, 1, 2}) {
        TimetableSearch search(ways, seed);
        search.offer(direct_rounds(ways, seed));
        const Cycle before = search.end();
        search.improve({});
        EXPECT_LT(search.end(), before);
        EXPECT_GE(search.end(), ways.least_end());
        Cycle last = 0;
        for (std::uint32_t message = 0; message < ways.messages(); ++message) {
            last = std::max(last, search.begins()[message] + ways.duration(message));
        }
        EXPECT_EQ(search.end(), last);
        begins.push_back(search.begins());
    }
    EXPECT_EQ(begins[0], begins[1]);
    EXPECT_NE(begins[0], begins[2]);
}

/// Both ways of local search: their result is a timetable of all messages, none meets another one,
/// and its end is as stated.
TEST_F(Timetables, AreStillTimetablesWhenTheyWereImproved) {
    for (const char* node : {"", ", injection_rate: 0.25, packet_bytes: 64"}) {
        const Exchange exchange("kind: torus, dims: [4, 4]", 200, "", node);
        const MessageRoutes ways = exchange.ways();
        TimetableSearch search(ways, 3);
        // In the order of their numbers, so that there is much to be improved.
        MessageRounds alone;
        for (std::uint32_t message = 0; message < ways.messages(); ++message) {
            alone.push_back({message});
        }
        search.offer(alone);
        const Cycle before = search.end();
        // Some of both turns.
        int left = 8000;
        search.improve([&] { return left-- > 0; });
        EXPECT_LT(search.end(), before);
        Timetable timetable(ways);
        Cycle last = 0;
        for (std::uint32_t message = 0; message < ways.messages(); ++message) {
            const Cycle begin = search.begins()[message];
            ASSERT_NE(begin, kNever);
            ASSERT_FALSE(meets(ways, timetable, message, begin)) << message;
            timetable.place(message, begin);
            last = std::max(last, timetable.end(message));
        }
        EXPECT_EQ(search.end(), last);
    }
}

/// If nodes assemble packets slower than links carry them, several messages pass over a link packet
/// by packet.
TEST_F(Timetables, PacketsOfSeveralMessagesTakeTurns) {
    const Exchange exchange("kind: mesh, dims: [1, 8]", 512, "",
                            ", injection_rate: 0.25, packet_bytes: 64");
    const MessageRoutes ways = exchange.ways();
    int left = 100;
    const ChunkSchedule found = direct_schedule(exchange.task, exchange.config, exchange.graph,
                                                *exchange.routing, 1, [&] { return left-- > 0; });
    // 16 messages of 72 flits go over the middle link; one after the other they would be assembled
    // in 288 cycles each.
    EXPECT_LT(found.cycles, 10 * 288);
    const RoundContention most =
        contention(found, exchange.config, exchange.graph, *exchange.routing);
    EXPECT_EQ(most.link, 1);
    EXPECT_EQ(most.receive, 1);
    EXPECT_EQ(most.send, 1);
}

TEST_F(Timetables, ThatEndTooLateAreNone) {
    const Exchange exchange("kind: mesh, dims: [4, 4]");
    const MessageRoutes ways = exchange.ways();
    const MessageRounds rounds = direct_rounds(ways, 1);
    TimetableSearch any(ways, 1);
    EXPECT_TRUE(any.offer(rounds));
    EXPECT_FALSE(any.offer(rounds));  // no better
    EXPECT_GT(any.looks(), ways.messages());
    TimetableSearch sooner(ways, 1, any.end() - 1);
    EXPECT_FALSE(sooner.offer(rounds));
    sooner.improve({});
    EXPECT_EQ(sooner.end(), kNever);
    TimetableSearch as_soon(ways, 1, any.end());
    EXPECT_TRUE(as_soon.offer(rounds));
    const auto found_by = [&](Cycle latest) {
        return direct_schedule(exchange.task, exchange.config, exchange.graph, *exchange.routing, 1,
                               {}, latest);
    };
    EXPECT_TRUE(found_by(ways.least_end() - 1).method.empty());
    const ChunkSchedule found = found_by(2 * any.end());
    EXPECT_EQ(found.method, "flow, direct");
    EXPECT_LE(found.cycles, any.end());
}

TEST_F(Timetables, AreFoundUntilTheTimeIsUp) {
    const Exchange exchange("kind: mesh, dims: [4, 4]");
    int asked = 0;
    const ChunkSchedule found =
        direct_schedule(exchange.task, exchange.config, exchange.graph, *exchange.routing, 1, [&] {
            ++asked;
            return false;
        });
    EXPECT_EQ(check_completeness(found, exchange.graph, *exchange.routing),
              std::vector<std::string>());
    EXPECT_GE(asked, 1);
    EXPECT_LE(asked, 8);
}

TEST_F(Timetables, MessagesThatAreInAChannelTogetherAreCounted) {
    const Exchange exchange("kind: mesh, dims: [3, 3]");
    const auto contention_of = [&](const ChunkSchedule& schedule) {
        return contention(schedule, exchange.config, exchange.graph, *exchange.routing);
    };
    ChunkSchedule found = direct_schedule(exchange.task, exchange.config, exchange.graph,
                                          *exchange.routing, 1, [] { return false; });
    EXPECT_EQ(contention_of(found).link, 1);
    EXPECT_EQ(contention_of(found).send, 1);
    EXPECT_EQ(contention_of(found).receive, 1);
    // Most follow another one without a pause, at the node, in a link or at their destination.
    int messages = 0;
    RoundContention met{0, 0, 0};
    for (std::vector<ChunkMove>& round : found.rounds) {
        for (ChunkMove& move : round) {
            if (move.begin == 0) continue;
            --move.begin;
            const RoundContention most = contention_of(found);
            ++move.begin;
            ++messages;
            met.link += most.link - 1;
            met.send += most.send - 1;
            met.receive += most.receive - 1;
        }
    }
    EXPECT_GE(messages, 60);
    EXPECT_GE(met.link, 10);
    EXPECT_GE(met.send, 10);
    EXPECT_GE(met.receive, 10);
    for (std::vector<ChunkMove>& round : found.rounds) {
        for (ChunkMove& move : round) move.begin = 0;
    }
    EXPECT_EQ(contention_of(found).send, 8);
    EXPECT_EQ(contention_of(found).receive, 8);
    EXPECT_GE(contention_of(found).link, 6);
}

/// A synthesis of an exchange on a machine, simulated.
SynthesisRun found_on(const std::string& text, std::uint64_t bytes, double seconds,
                      Collective collective = Collective::kAllToAll) {
    SynthesisOptions options;
    options.request.collective = collective;
    options.request.method = Method::kFlow;
    options.request.bytes = bytes;
    options.request.chunks = 1;
    options.seconds = seconds;
    // A file that has been read is not overwritten.
    static int number = 0;
    const std::string name = fmt::format("timetable_{}.csv", number++);
    options.file = (std::filesystem::path(testing::TempDir()) / name).string();
    const FreshKernel kernel;
    SynthesisRun found = run_synthesis(parse_config(text, "test"), options);
    EXPECT_EQ(found.findings, std::vector<std::string>());
    return found;
}

/// It ends by the time that was planned, and nothing waits.
void expect_kept_promises(const SynthesisRun& found) {
    EXPECT_EQ(found.run.verdict, Verdict::kComplete);
    EXPECT_LE(found.run.cycles, found.schedule.cycles);
    EXPECT_EQ(found.contention.link, 1);
    EXPECT_EQ(found.contention.send, 1);
    EXPECT_EQ(found.contention.receive, 1);
    EXPECT_FALSE(found.breaks_bound());
}

TEST_F(Timetables, TakeTheTimeThatTheyPromise) {
    for (const char* fabric :
         {"virtual_channels: 1", "virtual_channels: 2", "virtual_channels: 2, allocation: combined",
          "virtual_channels: 2, switch_arbitration: per_packet, router_delay: 3",
          "virtual_channels: 2, link_delay: {model: constant, cycles: 5}, buffer_depth: 4",
          "switching: store_and_forward, buffer_depth: 64",
          "switching: virtual_cut_through, virtual_channels: 2, buffer_depth: 64"}) {
        for (const char* node :
             {"send_overhead: 0", "send_overhead: 30, recv_overhead: 9",
              "send_overhead: 30, serialize_overhead: true", "injection_rate: 0.5",
              "packet_bytes: 64", "packet_bytes: 64, injection_rate: 0.25", "header_flits: 3"}) {
            for (const std::uint64_t bytes : {0, 8, 200}) {
                const std::string text = fmt::format(
                    "fabric: {{topology: {{kind: mesh, dims: [3, 4]}}, {}}}\nnode: {{{}}}\n",
                    fabric, node);
                SCOPED_TRACE(fmt::format("{}{} bytes", text, bytes));
                const SynthesisRun found = found_on(text, bytes, 1e-9);
                expect_kept_promises(found);
                const bool is_exact = found.run.cycles == found.schedule.cycles;
                const PacketFormat format = found.machine->config.packet_format();
                const bool is_at_once =
                    found.machine->config.fabric.switching != Switching::kStoreAndForward &&
                    found.machine->config.node.injection_bandwidth.numerator !=
                        found.machine->config.node.injection_bandwidth.denominator;
                const bool is_shallow = found.machine->config.fabric.buffer_depth == 4;
                EXPECT_TRUE(is_exact || (format.packets(bytes) > 1 && (is_shallow || !is_at_once)));
            }
        }
    }
}

/// Between dies, links of a rate below 1.
TEST_F(Timetables, OverSlowLinksTakeTheTimeThatTheyPromise) {
    for (const char* fabric :
         {"buffer_depth: 2", "buffer_depth: 64", "virtual_channels: 2, router_delay: 2",
          "switching: store_and_forward, combining_delay: 3, buffer_depth: 64",
          "switching: virtual_cut_through, buffer_depth: 64"}) {
        for (const char* node : {"send_overhead: 30", "injection_rate: 0.5", "packet_bytes: 64"}) {
            for (const std::uint64_t bytes : {0, 200}) {
                const std::string text = fmt::format(
                    "fabric: {{topology: {{kind: mesh, dims: [2, 6]}}, link_rate: {{die: [2, 2], "
                    "rate: 1/3, delay: 2}}, {}}}\nnode: {{{}}}\n",
                    fabric, node);
                SCOPED_TRACE(fmt::format("{}{} bytes", text, bytes));
                const SynthesisRun found = found_on(text, bytes, 1e-9);
                expect_kept_promises(found);
                const Config& config = found.machine->config;
                if (config.packet_format().packets(bytes) == 1 && !config.fabric.stores_packets()) {
                    EXPECT_EQ(found.run.cycles, found.schedule.cycles);
                }
            }
        }
    }
}

/// A message waits for slots as long as the slowest link of its own path requires, not of others.
TEST_F(Timetables, ASlowLinkSlowsOnlyTheMessagesThatGoOverIt) {
    const auto taken = [](std::uint32_t delay) {
        const std::string text = fmt::format("fabric: {{topology: {{{}}}, buffer_depth: 4}}\n",
                                             line_with_a_slow_end(delay));
        const SynthesisRun found = found_on(text, 1024, 0);
        EXPECT_EQ(found.run.cycles, found.schedule.cycles);
        EXPECT_EQ(found.contention.link, 1);
        return found.run.cycles;
    };
    // A message has 129 flits, 4 of which go over the slow link in 20 cycles; the first and the
    // last node send 5 messages. The 9 messages over the link in the middle are no longer.
    constexpr Cycle kOfSlow = 33 * 20;
    EXPECT_LT(taken(9), 5 * kOfSlow);
    EXPECT_LT(taken(1), 9 * 140);
}

/// Cycles of the quickest schedule of a complete exchange that the catalogue has for the machine.
Cycle best_of_catalogue(const std::string& text, std::uint64_t bytes) {
    Cycle best = kNever;
    for (const char* schedule :
         {"pex", "pex-gen-shift", "gen", "naive", "bounded-contention", "aap"}) {
        for (const char* barrier : {"", ", barrier: {fixed: 0}"}) {
            try {
                const Machine machine = build_machine(
                    parse_config(fmt::format("{}traffic: {{schedule: {}, message_bytes: {}{}}}\n",
                                             text, schedule, bytes, barrier),
                                 "test"));
                const FreshKernel kernel;
                best = std::min(best, simulate(machine, "auto", {}).cycles);
            } catch (const ConfigError&) {
                continue;  // none has that name
            }
        }
    }
    return best;
}

TEST_F(Timetables, AreAsQuickAsTheSchedulesOfTheCatalogue) {
    struct Known {
        const char* topology;
        std::uint64_t bytes;
        bool is_large = false;
    };
    for (const Known& known :
         {Known{"kind: mesh, dims: [4, 4]", 1024}, Known{"kind: mesh, dims: [4, 4]", 64},
          Known{"kind: mesh, dims: [3, 5]", 1024}, Known{"kind: torus, dims: [4, 4]", 1024},
          Known{"kind: torus, dims: [8, 8]", 1024, true},
          Known{"kind: hypercube, dimensions: 4", 1024},
          Known{"kind: how, dims: [4, 4], window: 2", 1024},
          Known{"kind: fat_tree, arity: 4, height: 2", 64}}) {
        SCOPED_TRACE(fmt::format("{} {}", known.topology, known.bytes));
        if (known.is_large && !takes_all()) continue;
        const std::string text = fmt::format(
            "fabric: {{topology: {{{}}}, virtual_channels: 2, switch_arbitration: per_packet}}\n",
            known.topology);
        const SynthesisRun found = found_on(text, known.bytes, 0);
        EXPECT_EQ(found.run.cycles, found.schedule.cycles);
        EXPECT_LE(found.run.cycles, best_of_catalogue(text, known.bytes));
    }
}

}  // namespace
}  // namespace flitscope::synthesis
